// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the gain of a mapping for a job with processes on nodes already, and the rank of each of them.
#pragma once

#include "schedules/mapping/mapping.hpp"
#include "schedules/nodes/nodes.hpp"

namespace hopscotch::schedules
{

/// Edges between nodes of a grid as its processes are placed, and with the best mapper.
struct Remapping {
    Mapper mapper = Mapper::consecutive;
    EdgesBetweenNodes now;
    EdgesBetweenNodes mapped; // never worse than now
    Objective objective = Objective::sum;

    bool spares_edges() const noexcept { return is_less(objective, mapped, now); }
};

/// Requires: a node for each rank of the grid. Cost: that of best_mapper().
Remapping best_remapping(const Topology& grid, const Stencil& stencil, const Nodes& nodes,
                         const EdgeWeights& weights = {}, Objective objective = Objective::sum);

/// The rank that the process with each rank has in the mapping, with the same weights; it stays on its node, of course.
std::vector<int> new_ranks(const Remapping& remapping, const Topology& grid, const Stencil& stencil, const Nodes& nodes,
                           const EdgeWeights& weights = {});

/// Edges between two processes, on one node or on two.
std::int64_t edges_in_all(const Topology& grid, const Stencil& stencil);

/// Directed edges of a graph, and those of them that lead to another node: with ranks as they are, and mapped to nodes
/// as well as Hopscotch knows. `most`: those that leave the node with most.
struct EdgeCounts {
    std::int64_t all = 0; // 0: not counted
    std::int64_t now = 0, now_most = 0;
    std::int64_t mapped = 0, mapped_most = 0;
};

/// The edges of a grid; not counted if that would take more than 0.3 s.
EdgeCounts count_edges(const Topology& grid, const Stencil& stencil, const Nodes& nodes);

} // namespace hopscotch::schedules
