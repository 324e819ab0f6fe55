// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Who called: return addresses of the application's functions, and their names on demand; needs no library to be
// present.
#pragma once

#include <string>
#include <vector>

namespace hopscotch::shim
{

/// Return addresses of the calling functions, innermost first, at most `most` of them. Frames of this library, of the
/// MPI library and of the program's start-up code are left out. Empty when the stack cannot be read. One list per
/// place, which stays; the same place gives the same address. Cost: about a microsecond once the place is known; the
/// first call loads libunwind.
const std::vector<void*>& capture_stack(int most) noexcept;

/// The same for places that call again and again: of the stack the innermost frames, some sixteen.
const std::vector<void*>& known_call_site() noexcept;

/// One text per address: "function (file:line)" with debug information, else "function (object+0x1f)", "??
/// (object+0x1f)". The offset is that of the call and is what `addr2line -e object` takes. The list ends with main,
/// where main is among the addresses. C++ names are demangled, gfortran's module procedures read "module::procedure".
/// Cost: milliseconds, and reads the symbols of the objects concerned: for the few places that reach the report.
std::vector<std::string> describe(const std::vector<void*>& addresses) noexcept;

} // namespace hopscotch::shim
