// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Asks for lines of the cache that are about to be written, and that another process has read last.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopscotch::shim
{

/// Asks for the lines of some bytes of shared memory before they are written: they come side by side, while stores wait
/// for one after the other. Not of many bytes: a long copy keeps ahead of itself.
inline void prefetch_for_write(const void* begin, std::size_t bytes) noexcept
{
    constexpr std::uintptr_t line_bytes = 64;
    constexpr std::size_t most_bytes = 16384;
    if (bytes > most_bytes)
        return;
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    for (std::uintptr_t at = first / line_bytes * line_bytes; at < first + bytes; at += line_bytes) {
#if defined(__x86_64__)
        // Compilers for any x86-64 turn __builtin_prefetch into a request for reading.
        asm volatile("prefetchw (%0)" : : "r"(at));
#else
        __builtin_prefetch(reinterpret_cast<const void*>(at), 1);
#endif
    }
}

} // namespace hopscotch::shim
