// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The bytes of the heap that are in use: those that a call leaves are seen.
#pragma once

#include <cstddef>
#include <malloc.h>

/// 0 under a sanitizer, which has a heap of its own.
inline std::size_t allocated_bytes() noexcept
{
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}
