// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts communicators that went away without a call, by the site that makes them: the next ones are set up later.
#pragma once

#include <cstdint>

namespace hopscotch::shim
{

/// So many and not one with a call, and the next one is not set up before a call asks for it.
constexpr std::int64_t unused_before_lazy = 8;

/// A communicator made at this place is used for the first time, or goes away. Local.
void note_use(std::uint64_t site) noexcept;
void note_end(std::uint64_t site) noexcept;

/// The number of graphs made there that were freed unused; 0 once one was used. Local.
std::int64_t unused_so_far(std::uint64_t site);

} // namespace hopscotch::shim
