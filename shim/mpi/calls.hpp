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
#undef CALL
};

enum class Family : unsigned char { environment, topology, neighborhood, completion, collective, used };

constexpr std::size_t call_count = 0
#define CALL(name, family) +1
#include "shim/mpi/calls.def"
#undef CALL
    ;

/// "MPI_Neighbor_alltoall" for Call::Neighbor_alltoall. Never freed.
const char* name(Call call) noexcept;

/// Whether the call is carried among all processes of a communicator, not among neighbors.
[[gnu::hot]] bool is_global(Call call) noexcept;

} // namespace hopscotch::shim
