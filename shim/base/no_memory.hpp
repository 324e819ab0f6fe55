// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names the exception of operator new inside this library, so that its lack of memory differs from the program's.
#pragma once

#include <new>

namespace hopscotch::shim
{

// A sanitizer brings operators of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
using NoMemory = std::bad_alloc;
#else
/// An allocation of this library failed. A function of the program may throw std::bad_alloc, which this library must
/// not catch: see docs/contributing.md.
struct NoMemory : std::bad_alloc {
};
#endif

} // namespace hopscotch::shim
