// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what is chosen: an algorithm for a class of block sizes.
#pragma once

#include "schedules/plan/algorithm.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// Blocks of [low, high] bytes, which one choice serves.
struct SizeClass {
    std::size_t low = 0;
    std::size_t high = 0;

    bool holds(std::size_t block_bytes) const noexcept { return block_bytes - low <= high - low; }
    bool operator==(const SizeClass& other) const noexcept { return low == other.low && high == other.high; }
    bool all() const noexcept { return low == 0 && high == std::numeric_limits<std::size_t>::max(); }
};

/// Sizes below the next power of two, from those of up to `first` bytes on; cut at the limits above which an algorithm
/// cannot carry blocks.
SizeClass size_class(std::size_t block_bytes, std::size_t first, const std::vector<std::size_t>& limits) noexcept;

/// Those up to the limit, or those above it.
SizeClass side_of(std::size_t limit, std::size_t block_bytes) noexcept;

/// All sizes are one class: where a process cannot tell the size of the others' blocks.
SizeClass every_size() noexcept;

/// What carries blocks of some sizes, and for `native` why it is not another algorithm.
struct Choice {
    Algorithm algorithm = Algorithm::native;
    std::string reason;
    /// Blocks above it travel directly even so; of the collectives with varying block sizes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();
    SizeClass sizes = every_size();
};

} // namespace hopscotch::schedules
