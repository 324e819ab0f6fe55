// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells if tests may have one process read the memory of another.
#pragma once

#include "shim/base/process_memory.hpp"
#include "test/catch.hpp"

/// False, with a warning: an emulated system may have no such call, a container may forbid it.
inline bool memory_is_readable()
{
    const bool readable = hopscotch::shim::reads_memory_of(hopscotch::shim::own_memory_proof());
    if (!readable)
        WARN("not tried: this system lets no process read the memory of another");
    return readable;
}
