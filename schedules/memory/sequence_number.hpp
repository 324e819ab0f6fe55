// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers the calls that use the same memory, one after the other: the number of a turn.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopscotch::schedules
{

/// A call's place among those that use the same memory.
using SequenceNumber = std::uint64_t;

/// Calls that use the same memory take turns, one after the other; turn n uses buffer n % 2.
constexpr std::size_t buffers_per_stream = 2;

/// The buffer that a turn uses.
constexpr std::size_t place_of(SequenceNumber turn) noexcept
{
    return turn % buffers_per_stream;
}

/// The turn before the first. The words in memory hold 32 bits: so that they begin again at 0 in every run, not after
/// some billion calls, turns do not begin at 1.
constexpr SequenceNumber no_turn = (SequenceNumber{1} << 32) - 64;

/// True if the buffer of a turn has not been used before.
constexpr bool is_first_use(SequenceNumber turn) noexcept
{
    return turn <= no_turn + buffers_per_stream;
}

/// The word in memory for a turn: never 0, which means no turn yet, and different for turns that are less than some
/// billion apart.
constexpr std::uint32_t word_of(SequenceNumber turn) noexcept
{
    constexpr std::uint32_t for_zero = 0x80000000u;
    const auto word = static_cast<std::uint32_t>(turn);
    return word != 0 ? word : for_zero;
}

} // namespace hopscotch::schedules
