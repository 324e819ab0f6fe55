// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/partial_place.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using SlotsByEdge = std::map<std::pair<int, int>, int>; // by process and order

SlotsByEdge slots_of(const std::vector<int>& ranks, const std::vector<int>& order)
{
    SlotsByEdge slots;
    for (std::size_t slot = 0; slot < ranks.size(); ++slot)
        if (ranks[slot] != no_rank)
            slots[{ranks[slot], order[slot]}] = static_cast<int>(slot);
    return slots;
}

int slot_of(const SlotsByEdge& slots, int rank, int order)
{
    const auto found = slots.find({rank, order});
    if (found == slots.end())
        throw std::invalid_argument("partial grid: the lists have no edge " + std::to_string(order) + " of process " +
                                    std::to_string(rank));
    return found->second;
}

} // namespace

Neighborhood place(std::shared_ptr<const PartialGrid> grid, Blocks blocks, const Edges& edges)
{
    Neighborhood result;
    result.rank = edges.rank;
    result.stencil = grid->stencil;
    result.blocks = blocks;
    const SlotsByEdge to = slots_of(edges.destinations, edges.destination_order);
    const SlotsByEdge from = slots_of(edges.sources, edges.source_order);
    const int d = grid->cells.dimensions();
    const auto process = [&](int b, int direction) {
        int cell = grid->cell_of_rank[static_cast<std::size_t>(edges.rank)];
        for (int k = 0; k < d; ++k)
            cell = grid->cells.moved(cell, k, direction * grid->stencil.shift(b, k));
        return grid->rank_of_cell[static_cast<std::size_t>(cell)];
    };
    int order = 0;
    for (int b = 0; b < grid->stencil.size(); ++b) {
        const int* const offset = grid->stencil.offset(b);
        order = b > 0 && std::equal(offset, offset + d, grid->stencil.offset(b - 1)) ? order + 1 : 0;
        const int origin = process(b, -1);
        const bool arrives = origin != no_rank && grid->combines(blocks, origin, b);
        const bool leaves = grid->combines(blocks, edges.rank, b);
        result.send_slot.push_back(leaves ? slot_of(to, process(b, 1), order) : Neighborhood::no_slot);
        result.receive_slot.push_back(arrives ? slot_of(from, origin, order) : Neighborhood::no_slot);
    }
    result.partial = std::move(grid);
    return result;
}

Edges direct_edges(const Neighborhood& neighborhood, Edges edges)
{
    const auto leave_out = [](std::vector<int>& ranks, const std::vector<int>& slots) {
        for (const int slot : slots)
            if (slot != Neighborhood::no_slot)
                ranks[static_cast<std::size_t>(slot)] = no_rank;
    };
    leave_out(edges.destinations, neighborhood.send_slot);
    leave_out(edges.sources, neighborhood.receive_slot);
    return edges;
}

} // namespace hopscotch::schedules
