// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what is chosen: an algorithm for blocks of some sizes, and what is known of a collective without looking at a
// call.
#pragma once

#include "schedules/neighborhood.hpp"
#include "schedules/size_class.hpp"
#include "shim/base/settings.hpp"

#include <cstddef>
#include <limits>
#include <string>

namespace hopscotch::shim
{

using schedules::SizeClass;

/// Whether every destination gets the same block.
bool is_allgather(Collective collective) noexcept;

/// The same in the words of the schedules.
schedules::Blocks blocks_of(Collective collective) noexcept;

/// Whether all blocks have one size that all processes know.
[[gnu::hot]] bool is_regular(Collective collective) noexcept;

/// Whether blocks rest at processes that must send them on.
bool forwards(Algorithm algorithm) noexcept;

/// What carries blocks of some sizes, and for `native` why it is not another algorithm.
struct Choice {
    Algorithm algorithm = Algorithm::native;
    std::string reason;
    /// Blocks above it travel directly even so; of the collectives with varying block sizes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();
    SizeClass sizes = schedules::every_size();
};

} // namespace hopscotch::shim
