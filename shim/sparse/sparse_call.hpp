// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a call of MPI_Alltoallv or MPI_Alltoallw, in any form, to the graph of its blocks or to the MPI library.
#pragma once

#include "schedules/plan/algorithm.hpp"
#include "shim/blocks/staged_buffers.hpp"
#include "shim/mpi/calls.hpp"
#include "shim/sparse/block_arguments.hpp"

namespace hopscotch::shim
{

/// The MPI library's function with the arguments of a call, its buffers moved. Refers to a function object.
class NativeSparse
{
  public:
    template <class Function>
    explicit NativeSparse(const Function& function) noexcept : function_(&function), call_(called<Function>)
    {
    }

    int operator()(const Shifts& by = {}) const { return call_(function_, by); }

  private:
    template <class Function>
    [[gnu::hot]] static int called(const void* function, const Shifts& by)
    {
        return (*static_cast<const Function*>(function))(by);
    }

    const void* function_;
    int (*call_)(const void* function, const Shifts& by);
};

/// A call of the program.
struct SparseCall {
    Call call;
    schedules::Completion completion;
    NativeSparse native;
    BlockArguments send;
    BlockArguments receive;
    MPI_Comm comm;
    MPI_Request* request; // null: a blocking call
};

/// Carries it, or passes it on and counts the reason. Returns its code.
[[gnu::hot]] int carry(SparseCall& call);

/// Takes the arguments of the MPI function: of all forms, with int and with large counts.
struct SparseForm {
    Call call;
    schedules::Completion completion;
    NativeSparse native;

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
        return carry(made);
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
