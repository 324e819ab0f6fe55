// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns in the calls of one exchange whether large blocks are faster copied once or twice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace hopscotch::schedules
{

/// Once: receivers copy blocks from where they lie, by a call of the system. Twice: senders write them in memory that
/// both share, receivers read them there. Which is faster depends on the processor, its caches and what other cores do.
/// A few calls of each size class take turns, then the faster way stays. Processes with equal sizes are at the same
/// turn; the others each learn for themselves, since a receiver finds in the memory how each sender has decided.
class CopyTrials
{
  public:
    /// Whether the call that begins copies once. `bytes`: of all blocks that the process hands its neighbors. `usual`:
    /// what calls of a size do that is not tried.
    bool once(std::size_t bytes, bool usual) noexcept;

    /// Whether the time of the call for which once() was asked last is wanted.
    bool measures() const noexcept { return measured_ != nullptr; }

    /// The time that the process spent on copies in that call. True where its size class is decided by it. Requires:
    /// measures(). Units: any, always the same.
    bool note(std::uint64_t time) noexcept;

    /// Calls of a size class until it is decided; the first of each way only make memory and caches ready.
    static constexpr unsigned calls_of_trial = 8;

  private:
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    struct SizeClass {
        std::uint64_t once = none; // shortest time
        std::uint64_t twice = none;
        unsigned calls = 0;
    };

    /// Two in each octave, from the first bytes on.
    static constexpr std::size_t first_octave = 12;
    static constexpr std::size_t octaves = 20;
    std::array<SizeClass, 2 * octaves> classes_;
    SizeClass* measured_ = nullptr;
    bool once_ = false;
};

} // namespace hopscotch::schedules
