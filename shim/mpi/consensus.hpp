// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets processes agree on numbers, whatever carries them: every decision that a group takes together comes from here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopscotch::shim
{

/// All functions are collective over the processes of the consensus, which call them in the same order with as many
/// values each. Nobody leaves before all have come; then all leave with the same values. They need no memory of ours.
/// Throws: MpiError.
class Consensus
{
  public:
    virtual ~Consensus() = default;

    /// Of each value the largest.
    virtual void maxima(std::int64_t* values, std::size_t count) = 0;

    /// Of each word the bits that are set on all processes.
    virtual void common_bits(std::uint64_t* words, std::size_t count) = 0;

    std::int64_t maximum(std::int64_t value);
    std::int64_t minimum(std::int64_t value);
    std::uint64_t common_bits(std::uint64_t word);

    /// Whether it is so on all processes.
    bool all(bool so);

    /// Whether all processes give the same value.
    bool all_equal(std::int64_t value);

  protected:
    Consensus() = default;
    Consensus(const Consensus&) = default;
    Consensus& operator=(const Consensus&) = default;
};

} // namespace hopscotch::shim
