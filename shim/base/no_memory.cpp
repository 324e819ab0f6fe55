// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives this library its own operators new and delete, which throw NoMemory; the program keeps its own.
#include "shim/base/no_memory.hpp"

#include <cstdlib>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t bytes)
{
    if (void* const memory = std::malloc(bytes > 0 ? bytes : 1))
        return memory;
    throw hopscotch::shim::NoMemory();
}

void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    void* memory = nullptr;
    if (posix_memalign(&memory, static_cast<std::size_t>(alignment), bytes > 0 ? bytes : 1) == 0)
        return memory;
    throw hopscotch::shim::NoMemory();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}

#endif
