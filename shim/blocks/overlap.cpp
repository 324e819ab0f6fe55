// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells if a call receives into memory that it also sends, which MPI forbids.
#include "shim/blocks/overlap.hpp"

#include "schedules/grid/topology.hpp"

#include <utility>

namespace hopscotch::shim
{

namespace
{

void add_runs(const BlockLayout& layout, const std::vector<int>& processes, bool sent,
              std::vector<schedules::BlockRun>& runs)
{
    for (int i = 0; i < static_cast<int>(processes.size()); ++i)
        if (processes[static_cast<std::size_t>(i)] != schedules::no_rank)
            for (const schedules::AddressRange& bytes : runs_of(layout[i]))
                runs.push_back({bytes, i, sent});
}

} // namespace

std::optional<schedules::Clash> find_overlap(const BlockLayout& send, const std::vector<int>& destinations,
                                             const BlockLayout& receive, const std::vector<int>& sources)
{
    std::vector<schedules::BlockRun> runs;
    add_runs(send, destinations, true, runs);
    add_runs(receive, sources, false, runs);
    return schedules::find_clash(std::move(runs));
}

} // namespace hopscotch::shim
