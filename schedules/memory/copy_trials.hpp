// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns in the calls of an exchange if large blocks are faster copied once or twice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace hopscotch::schedules
{

/// Once: receivers copy blocks directly from the sender's memory, by a call of the system. Twice: senders write them
/// into memory that both share, and receivers read them there. The faster way depends on the processor, its caches and
/// the load of other cores. Pairs of calls of each size class take turns, then the faster way stays. Only the second
/// call of a pair counts: it finds memory and caches as a call of the same way has left them. Processes with equal
/// sizes are at the same turn; the others each learn for themselves, since the memory shows a receiver the decision of
/// each sender. Programs run for hours, and a virtual machine moves its processors to other caches: if the way that
/// was chosen takes much longer than in its trials, these begin again.
class CopyTrials
{
  public:
    class Results;

    /// Several exchanges of one collective may share results, and so learn together. They must not advance at the same
    /// time in several threads. Null: once() may not be called.
    explicit CopyTrials(std::shared_ptr<Results> results) noexcept : results_(std::move(results)) {}

    /// True if the call that begins copies once. `bytes`: bytes of all blocks that the process sends its neighbors.
    /// `usual`: the answer for a size that is not tried.
    bool once(std::size_t bytes, bool usual) noexcept;

    /// True if the time of the call of the last once() is wanted: in trials, and now and then after them.
    bool measures() const noexcept { return measured_ != nullptr; }

    /// The shortest times of each way.
    struct Times {
        std::uint64_t once = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t twice = std::numeric_limits<std::uint64_t>::max();
    };

    /// Notes the time that the process spent in that call on copies, and on its wait for readers of lent blocks.
    /// Returns the times that decide the size class if this call completes its trials. Requires: measures().
    /// Units: any, always the same.
    std::optional<Times> note(std::uint64_t time) noexcept;

    /// Calls of a size class until it is decided.
    static constexpr unsigned calls_of_trial = 24;
    /// After so many calls the last ones of them are looked at; each time that trials begin again, the number doubles.
    static constexpr unsigned first_period = 64;
    static constexpr unsigned last_period = 1u << 16;
    static constexpr unsigned calls_looked_at = 8;

  private:
    struct SizeClass {
        Times times;
        unsigned calls = 0; // of the trials
        unsigned period = first_period;
        unsigned calls_of_period = 0;
        std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max(); // of the calls looked at in this period
    };

    static bool decided(const SizeClass& found) noexcept { return found.calls == calls_of_trial; }
    static void look_again(SizeClass& found, std::uint64_t time) noexcept;

    std::shared_ptr<Results> results_;
    SizeClass* measured_ = nullptr;
    bool once_ = false;
};

/// The results of trials for each size class, two in each octave, from the first bytes on.
class CopyTrials::Results
{
    friend CopyTrials;
    static constexpr std::size_t first_octave = 12;
    static constexpr std::size_t octaves = 20;
    std::array<SizeClass, 2 * octaves> classes_;
};

} // namespace hopscotch::schedules
