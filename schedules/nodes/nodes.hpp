// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Groups processes by node, and tells if the nodes are bricks of a process grid.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// The nodes are numbered in the order of their lowest ranks.
struct Nodes {
    std::vector<int> of_rank;            // the node of each rank
    std::vector<std::vector<int>> ranks; // ranks of each node, increasing

    /// The position of a rank among the processes of its node. Cost: O(log of their number).
    int position(int rank) const;

    int count() const noexcept { return static_cast<int>(ranks.size()); }
};

/// Ranks with equal labels share a node. Shape: one label per rank, any numbers.
Nodes nodes_of(const std::vector<int>& labels);

/// A process grid cut into bricks of one shape, each of them the processes of one node.
struct Bricks {
    std::vector<int> shape; // processes of a node along each dimension
    Topology grid;          // grid of the nodes, periodic in the same dimensions as the grid
    std::vector<int> place; // rank of each node in the grid
};

/// The bricks of the grid that the processes of the nodes form; nothing if these are no bricks of one shape. Requires:
/// one rank per process of the grid. Cost: O(p d).
std::optional<Bricks> bricks(const Topology& grid, const Nodes& nodes);

/// Offsets between nodes of all blocks of all processes of a node that leave it, canonical and sorted: a stencil on the
/// grid. A common block crosses once to each node.
Stencil between_nodes(const Stencil& stencil, const Bricks& bricks, Blocks blocks);

} // namespace hopscotch::schedules
