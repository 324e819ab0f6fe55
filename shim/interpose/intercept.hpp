// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Frames every exported MPI function: both names, one action. Each name is one jump through a table, so that no
// argument is touched on the way.
#pragma once

#include "shim/mpi/next.hpp"

#include <type_traits>

namespace hopscotch::shim
{

/// Targets of MPI_X and PMPI_X. Until the MPI library has been looked for, functions that do so first; then what the
/// shim does, or the tool that comes after us, or (with an MPI library of another family, whose handles are of another
/// size) the MPI library's own function.
struct Entries {
    Functions shown; // MPI_X
    Functions base;  // PMPI_X
};
extern Entries entries;

/// Looks for the MPI library and fills the table. Where the library is of another family, says once that we stand
/// aside.
void fill_entries() noexcept;

/// The same unless it has been done: an exported function called first does so.
inline void require_functions() noexcept
{
    if (abi_behind == Abi::unknown)
        fill_entries();
}

/// What the shim does in each exported function; the definitions are HOPSCOTCH_WRAP's in the wrap_ files.
namespace act
{
#define CALL(name, family) [[gnu::hot]] std::remove_pointer_t<decltype(Functions::name)> name;
#define USED(name)
#include "shim/mpi/calls.def"
} // namespace act

} // namespace hopscotch::shim

/// Defines MPI_name and PMPI_name and opens the body of what they do. MPI_name hands the call to another tool when one
/// comes after us in the search order; it then comes back through PMPI_name. So each call is acted upon once, by the
/// last layer above the MPI library, whatever the order of preloaded tools.
#define HOPSCOTCH_WRAP(name, parameters, arguments)                                                                    \
    extern "C" [[gnu::hot]] int MPI_##name parameters                                                                  \
    {                                                                                                                  \
        return ::hopscotch::shim::entries.shown.name arguments;                                                        \
    }                                                                                                                  \
    extern "C" [[gnu::hot]] int PMPI_##name parameters                                                                 \
    {                                                                                                                  \
        return ::hopscotch::shim::entries.base.name arguments;                                                         \
    }                                                                                                                  \
    int hopscotch::shim::act::name parameters
