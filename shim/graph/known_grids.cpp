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

namespace hopscotch::shim
{

using schedules::Topology;

namespace
{

constexpr std::size_t most_recorded = 16;

struct Recorded {
    std::mutex mutex;
    std::vector<Topology> grids; // newest first
};

} // namespace

void record_grid(const std::vector<int>& dims, const std::vector<bool>& periods)
{
    try {
        Topology grid(dims, periods);
        Recorded& known = immortal<Recorded>();
        const LockAmongThreads lock(known.mutex);
        known.grids.erase(std::remove(known.grids.begin(), known.grids.end(), grid), known.grids.end());
        known.grids.insert(known.grids.begin(), std::move(grid));
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
    for (const Topology& grid : known.grids)
        if (grid.size() == p) {
            const std::vector<Candidate> patterns = schedules::in_all_patterns(grid, "recorded");
            grids.insert(grids.end(), patterns.begin(), patterns.end());
        }
    return grids;
}

} // namespace hopscotch::shim
