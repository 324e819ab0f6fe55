// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Frames every exported MPI function: both names, one action. Each name is one jump through a table, so that no
// argument is touched on the way.
#pragma once

#include "shim/mpi/next.hpp"
#include "shim/mpi/signatures.hpp"

#include <atomic>
#include <type_traits>

namespace hopscotch::shim
{

/// Targets of MPI_X and PMPI_X. At first, functions that look for the MPI library. Then the MPI library's own function,
/// or the tool that comes after this library: a call passes with whole registers, since handles of another family are
/// of another size. Once the family is proven, the function of this library.
struct Entries {
    Functions shown; // MPI_X
    Functions base;  // PMPI_X
};
extern Entries entries;

/// Looks for the MPI library and fills the table: functions without handles act, others pass.
void fill_entries() noexcept;

/// False if the MPI library's handles are not those of the compilation: then nothing of MPI may be called. The first
/// call finds out, and puts the functions of this library into the table, or none.
/// Requires: MPI has started.
bool ask_for_family() noexcept;
extern std::atomic<bool> family_is_proven;

inline bool prove_family() noexcept
{
    return family_is_proven || ask_for_family();
}

/// Fills the table unless that has been done. An exported function called first does so.
inline void require_functions() noexcept
{
    if (abi_behind == Abi::unknown)
        fill_entries();
}

/// The action of each exported function; HOPSCOTCH_WRAP defines it in the wrap_ files.
namespace act
{
#define CALL(name, family) [[gnu::hot]] std::remove_pointer_t<decltype(Functions::name)> name;
#define USED(name)
#include "shim/mpi/calls.def"
} // namespace act

} // namespace hopscotch::shim

/// Defines MPI_X, `name`, and PMPI_X, and opens the body of their action. MPI_X hands the call to another tool that
/// comes after this library in the search order; it then comes back through PMPI_X. So each call is handled once, by
/// the last layer above the MPI library, in any order of preloaded tools.
#define HOPSCOTCH_WRAP(name, parameters, arguments)                                                                    \
    HOPSCOTCH_EXPORT(name, parameters, arguments, entries.shown, entries.base)                                         \
    int hopscotch::shim::act::name parameters
