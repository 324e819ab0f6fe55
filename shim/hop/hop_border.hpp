// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The frame of every Hop_ function: the border to C.
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
