// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a call of MPI_Alltoallv or MPI_Alltoallw, in any form, to the graph of its blocks or to the MPI library.
#pragma once

#include "schedules/plan/algorithm.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/sparse/block_arguments.hpp"

namespace hopscotch::shim
{

/// A call of the program.
struct SparseCall {
    Call call;
    schedules::Completion completion;
    const NativeMoved& native;
    BlockArguments send;
    BlockArguments receive;
    MPI_Comm comm;
    MPI_Request* request; // null: a blocking call
};

/// Carries it, or passes it on and counts the reason. Returns its code.
[[gnu::hot]] int run_sparse(SparseCall& call);

/// Takes the arguments of the MPI function: of all forms, with int and with large counts.
struct SparseForm {
    Call call;
    schedules::Completion completion;
    const NativeMoved& native;

    template <class Count, class Displacement, class Types>
    int operator()(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls, Types sendtypes,
                   void* recvbuf, const Count* recvcounts, const Displacement* rdispls, Types recvtypes, MPI_Comm comm,
                   MPI_Request* request = nullptr) const
    {
        SparseCall made{call,
                        completion,
                        native,
                        {sendbuf, sendcounts, sdispls, sendtypes},
                        {recvbuf, recvcounts, rdispls, recvtypes},
                        comm,
                        request};
        return run_sparse(made);
    }

    template <class Count, class Displacement, class Types>
    int operator()(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls, Types sendtypes,
                   void* recvbuf, const Count* recvcounts, const Displacement* rdispls, Types recvtypes, MPI_Comm comm,
                   MPI_Info, MPI_Request* request) const
    {
        return (*this)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
    }
};

} // namespace hopscotch::shim
