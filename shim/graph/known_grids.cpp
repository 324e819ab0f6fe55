// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Remembers the process grids that the program has shown by its calls or by hints: candidates for later graphs.
#include "shim/graph/known_grids.hpp"

#include "shim/base/immortal.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace hopscotch::shim
{

using schedules::Topology;

namespace
{

constexpr std::size_t most_recorded = 16;

struct Recorded {
    std::mutex mutex;
    std::vector<std::pair<Topology, int>> grids; // newest first; with the cell of this process
};

} // namespace

void record_grid(const std::vector<int>& dims, const std::vector<bool>& periods, int cell)
{
    try {
        const Topology grid(dims, periods);
        Recorded& known = immortal<Recorded>();
        const LockAmongThreads lock(known.mutex);
        const auto is_this = [&grid](const auto& each) { return each.first == grid; };
        const auto earlier = std::find_if(known.grids.begin(), known.grids.end(), is_this);
        if (earlier != known.grids.end()) {
            cell = cell != schedules::no_rank ? cell : earlier->second;
            known.grids.erase(earlier);
        }
        known.grids.insert(known.grids.begin(), {grid, cell});
        if (known.grids.size() > most_recorded)
            known.grids.pop_back();
    } catch (const std::invalid_argument&) {
        // A grid that is none tells nothing.
    }
}

std::optional<Topology> set_grid(const Settings& settings)
{
    if (!settings.grid)
        return std::nullopt;
    return Topology(settings.grid->dims, settings.grid->periodic);
}

std::vector<Candidate> recorded_grids(int p)
{
    Recorded& known = immortal<Recorded>();
    const LockAmongThreads lock(known.mutex);
    std::vector<Candidate> grids;
    for (const auto& each : known.grids)
        if (each.first.size() == p) {
            const std::vector<Candidate> patterns = schedules::in_all_patterns(each.first, "recorded");
            grids.insert(grids.end(), patterns.begin(), patterns.end());
        }
    return grids;
}

RecordedPlace recorded_place(int p)
{
    Recorded& known = immortal<Recorded>();
    const LockAmongThreads lock(known.mutex);
    for (const auto& [grid, cell] : known.grids)
        if (grid.size() >= p && cell != schedules::no_rank)
            return {grid.dims(), cell};
    return {};
}

} // namespace hopscotch::shim
