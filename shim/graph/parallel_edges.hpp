// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns from the MPI library which of several edges between two processes ends in which slot.
#pragma once

#include "shim/graph/graph.hpp"

namespace hopscotch::shim
{

/// Learns from the native library which parallel edge ends in which slot, for every kind of call that can be asked.
/// Collective: over comm.
void learn_parallel_edges(MPI_Comm comm, Graph& graph);

} // namespace hopscotch::shim
