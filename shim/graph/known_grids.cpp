// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
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

struct RecordedGrids {
    std::mutex mutex;
    std::vector<std::pair<Topology, int>> grids; // newest first; with the cell of this process
};

} // namespace

void record_grid(const std::vector<int>& dims, const std::vector<bool>& periods, int cell)
{
    try {
        const Topology grid(dims, periods);
        RecordedGrids& recorded = immortal<RecordedGrids>();
        const LockAmongThreads lock(recorded.mutex);
        const auto is_this = [&grid](const auto& each) { return each.first == grid; };
        const auto earlier = std::find_if(recorded.grids.begin(), recorded.grids.end(), is_this);
        if (earlier != recorded.grids.end()) {
            cell = cell != schedules::no_rank ? cell : earlier->second;
            recorded.grids.erase(earlier);
        }
        recorded.grids.insert(recorded.grids.begin(), {grid, cell});
        if (recorded.grids.size() > most_recorded)
            recorded.grids.pop_back();
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
    RecordedGrids& recorded = immortal<RecordedGrids>();
    const LockAmongThreads lock(recorded.mutex);
    std::vector<Candidate> grids;
    for (const auto& each : recorded.grids)
        if (each.first.size() == p) {
            const std::vector<Candidate> patterns =
                schedules::in_all_patterns(each.first, schedules::GridOrigin::recorded);
            grids.insert(grids.end(), patterns.begin(), patterns.end());
        }
    return grids;
}

RecordedPlace recorded_place(int p)
{
    RecordedGrids& recorded = immortal<RecordedGrids>();
    const LockAmongThreads lock(recorded.mutex);
    for (const auto& [grid, cell] : recorded.grids)
        if (grid.size() >= p && cell != schedules::no_rank)
            return {grid.dims(), cell};
    return {};
}

} // namespace hopscotch::shim
