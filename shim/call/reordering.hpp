// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes a communicator with a topology once more, with its ranks mapped to the nodes of its processes.
#pragma once

#include "shim/graph/detection.hpp"

namespace hopscotch::shim
{

/// Whether this process wants ranks of a communicator to be mapped, which it makes by that function with that argument
/// `reorder`; the info key "hopscotch_reorder" goes before HOPSCOTCH_REORDER. Local.
Reordering wanted_reordering(Call created_by, int reorder, MPI_Info info);

/// The same topology on the same processes with fewer edges between nodes; MPI_COMM_NULL where ranks stay as they are.
/// graph.reorder says either way what was done, and why. `consensus`: over the communicator that was looked at.
/// Requires: detected.may_reorder. Collective: over it. Throws: MpiError.
MPI_Comm reordered(CollectiveConsensus& consensus, const Detected& detected, MPI_Info info);

} // namespace hopscotch::shim
