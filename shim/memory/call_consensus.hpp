// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of one communicator agree between its calls, where no collective of the MPI library may be made.
#pragma once

#include "shim/memory/segment.hpp"
#include "shim/mpi/consensus.hpp"
#include "shim/mpi/process_group.hpp"

#include <memory>

namespace hopscotch::shim
{

/// In memory where all processes share the segment, else by messages with this tag. `segment`: of the communicator,
/// null where it has none. One at a time for a segment. Local.
std::unique_ptr<Consensus> make_call_consensus(std::shared_ptr<const ProcessGroup> group, int tag,
                                               std::shared_ptr<Segment> segment);

} // namespace hopscotch::shim
