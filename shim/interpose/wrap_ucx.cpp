// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// UCX's progress function: every blocking call of MPICH over UCX polls through it, and so advances our operations.
#include "shim/group/progress.hpp"

#include <dlfcn.h>

namespace
{

using Progress = unsigned (*)(void*);

Progress find_behind()
{
    void* found = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (found == nullptr) // UCX came with an MPI library loaded out of the global scope
        if (void* library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD))
            found = dlsym(library, "ucp_worker_progress");
    return reinterpret_cast<Progress>(found);
}

} // namespace

extern "C" unsigned ucp_worker_progress(void* worker);

/// We act after UCX has returned, never inside one of its callbacks.
extern "C" unsigned ucp_worker_progress(void* worker)
{
    static const Progress behind = find_behind();
    const unsigned events = behind(worker);
    hopscotch::shim::drive_from_library();
    return events;
}
