// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A choice: an algorithm for a class of block sizes.
#pragma once

#include "schedules/message/tags.hpp"
#include "schedules/plan/algorithm.hpp"
#include "schedules/plan/routing.hpp"
#include "schedules/selection/reasons.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// Blocks of [low, high] bytes, served by one choice.
struct SizeClass {
    std::size_t low = 0;
    std::size_t high = 0;

    bool holds(std::size_t block_bytes) const noexcept { return block_bytes - low <= high - low; }
    bool operator==(const SizeClass& other) const noexcept { return low == other.low && high == other.high; }
    bool all() const noexcept { return low == 0 && high == std::numeric_limits<std::size_t>::max(); }
};

/// Classes end below the powers of two; the first one holds sizes of up to `first` bytes. `limits`, the largest blocks
/// that algorithms can carry, cut classes in two.
SizeClass size_class(std::size_t block_bytes, std::size_t first, const std::vector<std::size_t>& limits) noexcept;

/// The sizes up to the limit, or those above it: the side on which `block_bytes` is.
SizeClass side_of(std::size_t limit, std::size_t block_bytes) noexcept;

/// All sizes are one class, if a process cannot tell the size of the others' blocks.
SizeClass every_size() noexcept;

/// The algorithm for blocks of some sizes, and for `native` the reason.
struct Choice {
    Algorithm algorithm = Algorithm::native;
    Reason reason;
    /// Larger blocks travel directly even so; of the collectives with varying block sizes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();
    SizeClass sizes = every_size();
    /// By which combined blocks travel; none: as HOPSCOTCH_COMBINING says, or by the paper's schedule.
    std::vector<Group> groups = {};
};

/// "merged", "combining 0:2/1:2": the algorithm, with the groups that it names.
std::string name(const Choice& choice);

/// True if both carry calls in the same way.
bool same_way(const Choice& one, const Choice& other) noexcept;

/// The kind of exchanges that carry calls by this choice. Requires: the algorithm is neither automatic nor native.
ExchangeKind kind_of(const Choice& choice) noexcept;

/// One bit, for processes to agree on the way of a call: each algorithm and each of the three ways to combine has one.
std::uint64_t bit_of(const Choice& choice) noexcept;

} // namespace hopscotch::schedules
