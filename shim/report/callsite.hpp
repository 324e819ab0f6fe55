// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Captures who called: the return addresses of the program's functions on the stack, one list for each site.
#pragma once

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// Return addresses of the calling functions, innermost first, at most sixteen. Frames of this library, of the MPI
/// library and of the program's start-up code are left out. Empty when the stack cannot be read. One list per place,
/// which stays; the same place gives the same address. Cost: about a microsecond, more the first time at each place.
const std::vector<void*>& capture_call_site() noexcept;

/// The instruction before the one an address returns to: inside the call, so inside the line that makes it.
inline const void* call_of(const void* return_address) noexcept
{
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(return_address) - 1);
}

} // namespace hopscotch::shim
