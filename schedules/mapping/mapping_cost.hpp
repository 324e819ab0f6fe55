// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of a mapping of processes to nodes: edges between nodes, in all and at the node with most.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/mapping/edge_weights.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// Directed edges between different nodes: u to v and v to u are two. Units: edges, or the sum of their weights.
/// Source: J_sum and J_max in Hunold et al., CLUSTER 2020, arXiv 2005.09521.
struct EdgesBetweenNodes {
    std::int64_t sum = 0;  // leaving any node
    std::int64_t most = 0; // leaving the node that most edges leave

    bool operator==(const EdgesBetweenNodes& other) const noexcept { return sum == other.sum && most == other.most; }
};

/// The value that a mapping minimizes.
enum class Objective {
    sum, // edges in all; on a tie, edges at the node with most
    most // edges at the node with most; on a tie, edges in all
};

/// True if one is smaller by the objective; `<`: by Objective::sum.
bool is_less(Objective objective, const EdgesBetweenNodes& one, const EdgesBetweenNodes& other) noexcept;
bool operator<(const EdgesBetweenNodes& one, const EdgesBetweenNodes& other) noexcept;

/// Shape: a node, counted from 0, per rank of the grid. Throws: std::invalid_argument if a shape differs. Cost: O(p t
/// d).
EdgesBetweenNodes edges_between_nodes(const Topology& grid, const Stencil& stencil,
                                      const std::vector<int>& node_of_rank, const EdgeWeights& weights = {});

} // namespace hopscotch::schedules
