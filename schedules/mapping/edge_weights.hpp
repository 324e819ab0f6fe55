// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The weights of edges: of a stencil on a process grid, one for all, by offset, or one for each; and of the neighbor
// lists of a process, which are packed for another one.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// Shape: nothing, if each edge weighs 1; one per offset; or one per offset of each rank, those of rank 0 first. The
/// process at which an edge starts gives its weight. Non-negative.
using EdgeWeights = std::vector<std::int64_t>;

/// Throws: std::invalid_argument for any other shape.
void check_shape(const EdgeWeights& weights, const Topology& grid, const Stencil& stencil);

/// The weight of the edge that leaves a rank by offset i. Requires: a shape as above.
inline std::int64_t weight_of(const EdgeWeights& weights, const Stencil& stencil, int rank, int i) noexcept
{
    const auto t = static_cast<std::size_t>(stencil.size());
    const auto offset = static_cast<std::size_t>(i);
    if (weights.empty())
        return 1;
    return weights[weights.size() == t ? offset : static_cast<std::size_t>(rank) * t + offset];
}

/// The weights of all edges of each offset, in proportion: whole numbers up to 2^20, 1 if all edges weigh 1.
std::vector<std::int64_t> weights_of_offsets(const EdgeWeights& weights, const Stencil& stencil);

/// The weights that a process gives to its edges, by offset: 0 if there is no edge. Shape: a weight per destination.
std::vector<int> by_offset(const Topology& grid, const Stencil& stencil, int rank, const std::vector<int>& destinations,
                           const std::vector<int>& weights);

/// The neighbors of a process, and the weights of the edges to them. Shape: of the weights, as of the ranks.
struct WeightedLists {
    std::vector<int> sources, source_weights, destinations, destination_weights;
    bool weighted = false; // else the weights mean nothing
};

/// Packs the lists into numbers to be sent, and unpacks them.
std::vector<int> packed(const WeightedLists& lists);
WeightedLists unpacked(const std::vector<int>& numbers);

} // namespace hopscotch::schedules
