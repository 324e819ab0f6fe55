// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a call of MPI_Alltoallv or MPI_Alltoallw, in any form, to the graph of its blocks or to the MPI library.
#pragma once

#include "shim/call/neighborhood_call.hpp"
#include "shim/call/requests.hpp"
#include "shim/sparse/block_arguments.hpp"

namespace hopscotch::shim
{

/// A call of the program.
struct SparseCall {
    Call call;
    CallForm form;
    const NativeMoved& native;
    BlockArguments send;
    BlockArguments receive;
    MPI_Comm comm;
};

/// Carries it, or passes it on and counts the reason. Returns its code.
[[gnu::hot]] int run_sparse(SparseCall&& call);

} // namespace hopscotch::shim
