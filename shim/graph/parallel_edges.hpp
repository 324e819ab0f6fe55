// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds which of several edges between two processes ends in which slot: learned from the MPI library, or by the
// standard.
#pragma once

#include "shim/graph/graph.hpp"

#include <vector>

namespace hopscotch::shim
{

/// Learns from the native library which parallel edge ends in which slot, for every kind of call that can be asked.
/// Collective: over comm.
void learn_parallel_edges(MPI_Comm comm, Graph& graph);

/// The order of the standard: on graphs the k-th edge to a process matches its k-th edge from it, on Cartesian
/// communicators block s lands in slot s^1. Source: MPI 4.1, 8.6.
std::vector<int> standard_order(const schedules::Edges& edges, bool cartesian);

} // namespace hopscotch::shim
