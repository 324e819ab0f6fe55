// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what the processes of a new communicator learn of each other in one collective.
#include "shim/graph/agreement.hpp"

#include <climits>

namespace hopscotch::shim
{

std::int64_t encode_root(std::int64_t degree, int rank) noexcept
{
    return (degree << 32) | static_cast<std::int64_t>(INT_MAX - rank);
}

int decode_root(std::int64_t code) noexcept
{
    return INT_MAX - static_cast<int>(code & 0xffffffff);
}

} // namespace hopscotch::shim
