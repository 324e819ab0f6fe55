// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares the calls of a process with those that its neighbors announce: if two processes carry the same call by
// different algorithms, one waits for messages that nobody sends.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace hopscotch::schedules
{

/// Added to the algorithm of a call whose blocks take the memory for large ones.
constexpr std::uint64_t with_large_blocks = 16;

/// A call as a process makes it. All processes number the calls of a series alike.
struct NumberedCall {
    std::uint64_t series = 0;
    std::uint64_t number = 0;
    std::uint64_t algorithm = 0; // and with_large_blocks
    std::uint64_t block_bytes = 0;

    bool same_call(const NumberedCall& other) const noexcept
    {
        return series == other.series && number == other.number;
    }
};

/// A neighbor's call and the same of this process, under different algorithms.
struct Mismatch {
    int rank = 0;
    NumberedCall theirs;
    NumberedCall own;
};

class NumberedCalls
{
  public:
    /// Remembers a nonblocking call for a while: a neighbor may wait in it after this process has left it.
    void remember(const NumberedCall& call);

    /// A neighbor says that it is in this call.
    void hear(int rank, const NumberedCall& theirs);

    /// Compares the announcements with a call in which this process waits, and with those remembered. Neighbors in
    /// other calls have not come to these yet, or have left them.
    std::optional<Mismatch> mismatch(const NumberedCall& waiting) const;

  private:
    std::deque<NumberedCall> recent_;                // nonblocking calls
    std::deque<std::pair<int, NumberedCall>> heard_; // sender and call of each announcement
};

} // namespace hopscotch::schedules
