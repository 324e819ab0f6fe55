// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns by the place in the program how long its communicators are used: the next ones may be set up later.
#pragma once

#include "schedules/selection/agreement.hpp"
#include "schedules/selection/reasons.hpp"
#include "shim/base/settings.hpp"

#include <cstdint>
#include <optional>

namespace hopscotch::shim
{

/// After this number of communicators without a call, the next one is not set up before a call asks for it.
constexpr std::int64_t unused_before_lazy = 8;

/// After this number of communicators in a row with few calls, all of them blocking, the MPI library carries the first
/// calls of the next one.
constexpr std::int64_t brief_before_lazy = 2;

/// The most calls that are few: a set-up costs about as much as nine save, with 2 processes (docs/report.md).
constexpr std::size_t few_calls = 10;

/// The use of a communicator until it went away: no call, few_calls blocking ones at most, or others.
enum class Use { none, brief, lasting };

/// A communicator made at this place is used for the first time. Local.
void note_use(std::uint64_t site) noexcept;

/// A communicator made at this place makes a nonblocking or persistent call, or needs the set-up otherwise. Local.
void note_lasting_use(std::uint64_t site) noexcept;

/// A communicator made at this place goes away. Local.
void note_end(std::uint64_t site, Use use) noexcept;

/// The number of graphs made at this place that were freed unused; 0 once one was used. Local.
std::int64_t unused_so_far(std::uint64_t site);

/// The number of the last graphs made at this place that were freed after few calls. Local.
std::int64_t brief_so_far(std::uint64_t site);

/// The number of blocking calls that the MPI library carries on a new graph before it is set up; nothing if the set-up
/// is done at once. `agreed`: of all processes. A nonblocking call cannot set up a graph: a place with such calls sets
/// up at once, and so does one whose graph is known: `sends_no_message`. Algorithms that are asked for, and
/// comparisons, begin with the first call (ski rental: Karlin et al., "Competitive snoopy caching", 1988).
std::optional<std::size_t> calls_before_set_up(const schedules::Agreement& agreed, const Algorithms& algorithms,
                                               const Settings& settings, bool sends_no_message = false);

/// The reason of those calls: "called few times; from the 11th call on Hopscotch carries them" for 10 calls.
schedules::Reason reason_of_rented(std::size_t calls);

} // namespace hopscotch::shim
