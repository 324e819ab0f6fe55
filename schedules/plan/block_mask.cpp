// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Which blocks of a neighborhood exist at one process while they travel dimension by dimension: the masks of mesh
// borders and of missing edges.
#include "schedules/plan/block_mask.hpp"

#include "schedules/grid/partial_grid.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

BlockMask::BlockMask(const Neighborhood& neighborhood)
    : neighborhood_(neighborhood), beyond_(static_cast<std::size_t>(neighborhood.stencil.size()), 0)
{
    const Stencil& stencil = neighborhood.stencil;
    if (const PartialGrid* const partial = neighborhood.partial.get()) {
        origins_.assign(beyond_.size(), partial->cell_of_rank[static_cast<std::size_t>(neighborhood.rank)]);
        for (int b = 0; b < stencil.size(); ++b)
            look(b);
        return;
    }
    coordinates_ = neighborhood.topology.coordinates(neighborhood.rank);
    for (int k = 0; k < stencil.dimensions(); ++k) {
        if (neighborhood.topology.periodic(k))
            continue;
        for (int b = 0; b < stencil.size(); ++b)
            beyond_[b] += outside(k, stencil.shift(b, k)) ? 1 : 0;
    }
}

void BlockMask::look(int b)
{
    const PartialGrid& partial = *neighborhood_.partial;
    const int origin = partial.rank_of_cell[static_cast<std::size_t>(origins_[b])];
    beyond_[b] = origin != no_rank && partial.combines(neighborhood_.blocks, origin, b) ? 0 : 1;
}

void BlockMask::travel(int k)
{
    const Stencil& stencil = neighborhood_.stencil;
    if (neighborhood_.partial != nullptr) {
        for (int b = 0; b < stencil.size(); ++b)
            if (const int shift = stencil.shift(b, k); shift != 0) {
                origins_[b] = neighborhood_.partial->cells.moved(origins_[b], k, -shift);
                look(b);
            }
        return;
    }
    if (neighborhood_.topology.periodic(k))
        return;
    for (int b = 0; b < stencil.size(); ++b) {
        const int shift = stencil.shift(b, k);
        beyond_[b] += (outside(k, -shift) ? 1 : 0) - (outside(k, shift) ? 1 : 0);
    }
}

bool BlockMask::outside(int k, int shift) const noexcept
{
    const long long target = static_cast<long long>(coordinates_[k]) + shift;
    return target < 0 || target >= neighborhood_.topology.extent(k);
}

} // namespace hopscotch::schedules
