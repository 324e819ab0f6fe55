// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Enumerates the MPI functions of calls.def, with their names.
#pragma once

#include <cstddef>

namespace hopscotch::shim
{

enum class Call : unsigned char {
#define CALL(name, family) name,
#include "shim/mpi/calls.def"
};

enum class Family : unsigned char { environment, topology, neighborhood, completion, collective, used };

constexpr std::size_t call_count = 0
#define CALL(name, family) +1
#include "shim/mpi/calls.def"
    ;

/// "MPI_Neighbor_alltoall" for Call::MPI_Neighbor_alltoall. Never freed.
inline const char* name(Call call) noexcept
{
    static constexpr const char* names[] = {
#define CALL(name, family) #name,
#include "shim/mpi/calls.def"
    };
    return names[static_cast<std::size_t>(call)];
}

/// True if the call is carried among all processes of a communicator, not among neighbors.
inline bool is_global(Call call) noexcept
{
    return call == Call::MPI_Allgather || call == Call::MPI_Allgather_c;
}

} // namespace hopscotch::shim
