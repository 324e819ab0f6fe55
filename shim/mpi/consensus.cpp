// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets processes agree on numbers, whatever carries them: every decision that a group takes together comes from here.
#include "shim/mpi/consensus.hpp"

namespace hopscotch::shim
{

std::int64_t Consensus::maximum(std::int64_t value)
{
    maxima(&value, 1);
    return value;
}

/// The complement turns the order round, for the smallest number, too, which has no negative.
std::int64_t Consensus::minimum(std::int64_t value)
{
    return ~maximum(~value);
}

std::uint64_t Consensus::common_bits(std::uint64_t word)
{
    common_bits(&word, 1);
    return word;
}

bool Consensus::all(bool so)
{
    return minimum(so ? 1 : 0) != 0;
}

bool Consensus::all_equal(std::int64_t value)
{
    std::int64_t ends[] = {value, ~value};
    maxima(ends, 2);
    return ends[0] == ~ends[1];
}

} // namespace hopscotch::shim
