// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallw among all processes of a communicator, with displacements of type MPI_Aint, in every form.
#pragma once

#include "shim/hop/hop_neighborhood.hpp"

namespace hopscotch::shim
{

/// The number of processes that a process of comm exchanges blocks with in a collective: of the other group, if there
/// are two. Throws: MpiError.
int peers_in(MPI_Comm comm);

/// The collective in the form asked for. `sendbuf` may be MPI_IN_PLACE. Argument arrays may change after the call.
/// Throws: Refused for a request as demand_request does; MpiError.
int wide_alltoallw(const CallForm& call_form, const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                   const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts, const MPI_Aint* rdispls,
                   const MPI_Datatype* recvtypes, MPI_Comm comm);

} // namespace hopscotch::shim
