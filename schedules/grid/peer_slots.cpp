// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/peer_slots.hpp"

#include "schedules/grid/ordering.hpp"

namespace hopscotch::schedules
{

PeerSlots::PeerSlots(const Edges& edges, Blocks blocks)
    : blocks_(blocks), to_(by_rank(edges.destinations, edges.destination_order)),
      from_(by_rank(edges.sources, edges.source_order))
{
}

PeerSlots::Slots PeerSlots::by_rank(const std::vector<int>& ranks, const std::vector<int>& orders)
{
    std::vector<int> in_order = identity(static_cast<int>(orders.size()));
    sort_by(in_order, orders);
    Slots result;
    for (const int slot : in_order)
        if (ranks[slot] != no_rank)
            result[ranks[slot]].push_back(slot);
    return result;
}

const std::vector<int>& PeerSlots::slots(const Slots& all, int rank)
{
    static const std::vector<int> none;
    const auto found = all.find(rank);
    return found == all.end() ? none : found->second;
}

std::vector<int> PeerSlots::receive(int source, int order) const
{
    const std::vector<int>& slots = from(source);
    if (blocks_ == Blocks::common || slots.empty())
        return slots;
    return {slots[order]};
}

} // namespace hopscotch::schedules
