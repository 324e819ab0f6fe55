// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a mapping of processes to nodes costs: edges between nodes, of all nodes and of the node with most.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// Directed edges whose ends are on different nodes: u to v and v to u are two. Units: edges, or the sum of their
/// weights. Source: J_sum and J_max in Hunold et al., CLUSTER 2020, arXiv 2005.09521.
struct EdgesBetweenNodes {
    std::int64_t sum = 0;  // leaving any node
    std::int64_t most = 0; // leaving the node that most edges leave

    bool operator==(const EdgesBetweenNodes& other) const noexcept { return sum == other.sum && most == other.most; }
};

/// Fewer in all; where these are equal, fewer at the node with most.
bool operator<(const EdgesBetweenNodes& one, const EdgesBetweenNodes& other) noexcept;

/// Shape: a node, counted from 0, per rank of the grid; a weight per offset of the stencil, or none where each is 1.
/// Throws: std::invalid_argument when a shape differs. Cost: O(p t d).
EdgesBetweenNodes edges_between_nodes(const Topology& grid, const Stencil& stencil,
                                      const std::vector<int>& node_of_rank,
                                      const std::vector<std::int64_t>& weights = {});

} // namespace hopscotch::schedules
