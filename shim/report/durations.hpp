// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts calls by their duration, in two classes for each power of two of a nanosecond.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>

namespace hopscotch::shim
{

/// Classes end at 2^k and 1.5 * 2^k ns. The first one holds all that is shorter than 32 ns, the last one all that takes
/// a minute or longer.
class Durations
{
  public:
    static constexpr std::size_t classes = 64;

    /// Cost: a nanosecond.
    void add(double nanoseconds) noexcept { ++calls_[class_of(nanoseconds)]; }

    std::uint64_t calls(std::size_t number) const noexcept { return calls_[number]; }

    /// The calls in each class that has some, by its end(). Throws: std::bad_alloc.
    std::map<std::uint64_t, std::uint64_t> by_end() const
    {
        std::map<std::uint64_t, std::uint64_t> found;
        for (std::size_t number = 0; number < classes; ++number)
            if (calls(number) > 0)
                found[end(number)] = calls(number);
        return found;
    }

    /// The class of a duration: exponent and first bit of the mantissa of the number are next to each other.
    static std::size_t class_of(double nanoseconds) noexcept
    {
        static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == sizeof(std::int64_t));
        std::int64_t bits = 0;
        std::memcpy(&bits, &nanoseconds, sizeof bits);
        return static_cast<std::size_t>(
            std::clamp<std::int64_t>((bits >> 51) - before_first, 0, static_cast<std::int64_t>(classes) - 1));
    }

    /// The end of a class. Units: nanoseconds; 0: it has none.
    static std::uint64_t end(std::size_t number) noexcept
    {
        if (number + 1 == classes)
            return 0;
        return std::uint64_t{number % 2 == 0 ? 2u : 3u} << (first_exponent - 1 + number / 2);
    }

  private:
    static constexpr int first_exponent = 5; // 2^5 ns
    static constexpr std::int64_t before_first = 2 * (1023 + first_exponent) - 1;

    std::array<std::uint64_t, classes> calls_{};
};

} // namespace hopscotch::shim
