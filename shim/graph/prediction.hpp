// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Predicts up to which block size aggregating between nodes pays.
#pragma once

#include "shim/graph/graph.hpp"
#include "shim/mpi/process_group.hpp"

namespace hopscotch::shim
{

/// Sets graph.aggregated_up_to from what merged, combining and aggregated messages ask of the busiest process and node.
/// Requires: graph.node_neighborhood. Collective: over the graph. Throws: MpiError.
/// Cost: that of planning each of them, and one allreduce.
void predict_aggregation(const Ground& ground, Graph& graph);

} // namespace hopscotch::shim
