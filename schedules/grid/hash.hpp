// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hashes numbers so that processes can compare long lists by one number: FNV-1a, with words instead of bytes.
#pragma once

#include <cstdint>

namespace hopscotch::schedules
{

constexpr std::uint64_t hash_begin = 0xcbf29ce484222325u;

inline std::uint64_t hash_with(std::uint64_t hash, std::uint64_t value) noexcept
{
    return (hash ^ value) * 0x100000001b3u;
}

/// The hash as a number that can be negated, so that a maximum of both signs tells if all processes have the same.
inline std::int64_t comparable(std::uint64_t hash) noexcept
{
    return static_cast<std::int64_t>(hash >> 1);
}

} // namespace hopscotch::schedules
