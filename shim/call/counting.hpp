// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts a call under the entry that carried it.
#pragma once

#include "shim/selection/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// Adds one call, begun at time stamp `begin`, to the counters of the entry. `native_bytes`: to other processes, of a
/// call that the native function carried, as far as that is known.
[[gnu::hot]] void count(SelectionEntry& entry, std::uint64_t begin, std::uint64_t native_bytes, int code) noexcept;

/// The same for a call that the native function carried, and how long it took.
[[gnu::hot]] void count_native(SelectionEntry& entry, std::uint64_t elapsed, std::uint64_t bytes, int code) noexcept;

/// The call itself, as count_native counts it, without its time and place.
void add_native_call(SelectionEntry& entry, std::uint64_t bytes, int code) noexcept;

/// The same for an operation that completed later, `elapsed` ticks of which the program spent in MPI.
[[gnu::hot]] void count_completed(SelectionEntry& entry, const Exchange& exchange, std::uint64_t elapsed,
                                  int code) noexcept;

/// Adds to the calls from one place of the program, and to the time they took.
void count_site(SelectionEntry& entry, const std::vector<void*>& place, std::uint64_t calls,
                std::uint64_t elapsed) noexcept;

} // namespace hopscotch::shim
