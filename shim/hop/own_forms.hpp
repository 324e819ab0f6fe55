// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Defines functions of ours that have the parameters of collectives of MPI, by rows like those for these.
#pragma once

#include "shim/hop/hop_neighborhood.hpp"
#include "shim/mpi/signatures.hpp"

/// Defines the function `name`. `...` carries it in the form `call_form`.
#define HOPSCOTCH_OWN(name, call_form_, parameters, arguments, ...)                                                    \
    int name parameters                                                                                                \
    {                                                                                                                  \
        const CallForm call_form = call_form_;                                                                         \
        return __VA_ARGS__;                                                                                            \
    }

/// Two forms of one operation, with int counts, and all three.
#define OWN_BOTH(signature, blocking, nonblocking)                                                                     \
    BLOCKING_FORM(HOPSCOTCH_OWN, signature, int, blocking) NONBLOCKING_FORM(HOPSCOTCH_OWN, signature, int, nonblocking)
#define OWN_FORMS(signature, ...) FORMS(HOPSCOTCH_OWN, signature, int, __VA_ARGS__)

/// MPI has no such collective: every source block has a type of its own.
#define OF_ALLGATHERW(form, name, Count, parameters, arguments)                                                        \
    form(name,                                                                                                         \
         (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],        \
          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm parameters),                         \
         (sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, comm arguments),                      \
         EXCHANGED(SingleBlock{sendbuf, sendcount, sendtype}, GeneralBlocks{recvbuf, recvcounts, rdispls, recvtypes}))
