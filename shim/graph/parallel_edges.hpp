// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns from the MPI library the receive slot of each of several edges between two processes.
#pragma once

#include "shim/graph/graph.hpp"

namespace hopscotch::shim
{

/// Learns from the native library the slot in which each parallel edge ends, for every kind of call.
/// Collective: over comm.
void learn_parallel_edges(MPI_Comm comm, Graph& graph);

} // namespace hopscotch::shim
