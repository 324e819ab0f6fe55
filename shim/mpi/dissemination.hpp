// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts together what all processes say, by messages, without waiting for any.
#pragma once

#include "shim/mpi/process_group.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace hopscotch::shim
{

/// Puts two words together, in a way that does not mind hearing the same process twice.
using Join = std::uint64_t (*)(std::uint64_t, std::uint64_t);

/// The larger one of two numbers with sign.
std::uint64_t larger(std::uint64_t one, std::uint64_t other);

/// Some words of all processes of a group, joined one by one as processes make progress: after k rounds every process
/// knows what it and the 2^k - 1 before it say. Several one after the other may have the same tag, if all processes
/// have them in the same order.
class Dissemination
{
  public:
    static constexpr std::size_t most_words = 8;

    /// `words`: `count` of them, as many on all processes and at most most_words. Local.
    Dissemination(std::shared_ptr<const ProcessGroup> group, int tag, const std::uint64_t* words, std::size_t count,
                  Join join);
    Dissemination(const Dissemination&) = delete;
    Dissemination& operator=(const Dissemination&) = delete;

    /// Does what can be done now; true once words() are those of all. It must be, before this goes. Throws: MpiError.
    bool advance();

    const std::uint64_t* words() const noexcept { return words_.data(); }

  private:
    void begin_round();

    using Words = std::array<std::uint64_t, most_words>;

    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::size_t count_;
    Join join_;
    Words words_{};
    Words sent_{}; // in this round
    Words received_{};
    int distance_ = 1; // to whom this round goes
    bool in_round_ = false;
    std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

} // namespace hopscotch::shim
