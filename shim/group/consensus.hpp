// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets processes agree on numbers, over any transport: every decision that a group takes together comes from here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopscotch::shim
{

/// All functions are collective over the processes of the consensus, which call them in the same order with equally
/// many values. Nobody leaves before all have come; then all leave with the same values. Throws: MpiError.
class Consensus
{
  public:
    virtual ~Consensus() = default;

    /// For each value, the largest.
    virtual void maxima(std::int64_t* values, std::size_t count) = 0;

    std::int64_t maximum(std::int64_t value)
    {
        maxima(&value, 1);
        return value;
    }

    /// The complement reverses the order, also for the smallest number, which has no negative.
    std::int64_t minimum(std::int64_t value) { return ~maximum(~value); }

    /// True if it is so on all processes.
    bool all(bool so) { return minimum(so ? 1 : 0) != 0; }

    /// True if all processes give the same value.
    bool all_equal(std::int64_t value)
    {
        std::int64_t ends[] = {value, ~value};
        maxima(ends, 2);
        return ends[0] == ~ends[1];
    }

  protected:
    Consensus() = default;
    Consensus(const Consensus&) = default;
    Consensus& operator=(const Consensus&) = default;
};

} // namespace hopscotch::shim
