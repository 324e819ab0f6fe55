// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/memory/memory_plan.hpp"

#include "schedules/plan/direct.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

namespace
{

void plan_sending(const Edges& edges, Blocks blocks, MemoryPlan& plan)
{
    plan.destinations = distinct_others(plan.on_node.destinations, edges.rank);
    const std::vector<int> position = positions(edges.destinations);
    int sent = 0; // on the node
    for (std::size_t slot = 0; slot < edges.destinations.size(); ++slot) {
        plan.positions += edges.destinations[slot] != no_rank ? 1 : 0;
        const int rank = plan.on_node.destinations[slot];
        if (rank == no_rank || rank == edges.rank)
            continue;
        ++sent;
        if (blocks == Blocks::individual)
            append_slot(plan.sending, static_cast<int>(slot), position[slot]);
    }
    if (blocks == Blocks::individual || sent == 0)
        return;
    plan.sending = {{0, 0, 1}};
    plan.positions = 1;
    plan.destinations_per_block = sent;
}

void plan_receiving(Blocks blocks, const std::vector<int>& remote_positions, MemoryPlan& plan)
{
    const std::vector<int>& ranks = plan.on_node.sources;
    for (const int rank : distinct_others(ranks, plan.on_node.rank)) {
        std::vector<SlotRun> runs;
        for (std::size_t slot = 0; slot < ranks.size(); ++slot)
            if (ranks[slot] == rank)
                append_slot(runs, static_cast<int>(slot), blocks == Blocks::common ? 0 : remote_positions[slot]);
        MemoryPlan::Source source;
        source.rank = rank;
        const auto found = std::lower_bound(plan.destinations.begin(), plan.destinations.end(), rank);
        if (found != plan.destinations.end() && *found == rank)
            source.destination = static_cast<int>(found - plan.destinations.begin());
        source.first_run = static_cast<int>(plan.receiving.size());
        source.runs = static_cast<int>(runs.size());
        for (const SlotRun& run : runs)
            source.end_position = std::max(source.end_position, run.position + run.count);
        plan.receiving.insert(plan.receiving.end(), runs.begin(), runs.end());
        plan.sources.push_back(source);
    }
}

} // namespace

MemoryPlan memory_plan(const Edges& edges, Blocks blocks, const std::function<bool(int rank)>& belongs,
                       const std::vector<int>& remote_positions)
{
    MemoryPlan plan;
    plan.on_node = part_of(edges, belongs);
    plan_sending(edges, blocks, plan);
    plan_receiving(blocks, remote_positions, plan);
    for (const Move& move : copies_to_self(edges, blocks))
        append_slot(plan.own, move.to.index, move.from.index);
    return plan;
}

} // namespace hopscotch::schedules
