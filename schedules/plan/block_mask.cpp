// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
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
    travelled_.resize(coordinates_.size());
    for (int k = 0; k < stencil.dimensions(); ++k) {
        if (neighborhood.topology.periodic(k))
            continue;
        travelled_[k].assign(beyond_.size(), 0);
        for (int b = 0; b < stencil.size(); ++b)
            beyond_[b] += missing(k, b) ? 1 : 0;
    }
}

void BlockMask::look(int b)
{
    const PartialGrid& partial = *neighborhood_.partial;
    const int origin = partial.rank_of_cell[static_cast<std::size_t>(origins_[b])];
    beyond_[b] = origin != no_rank && partial.combines(neighborhood_.blocks, origin, b) ? 0 : 1;
}

void BlockMask::travel(const Steps& steps)
{
    for (std::size_t j = 0; j < steps.dimensions.size(); ++j) {
        const int k = steps.dimensions[j];
        const bool on_torus = neighborhood_.partial == nullptr && neighborhood_.topology.periodic(k);
        for (int b = 0; b < neighborhood_.stencil.size() && !on_torus; ++b) {
            const int shift = steps.shift(b, j);
            if (shift == 0)
                continue;
            if (neighborhood_.partial != nullptr) {
                origins_[b] = neighborhood_.partial->cells.moved(origins_[b], k, -shift);
                look(b);
                continue;
            }
            beyond_[b] -= missing(k, b) ? 1 : 0;
            travelled_[k][b] += shift;
            beyond_[b] += missing(k, b) ? 1 : 0;
        }
    }
}

bool BlockMask::missing(int k, int b) const noexcept
{
    const int travelled = travelled_[k][b];
    return outside(k, neighborhood_.stencil.shift(b, k) - travelled) || outside(k, -travelled);
}

bool BlockMask::outside(int k, int shift) const noexcept
{
    const long long target = static_cast<long long>(coordinates_[k]) + shift;
    return target < 0 || target >= neighborhood_.topology.extent(k);
}

} // namespace hopscotch::schedules
