// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the rank of each process of a job, so that neighbors share nodes.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/mapping/mapping_cost.hpp"
#include "schedules/nodes/node_ranges.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// Algorithms that find the ranks. Source of hyperplane and stencil strips: Hunold et al., CLUSTER 2020,
/// arXiv 2005.09521.
enum class Mapper {
    consecutive,    // in the order of the processes
    hyperplane,     // hyperplane_mapping.hpp
    stencil_strips, // stencil_strips.hpp
    bricks,         // brick_mapping.hpp; consecutive if no bricks of the size of the nodes fill the grid
    exchange        // improves the others by mapping_exchange.hpp; consecutive above most_exchanged_processes
};

/// "consecutive", "hyperplane", "stencil strips", "bricks", "exchange".
std::string to_string(Mapper mapper);

constexpr int most_exchanged_processes = 32;

/// The ranks that a mapper gives to all processes. Processes are counted node by node: those of node 0 first.
class Mapping
{
  public:
    /// Shape: processes of each node, as many in all as the grid has. `objective`: of the exchanges.
    /// Throws: std::invalid_argument if a shape differs.
    Mapping(Mapper mapper, const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes,
            const EdgeWeights& weights = {}, Objective objective = Objective::sum);

    /// In the grid, of the process with this number. No two processes have the same.
    /// Cost: no table, and no more than the logarithm of the number of processes, but for `exchange`.
    int rank(int process) const { return rank_(process); }

    /// The node of each rank.
    std::vector<int> node_of_rank() const;

  private:
    NodeRanges nodes_;
    std::function<int(int)> rank_;
};

/// The best mapper for the objective; consecutive if none is better. Local. Cost: O(p t d), too much for every process
/// of a large job: one of them can find it for all.
Mapper best_mapper(const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes,
                   const EdgeWeights& weights = {}, Objective objective = Objective::sum);

} // namespace hopscotch::schedules
