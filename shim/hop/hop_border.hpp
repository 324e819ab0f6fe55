// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The frame of every Hop_ function: the border to C; and the definitions of those with the parameters of collectives of
// MPI, by rows like those for these.
#pragma once

#include "shim/interpose/intercept.hpp"
#include "shim/mpi/comm_attribute.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <type_traits>

namespace hopscotch::shim
{

/// The body of a Hop_ function: nothing of ours that is thrown leaves it; errors other than refused arguments go
/// through the communicator's error handler. A body without a value succeeds.
template <class Body>
int bordered(MPI_Comm comm, Body&& body, const char* function = __builtin_FUNCTION())
{
    if (!prove_family())
        return MPI_ERR_UNSUPPORTED_OPERATION;
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    int refused = MPI_SUCCESS;
    const int code = guarded(function, comm, [&]() -> int {
        try {
            if constexpr (std::is_void_v<decltype(body())>) {
                body();
                return MPI_SUCCESS;
            } else {
                return static_cast<int>(body());
            }
        } catch (const Refused& error) {
            refused = error.code;
            return MPI_SUCCESS;
        }
    });
    return code != MPI_SUCCESS ? code : refused;
}

} // namespace hopscotch::shim

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
