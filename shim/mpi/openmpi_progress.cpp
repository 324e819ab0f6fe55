// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's progress loop, in which every blocking call of Open MPI waits: asked to advance our operations as well.
#include "shim/mpi/progress.hpp"

#include <dlfcn.h>

namespace hopscotch::shim
{

void join_progress_loop() noexcept
{
    using Callback = int (*)();
    using Register = int (*)(Callback);
    static const Callback advance = [] {
        drive_from_library();
        return 0; // events seen: none that Open MPI must know of
    };
    const auto enlist_callback = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "opal_progress_register"));
    if (enlist_callback != nullptr && enlist_callback(advance) == 0)
        drive_from_library(); // it does from now on
}

} // namespace hopscotch::shim
