// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The weights of the edges of a stencil on a process grid: one for all, by offset, or one for each.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// Shape: nothing, where each edge weighs 1; one per offset; or one per offset of each rank, those of rank 0 first. An
/// edge has the weight that the process gives it which it leaves. Non-negative.
using EdgeWeights = std::vector<std::int64_t>;

/// Throws: std::invalid_argument when the shape is none of those.
void check_shape(const EdgeWeights& weights, const Topology& grid, const Stencil& stencil);

/// Of the edge that leaves a rank by offset i. Requires: a shape as above.
inline std::int64_t weight_of(const EdgeWeights& weights, const Stencil& stencil, int rank, int i) noexcept
{
    const auto t = static_cast<std::size_t>(stencil.size());
    const auto offset = static_cast<std::size_t>(i);
    if (weights.empty())
        return 1;
    return weights[weights.size() == t ? offset : static_cast<std::size_t>(rank) * t + offset];
}

/// How much the edges of each offset weigh together, for each other: in whole numbers up to 2^20, 1 where all edges
/// weigh 1.
std::vector<std::int64_t> weights_of_offsets(const EdgeWeights& weights, const Stencil& stencil);

/// What a process gives its edges, by offset: 0 where there is none. Shape: a weight per destination.
std::vector<int> by_offset(const Topology& grid, const Stencil& stencil, int rank, const std::vector<int>& destinations,
                           const std::vector<int>& weights);

} // namespace hopscotch::schedules
