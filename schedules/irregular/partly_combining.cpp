// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Schedules on partial grids: edges that the grid explains are combined, the others travel directly meanwhile.
#include "schedules/irregular/partly_combining.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"

#include <iterator>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

void renumber(Slot& slot, int arrivals) noexcept
{
    if (slot.place == Place::transit)
        slot.index += arrivals;
}

/// Blocks that arrive are numbered behind others.
void renumber(Schedule& schedule, int arrivals) noexcept
{
    for (Phase& phase : schedule.phases)
        for (Round& round : phase.rounds) {
            round.first_arrival += arrivals;
            for (Slot& slot : round.sends)
                renumber(slot, arrivals);
            for (Move& move : round.deliveries)
                renumber(move.from, arrivals);
        }
}

/// Both at once: the only phase of `first` comes before the first phase of `second`.
Schedule together(Schedule first, Schedule second)
{
    renumber(second, first.arrivals);
    second.arrivals += first.arrivals;
    second.copies.insert(second.copies.begin(), first.copies.begin(), first.copies.end());
    if (first.phases.empty())
        return second;
    if (second.phases.empty())
        second.phases.emplace_back();
    std::vector<Round>& rounds = second.phases.front().rounds;
    std::vector<Round>& before = first.phases.front().rounds;
    rounds.insert(rounds.begin(), std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));
    return second;
}

} // namespace

Schedule partly_combining(std::shared_ptr<const PartialGrid> grid, Blocks blocks, const Edges& edges)
{
    const bool common = blocks == Blocks::common;
    const std::vector<int> order = common ? grid->gather_order : identity(grid->stencil.dimensions());
    const int ways = grid->ways;
    const Neighborhood neighborhood = place(std::move(grid), blocks, edges);
    const Edges direct = direct_edges(neighborhood, edges);
    const Routing routing = route_along(neighborhood.stencil, order, ways);
    return common ? together(merged_allgather(direct), combining_allgather(neighborhood, routing))
                  : together(merged(direct), combining_alltoall(neighborhood, routing));
}

} // namespace hopscotch::schedules
