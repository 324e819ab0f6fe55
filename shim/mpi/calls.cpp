// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Enumerates the MPI functions of calls.def, with their names.
#include "shim/mpi/calls.hpp"

namespace hopscotch::shim
{

const char* name(Call call) noexcept
{
    static constexpr const char* names[] = {
#define CALL(name, family) "MPI_" #name,
#include "shim/mpi/calls.def"
#undef CALL
    };
    return names[static_cast<std::size_t>(call)];
}

bool is_global(Call call) noexcept
{
    return call == Call::Allgather || call == Call::Allgather_c;
}

} // namespace hopscotch::shim
