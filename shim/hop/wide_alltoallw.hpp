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

using WideBlocks = GeneralBlocks<int, MPI_Aint>;
using WideBuffers = Buffers<WideBlocks, WideBlocks>;

/// The collective in the form asked for. The send buffer may be MPI_IN_PLACE. Argument arrays may change after the
/// call. Throws: Refused for a request as demand_request does; MpiError.
int wide_alltoallw(MPI_Comm comm, const CallForm& call_form, const WideBuffers& buffers);

} // namespace hopscotch::shim
