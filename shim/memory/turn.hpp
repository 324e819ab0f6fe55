// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hands places in shared memory from the process that writes them to those that read them and back, turn by turn.
//
// docs/shared-memory.md tells the protocol; test/model/turns.pml proves it for two processes.
#pragma once

#include "schedules/memory/sequence_number.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hopscotch::shim
{

using schedules::buffers_per_stream;
using schedules::is_first_use;
using schedules::no_turn;
using schedules::place_of;
using schedules::SequenceNumber;
using schedules::word_of;

class Sleepers;

/// Says of which turn the content of a place is. One process publishes, others look. It begins as zeros: of no turn.
class Stamp
{
  public:
    /// What has been written before is of this turn. Requires: the place was free, and no reader sleeps.
    void publish(SequenceNumber turn) noexcept { word_.store(word_of(turn), std::memory_order_release); }

    /// The same, and wakes the readers that sleep.
    void publish(SequenceNumber turn, const Sleepers& sleepers) noexcept;

    /// Whether the content is of this turn: then it may be read until Readings::set_done.
    bool has(SequenceNumber turn) const noexcept { return has_word(word_of(turn)); }

    /// The same for who has asked word_of once for many stamps.
    bool has_word(std::uint32_t word) const noexcept { return word_.load(std::memory_order_acquire) == word; }

  private:
    friend class Sleepers;
    std::atomic<std::uint32_t> word_;
};

/// What a process says of itself: the last turn of each place in which it has read what it wanted from its neighbors.
/// It begins as zeros.
class alignas(64) Readings
{
  public:
    /// This process will read no more of what is of this turn.
    void set_done(SequenceNumber turn) noexcept
    {
        done_[place_of(turn)].store(word_of(turn), std::memory_order_release);
    }

    /// Whether a neighbor's place may be filled for this turn, as far as this process is concerned: it has read what
    /// stood there before. It cannot be further, since nobody has published what would come next.
    bool is_free(SequenceNumber turn) const noexcept
    {
        return is_first_use(turn) || last_done(turn) == word_of(turn - buffers_per_stream);
    }

    /// word_of the last turn that was done in the place of this one; 0: none.
    std::uint32_t last_done(SequenceNumber turn) const noexcept
    {
        return done_[place_of(turn)].load(std::memory_order_acquire);
    }

    /// This process asks one of its neighbors, by its index on the node, to send what it lends in this turn. One after
    /// the other in each place, and then Sleepers::count_ask.
    void ask(SequenceNumber turn, int process) noexcept
    {
        asked_[place_of(turn)].store(ask_of(turn, process), std::memory_order_release);
    }
    bool asks(SequenceNumber turn, int process) const noexcept
    {
        return asked_[place_of(turn)].load(std::memory_order_acquire) == ask_of(turn, process);
    }

  private:
    static std::uint64_t ask_of(SequenceNumber turn, int process) noexcept
    {
        return std::uint64_t{word_of(turn)} << 32 | static_cast<std::uint32_t>(process);
    }

    std::array<std::atomic<std::uint32_t>, buffers_per_stream> done_;
    std::array<std::atomic<std::uint64_t>, buffers_per_stream> asked_;
};

/// What others want of a process: how many sleep until it has published, and how often they have asked it to send what
/// it lends. It begins as zeros.
class alignas(64) Sleepers
{
  public:
    /// Whoever has not seen the count change need not look whether anyone asks.
    void count_ask() noexcept { asks_.fetch_add(1, std::memory_order_release); }
    std::uint32_t asks() const noexcept { return asks_.load(std::memory_order_acquire); }

    /// Sleeps until a stamp of that process is of this turn, someone wakes the thread, or a millisecond has passed:
    /// whoever waits must look again, and may give up where the process has ended.
    void sleep_until(Stamp& stamp, SequenceNumber turn) noexcept;

  private:
    friend class Stamp;
    std::atomic<std::uint32_t> count_;
    std::atomic<std::uint32_t> asks_;
};

} // namespace hopscotch::shim
