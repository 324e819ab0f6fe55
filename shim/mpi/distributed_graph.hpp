// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the lists and weights of a distributed graph, and makes a communicator of such.
#pragma once

#include "shim/mpi/next.hpp"

#include <vector>

namespace hopscotch::shim
{

/// MPI_UNWEIGHTED of the MPI library in the process: a data symbol with some libraries, and this one refers to none.
const int* unweighted() noexcept;

/// Neighbors of a process and what the edges to them weigh. Shape: of the weights, as of the ranks.
struct WeightedLists {
    std::vector<int> sources, source_weights, destinations, destination_weights;
    bool weighted = false; // else the weights mean nothing
};

/// Those of this process, as the library has them. Local. Throws: MpiError.
WeightedLists weighted_lists(MPI_Comm distributed_graph);

/// A distributed graph of these processes, in their order. Collective: over processes. Throws: MpiError.
MPI_Comm make_distributed_graph(MPI_Comm processes, WeightedLists lists, MPI_Info info);

} // namespace hopscotch::shim
