// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Which blocks of a neighborhood exist at one process while they travel dimension by dimension: the masks of mesh
// borders.
#include "schedules/plan/block_mask.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

BlockMask::BlockMask(const Neighborhood& neighborhood)
    : neighborhood_(neighborhood), coordinates_(neighborhood.topology.coordinates(neighborhood.rank)),
      beyond_(static_cast<std::size_t>(neighborhood.stencil.size()), 0)
{
    const Stencil& stencil = neighborhood.stencil;
    for (int k = 0; k < stencil.dimensions(); ++k) {
        if (neighborhood.topology.periodic(k))
            continue;
        for (int b = 0; b < stencil.size(); ++b)
            beyond_[b] += outside(k, stencil.shift(b, k)) ? 1 : 0;
    }
}

void BlockMask::travel(int k)
{
    if (neighborhood_.topology.periodic(k))
        return;
    const Stencil& stencil = neighborhood_.stencil;
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
