// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what the processes of a new communicator learn of each other in one collective.
#include "shim/graph/agreement.hpp"

#include <algorithm>
#include <climits>

namespace hopscotch::shim
{

void join(Agreement& agreed, const Agreement& others) noexcept
{
    const auto sum =
        static_cast<std::uint64_t>(agreed[Field::imbalance]) + static_cast<std::uint64_t>(others[Field::imbalance]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Field::count); ++i)
        agreed.values[i] = std::max(agreed.values[i], others.values[i]);
    agreed[Field::imbalance] = static_cast<std::int64_t>(sum);
}

std::int64_t encode_root(std::int64_t degree, int rank) noexcept
{
    return (degree << 32) | static_cast<std::int64_t>(INT_MAX - rank);
}

int decode_root(std::int64_t code) noexcept
{
    return INT_MAX - static_cast<int>(code & 0xffffffff);
}

} // namespace hopscotch::shim
