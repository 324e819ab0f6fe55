// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/choice.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

SizeClass size_class(std::size_t block_bytes, std::size_t first, const std::vector<std::size_t>& limits) noexcept
{
    SizeClass result{0, first};
    while (result.high < block_bytes) {
        result.low = result.high + 1;
        result.high = 2 * result.high + 1;
    }
    for (const std::size_t limit : limits) {
        if (limit == 0) // nothing, or nothing but empty blocks
            continue;
        if (block_bytes <= limit)
            result.high = std::min(result.high, limit);
        else
            result.low = std::max(result.low, limit + 1);
    }
    return result;
}

SizeClass side_of(std::size_t limit, std::size_t block_bytes) noexcept
{
    return block_bytes <= limit ? SizeClass{0, limit} : SizeClass{limit + 1, every_size().high};
}

SizeClass every_size() noexcept
{
    return {0, std::numeric_limits<std::size_t>::max()};
}

std::string name(const Choice& choice)
{
    return name(choice.algorithm) + (choice.groups.empty() ? "" : " " + to_string(choice.groups));
}

bool same_way(const Choice& one, const Choice& other) noexcept
{
    return one.algorithm == other.algorithm && one.groups == other.groups;
}

ExchangeKind kind_of(const Choice& choice) noexcept
{
    switch (choice.algorithm) {
    case Algorithm::combining:
        if (choice.groups.empty())
            return ExchangeKind::combining;
        return splits(choice.groups) ? ExchangeKind::combining_split : ExchangeKind::combining_grouped;
    case Algorithm::merged:
        return ExchangeKind::merged;
    case Algorithm::shared:
        return ExchangeKind::shared;
    case Algorithm::aggregated:
        return ExchangeKind::aggregated;
    case Algorithm::trivial:
    case Algorithm::automatic:
    case Algorithm::native:
        break;
    }
    return ExchangeKind::trivial;
}

std::uint64_t bit_of(const Choice& choice) noexcept
{
    if (choice.groups.empty())
        return std::uint64_t{1} << static_cast<unsigned>(choice.algorithm);
    return std::uint64_t{1} << (algorithm_count + (splits(choice.groups) ? 1 : 0));
}

} // namespace hopscotch::schedules
