// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names the functions and lines of the program that return addresses lie in; needs no library to be present.
#pragma once

#include <string>
#include <vector>

namespace hopscotch::shim
{

/// One text per address: "function (file:line)" with debug information, else "function (object+0x1f)", "??
/// (object+0x1f)". The offset is that of the call, in the form for `addr2line -e object`. The list ends with main, if
/// main is among the addresses. C++ names are demangled, gfortran's module procedures read "module::procedure". Cost:
/// milliseconds, and reads the symbols of the objects: only for the few places in the report.
std::vector<std::string> describe(const std::vector<void*>& addresses) noexcept;

} // namespace hopscotch::shim
