// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Attaches a record to a communicator with a topology that the program has made, or to a duplicate of one.
#pragma once

#include "shim/graph/detection.hpp"
#include "shim/mpi/next.hpp"

namespace hopscotch::shim
{

/// The algorithms requested by the info key "hopscotch_algorithm"; none if it is not set or, with a warning, no
/// algorithm. Local.
/// Throws: MpiError.
std::optional<Algorithms> asked_algorithms(MPI_Info info);

/// Detects the neighborhood of the new communicator and attaches a record to it. A failure of ours leaves the
/// communicator as the library made it. If the program may have allowed the mapping of ranks to nodes, *comm may become
/// another communicator. It replaces the original one, which is freed. Collective: over comm, right after the native
/// call that made it; MPI_COMM_NULL does nothing. `info`: may name the process grid under the key "hopscotch_dims". An
/// algorithm that it does not name under the key "hopscotch_algorithm" is the parent's.
void attach_record(Call created_by, MPI_Comm* comm, MPI_Comm parent, MPI_Info info,
                   Reordering reordering = Reordering::not_allowed);

/// Attaches a record to a blocking duplicate of `original`; its info keys hold unless `info` gives others. Collective:
/// over comm.
void attach_to_duplicate(Call created_by, MPI_Comm comm, MPI_Comm original, MPI_Info info);

/// Handles the requests of the program's MPI_Comm_set_info. A communicator with a record gets another one if all
/// processes give the same algorithms and these differ from its present ones; on any other communicator they are kept
/// for those that are made from it. Collective: over comm.
void take_info(MPI_Comm comm, MPI_Info info);

/// Runs the function given to set_preparation() on a communicator that has just been looked at. Collective: over comm.
void prepare_attached(MPI_Comm comm);
void set_preparation(void (*prepare)(MPI_Comm comm));

/// Like attach_record, for a private communicator with a neighborhood known from the start: lists, algorithms, and
/// topology and stencil if it is isomorphic; parallel edges match by the lists. Collective: over comm.
void attach_to_neighborhood(Call created_by, MPI_Comm comm, const Graph& graph);

} // namespace hopscotch::shim
