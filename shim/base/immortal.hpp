// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds objects shared by all of a process.
#pragma once

#include <new>

namespace hopscotch::shim
{

/// The one T of this process. Never destroyed: MPI may be called after our destructors would run. In static memory: a
/// process without memory must not fail at its first look before it agrees with the others.
template <class T>
T& immortal()
{
    alignas(T) static unsigned char room[sizeof(T)];
    static auto* const one = new (room) T;
    return *one;
}

} // namespace hopscotch::shim
