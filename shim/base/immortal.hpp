// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds objects shared by all of a process.
#pragma once

namespace hopscotch::shim
{

/// The one T of this process. Never destroyed: MPI may be called after our destructors would run.
template <class T>
T& immortal()
{
    static auto* one = new T;
    return *one;
}

} // namespace hopscotch::shim
