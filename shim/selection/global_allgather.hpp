// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses for MPI_Allgather on communicators with a topology: among all processes, as MPI says, by what is known of
// them.
#pragma once

#include "shim/selection/choice.hpp"

namespace hopscotch::shim
{

/// Combining goes over the process grid as a torus, shared memory is for processes of one node; everything else is left
/// to the MPI library. Local; every process of the graph gets the same.
Choices choose_global_allgather(const Graph& graph, const Settings& settings, const Abilities& abilities);

} // namespace hopscotch::shim
