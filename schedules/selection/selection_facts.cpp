// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/selection_facts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace hopscotch::schedules
{

void add_grid(Facts& facts, const Topology& grid, const Stencil& stencil)
{
    facts.one_block_size = !facts.idle_process && steps_along_every_dimension(stencil, grid);
    facts.torus_messages = 0;
    for (const int extent : grid.dims())
        for (std::int64_t reached = 1; reached < extent; reached *= 2)
            ++facts.torus_messages;
    const bool all_in_memory = facts.one_node && facts.shared_bytes > 0;
    if (facts.asked_for != Algorithm::automatic || all_in_memory || facts.collective == Collective::global_allgather)
        return;
    if (rounds(stencil) < facts.most_neighbors) // not every process sees the whole stencil
        facts.combining_pays_up_to = combining_cutoff_bytes(stencil, blocks_of(facts.collective), facts.message_cost);
}

void add_partial_grid(Facts& facts, const PartialGrid& grid)
{
    facts.partly = true;
    if (!facts.isomorphic()) // on others the grid that explains all edges tells it
        facts.one_block_size = !facts.idle_process && grid.connected;
    if (facts.asked_for == Algorithm::automatic && facts.collective != Collective::global_allgather)
        facts.combining_pays_up_to = combining_cutoff_bytes(grid, facts.message_cost);
}

bool shares_block_size(const Facts& facts, Algorithm algorithm) noexcept
{
    if (facts.collective == Collective::global_allgather)
        return true;
    return !facts.idle_process && (!forwards(algorithm) || facts.one_block_size);
}

bool knows_block_size(const Facts& facts) noexcept
{
    return facts.collective == Collective::global_allgather || (is_regular(facts.collective) && facts.one_block_size);
}

bool is_left_on_device(const Facts& facts, std::size_t block_bytes) noexcept
{
    return facts.device_bytes && block_bytes > *facts.device_bytes && facts.native_is_right && knows_block_size(facts);
}

bool may_choose_member(const Facts& facts) noexcept
{
    return (facts.collective == Collective::alltoall || facts.collective == Collective::allgather) &&
           facts.isomorphic() && knows_block_size(facts) &&
           (facts.asked_for == Algorithm::combining ||
            (facts.asked_for == Algorithm::automatic && !(facts.one_node && facts.shared_bytes > 0)));
}

void add_members(Facts& facts, std::vector<PreferredMember> members, const Topology& grid, const Stencil& stencil,
                 const Nodes& nodes, const Network& network)
{
    facts.members = std::move(members);
    if (facts.asked_for != Algorithm::automatic)
        return;
    if (facts.combining_pays_up_to > 0) {
        if (!facts.partly) // else the schedule sends fewer messages than the members do
            facts.combining_pays_up_to =
                members_pay_up_to(blocks_of(facts.collective), facts.members, grid, stencil, nodes, network);
        return;
    }
    facts.combining_pays_up_to = splits_pay_up_to(blocks_of(facts.collective), facts.members, facts.most_neighbors,
                                                  grid, stencil, nodes, network);
    facts.only_splits = facts.combining_pays_up_to > 0;
    if (!facts.only_splits)
        return;
    const auto is_whole = [](const PreferredMember& member) { return !splits(member.groups); };
    facts.members.erase(std::remove_if(facts.members.begin(), facts.members.end(), is_whole), facts.members.end());
    facts.members.back().most_bytes = std::numeric_limits<std::size_t>::max();
}

} // namespace hopscotch::schedules
