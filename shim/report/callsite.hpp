// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Captures call sites: the return addresses on the stack, one list for each site, with those of the program among
// others.
#pragma once

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// Return addresses on the stack, innermost first, of the innermost functions. Empty if the stack cannot be read. There
/// is one permanent list per place, so the same place gives the same address. Cost: 0.1 microseconds at a place where
/// this thread was lately, up to three at others, 80 the first time.
[[gnu::noinline]] const std::vector<void*>& capture_call_site() noexcept;

/// The program's addresses among them, at most sixteen: frames of this library, of the MPI library and of the program's
/// start-up code are left out. Cost: microseconds in programs of many libraries, so the caller does it only for a
/// report.
std::vector<void*> frames_of_the_program(std::vector<void*> site);

/// The instruction before the one an address returns to: inside the call, so inside the line that makes it.
inline const void* call_of(const void* return_address) noexcept
{
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(return_address) - 1);
}

} // namespace hopscotch::shim
