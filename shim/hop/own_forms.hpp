// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Defines functions of ours that have the parameters of collectives of MPI, by rows like those for these.
#pragma once

#include "shim/hop/hop_neighborhood.hpp"
#include "shim/mpi/signatures.hpp"

/// Defines the function `name`. `...` carries it in the form `call_form`.
#define HOPSCOTCH_OWN(name, parameters, call_form_, ...)                                                               \
    int name parameters                                                                                                \
    {                                                                                                                  \
        const CallForm call_form = call_form_;                                                                         \
        return __VA_ARGS__;                                                                                            \
    }

#define HOPSCOTCH_OWN_BLOCKING(name, parameters, arguments, ...) HOPSCOTCH_OWN(name, parameters, {}, __VA_ARGS__)
#define HOPSCOTCH_OWN_NONBLOCKING(name, parameters, arguments, ...)                                                    \
    HOPSCOTCH_OWN(name, parameters, (CallForm{Completion::nonblocking, request}), __VA_ARGS__)
#define HOPSCOTCH_OWN_PERSISTENT(name, parameters, arguments, ...)                                                     \
    HOPSCOTCH_OWN(name, parameters, (CallForm{Completion::persistent, request, info}), __VA_ARGS__)

/// Two forms of one operation, with int counts, and all three.
#define OWN_BOTH(signature, blocking, nonblocking)                                                                     \
    HOPSCOTCH_BLOCKING(HOPSCOTCH_OWN_BLOCKING, signature, int, blocking)                                               \
    HOPSCOTCH_NONBLOCKING(HOPSCOTCH_OWN_NONBLOCKING, signature, int, nonblocking)
#define OWN_FORMS(signature, blocking, nonblocking, persistent)                                                        \
    OWN_BOTH(signature, blocking, nonblocking)                                                                         \
    HOPSCOTCH_PERSISTENT(HOPSCOTCH_OWN_PERSISTENT, signature, int, persistent)

/// MPI has no such collective: every source block has a type of its own.
#define OF_ALLGATHERW(form, name, Count, parameters, arguments)                                                        \
    form(name,                                                                                                         \
         (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],        \
          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm parameters),                         \
         (sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, comm arguments),                      \
         EXCHANGED(SingleBlock{sendbuf, sendcount, sendtype}, GeneralBlocks{recvbuf, recvcounts, rdispls, recvtypes}))
