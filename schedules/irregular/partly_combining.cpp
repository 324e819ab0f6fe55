// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Schedules on partial grids: edges that the grid explains are combined, the others travel directly meanwhile.
#include "schedules/irregular/partly_combining.hpp"

#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// Numbers the blocks that arrive anew; so many more come before number `from`.
void renumber(Schedule& schedule, int from, int more)
{
    const auto move = [from, more](Slot& slot) {
        slot.index += slot.place == Place::transit && slot.index >= from ? more : 0;
    };
    schedule.arrivals = 0;
    for (Phase& phase : schedule.phases)
        for (Round& round : phase.rounds) {
            round.first_arrival = schedule.arrivals;
            schedule.arrivals += round.arrivals;
            std::for_each(round.sends.begin(), round.sends.end(), move);
            for (Move& delivery : round.deliveries)
                move(delivery.from);
        }
}

/// Both schedules at once: the only phase of `first` comes before the first phase of `second`.
Schedule together(Schedule first, Schedule second)
{
    second.copies.insert(second.copies.begin(), first.copies.begin(), first.copies.end());
    if (first.phases.empty())
        return second;
    if (second.phases.empty())
        second.phases.emplace_back();
    renumber(second, 0, first.arrivals);
    std::vector<Round>& rounds = second.phases.front().rounds;
    std::vector<Round>& before = first.phases.front().rounds;
    rounds.insert(rounds.begin(), std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()));
    renumber(second, 0, 0);
    return second;
}

/// The message of a phase that a round sends or receives; a new one if there is none.
Round& round_with(Schedule& schedule, int phase, int Round::*end, int rank)
{
    std::vector<Round>& rounds = schedule.phases[static_cast<std::size_t>(phase)].rounds;
    for (Round& round : rounds)
        if (round.*end == rank)
            return round;
    rounds.emplace_back().*end = rank;
    renumber(schedule, 0, 0);
    return rounds.back();
}

/// One more block arrives in a round.
Slot arrive(Schedule& schedule, Round& round)
{
    const int number = round.first_arrival + round.arrivals++;
    renumber(schedule, number, 1);
    return {Place::transit, number};
}

/// The slot of an edge. Throws: std::out_of_range if there is none.
int slot_of(const std::vector<int>& ranks, const std::vector<int>& orders, int rank, int order)
{
    std::size_t slot = 0;
    while (ranks.at(slot) != rank || orders[slot] != order)
        ++slot;
    return static_cast<int>(slot);
}

/// Adds the part of this process in a detour. A common block is in each message of the first phase already.
void add(Schedule& schedule, const PartialGrid::Detour& detour, Blocks blocks, const Edges& edges)
{
    const bool common = blocks == Blocks::common;
    Slot block;
    if (edges.rank == detour.from && !common)
        block.index = slot_of(edges.destinations, edges.destination_order, detour.to, detour.order);
    int sender = detour.from;
    for (const auto& [receiver, phase] : {std::pair{detour.over, detour.phases[0]}, {detour.to, detour.phases[1]}}) {
        if (sender == receiver)
            continue;
        if (edges.rank == sender) {
            std::vector<Slot>& sends = round_with(schedule, phase, &Round::destination, receiver).sends;
            if (!common || phase > 0 || sends.empty())
                sends.push_back(block);
        }
        if (edges.rank == receiver) {
            Round& round = round_with(schedule, phase, &Round::source, sender);
            const bool is_there = common && phase == 0 && round.arrivals > 0;
            block = is_there ? Slot{Place::transit, round.first_arrival} : arrive(schedule, round);
        }
        sender = receiver;
    }
    if (edges.rank == detour.to)
        round_with(schedule, detour.phases[1], &Round::source, detour.over)
            .deliveries.push_back(
                {block, {Place::receive, slot_of(edges.sources, edges.source_order, detour.from, detour.order)}});
}

} // namespace

Schedule partly_combining(std::shared_ptr<const PartialGrid> grid, Blocks blocks, const Edges& edges)
{
    const Neighborhood neighborhood = place(grid, blocks, edges);
    Edges direct = direct_edges(neighborhood, edges);
    const std::vector<PartialGrid::Detour>& detours = grid->detours[static_cast<std::size_t>(blocks)];
    for (const PartialGrid::Detour& detour : detours) {
        if (edges.rank == detour.from)
            direct.destinations[slot_of(edges.destinations, edges.destination_order, detour.to, detour.order)] =
                no_rank;
        if (edges.rank == detour.to)
            direct.sources[slot_of(edges.sources, edges.source_order, detour.from, detour.order)] = no_rank;
    }
    Schedule result =
        blocks == Blocks::common
            ? together(merged_allgather(direct),
                       combining_allgather(neighborhood, route_along(neighborhood.stencil, grid->gather_order)))
            : together(merged(direct), combining_alltoall(neighborhood));
    for (const PartialGrid::Detour& detour : detours) {
        result.phases.resize(std::max(result.phases.size(), static_cast<std::size_t>(detour.phases[1]) + 1));
        add(result, detour, blocks, edges);
    }
    return result;
}

} // namespace hopscotch::schedules
