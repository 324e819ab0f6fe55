// The MPI functions behind the shim, found at run time: the library is not linked to MPI.
#pragma once

#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#endif
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX
#endif
#include <mpi.h>

#include <atomic>

namespace hopscotch::shim
{

/// One pointer per row of calls.def; null where the MPI library has no such function.
struct Functions {
#define CALL(name, family) decltype(&::MPI_##name) name;
#include "shim/calls.def"
#undef CALL
};

/// The MPI library's own functions (its PMPI_ names). All of our MPI calls go through here and nowhere else: calling a
/// PMPI_ function by name would end in our own export of it.
extern Functions next;

/// Another tool's MPI_ functions that come after ours in the search order; null where there is none. Our MPI_X hands
/// the call to it and acts when it comes back through PMPI_X, so each call is acted upon once, whatever the preload
/// order.
extern Functions tools;

/// Fills `next` and `tools` before the first use; every exported function asks for it.
/// Ends the process with one line on stderr when no MPI library is loaded, since the call cannot be answered.
void resolve_functions() noexcept;

extern std::atomic<bool> functions_resolved;

inline void require_functions() noexcept
{
    if (!functions_resolved.load(std::memory_order_acquire))
        resolve_functions();
}

} // namespace hopscotch::shim
