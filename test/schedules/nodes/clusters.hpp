// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs on several nodes: the shared knowledge of the processes of each node, and the plans that follow.
#pragma once

#include "schedules/nodes/aggregation_part.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <random>
#include <vector>

/// Plans all nodes of a job at once; the parts of its processes are made from that.
class Cluster
{
  public:
    Cluster(const Job& job, hopscotch::schedules::Nodes nodes, hopscotch::schedules::Blocks blocks,
            const hopscotch::schedules::Route& route);

    hopscotch::schedules::AggregationPart aggregation_part(const Job& job, int rank) const;

    const hopscotch::schedules::Nodes& nodes() const { return nodes_; }
    const hopscotch::schedules::NodePlan& plan(int node) const { return plans_[static_cast<std::size_t>(node)]; }
    const hopscotch::schedules::Leaders& theirs(int node) const { return theirs_[static_cast<std::size_t>(node)]; }

  private:
    hopscotch::schedules::Nodes nodes_;
    hopscotch::schedules::Blocks blocks_;
    std::vector<hopscotch::schedules::NodePlan> plans_;
    std::vector<hopscotch::schedules::Leaders> theirs_;
};

/// The lists of the processes of a node.
hopscotch::schedules::NodeLists lists_of(const Job& job, const hopscotch::schedules::Nodes& nodes, int node);

/// Blocks of a job of this kind, and the nodes of a grid that is cut into bricks.
hopscotch::schedules::Blocks blocks_of(TestedOperation operation);
hopscotch::schedules::Nodes brick_nodes(const hopscotch::schedules::Topology& grid, const std::vector<int>& shape);

/// Dimension by dimension between the bricks of an isomorphic job. Throws: std::bad_optional_access without bricks.
hopscotch::schedules::Route dimension_wise(const Job& job, const hopscotch::schedules::Nodes& nodes,
                                           TestedOperation operation, int most_blocks);

/// `nodes` nodes at most, the ranks on them at random.
hopscotch::schedules::Nodes random_nodes(int ranks, int nodes, std::mt19937& random);
