// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Captures who called: the return addresses on the stack, one list for each site, of which some are the program's.
#pragma once

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// Return addresses on the stack, innermost first, of the innermost functions. Empty when the stack cannot be read. One
/// list per place, which stays; the same place gives the same address. Cost: about a microsecond, more the first time
/// at each place.
const std::vector<void*>& capture_call_site() noexcept;

/// Those of the program among them, at most sixteen: frames of this library, of the MPI library and of the program's
/// start-up code are left out. Cost: microseconds in programs of many libraries, so as late as there is a report.
std::vector<void*> frames_of_the_program(std::vector<void*> site);

/// The instruction before the one an address returns to: inside the call, so inside the line that makes it.
inline const void* call_of(const void* return_address) noexcept
{
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(return_address) - 1);
}

} // namespace hopscotch::shim
