// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hands places in shared memory from the process that writes them to those that read them and back, turn by turn.
//
// docs/shared-memory.md tells the protocol; test/model/turns.pml proves it for two processes.
#pragma once

#include "schedules/memory/segment_layout.hpp"

#include <array>
#include <atomic>
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

/// Holds the turn of a place's content. One process publishes, others look. It begins as zeros: of no turn.
class Stamp
{
  public:
    /// The data written so far belongs to this turn. Requires: the place was free, and no reader sleeps.
    void publish(SequenceNumber turn) noexcept { word_.store(word_of(turn), std::memory_order_release); }

    /// The same, and wakes the readers that sleep.
    [[gnu::hot]] void publish(SequenceNumber turn, const Sleepers& sleepers) noexcept;

    /// True if the content is of this turn: then it may be read until Readings::set_done.
    bool has(SequenceNumber turn) const noexcept { return has_word(word_of(turn)); }

    /// The same, for a caller that checks many stamps with one result of word_of.
    bool has_word(std::uint32_t word) const noexcept { return word_.load(std::memory_order_acquire) == word; }

  private:
    friend class Sleepers;
    std::atomic<std::uint32_t> word_;
};

/// The progress of a process: for each place the last turn in which it has completed its reads from its neighbors. It
/// begins as zeros.
class alignas(64) Readings
{
  public:
    /// This process has completed its reads in this turn.
    void set_done(SequenceNumber turn) noexcept
    {
        done_[place_of(turn)].store(word_of(turn), std::memory_order_release);
    }

    /// True if this process allows a neighbor to fill its place for this turn: it has read the previous content. It
    /// cannot be further, since the next content has not been published.
    bool is_free(SequenceNumber turn) const noexcept
    {
        return is_first_use(turn) || last_done(turn) == word_of(turn - buffers_per_stream);
    }

    /// word_of the last turn that was done in the place of this one; 0: none.
    std::uint32_t last_done(SequenceNumber turn) const noexcept
    {
        return done_[place_of(turn)].load(std::memory_order_acquire);
    }

    /// This process asks one of its neighbors, by its index on the node, to send its lent blocks of this turn. One
    /// after the other in each place, and then Sleepers::count_ask.
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

/// Requests to a process: the number of processes that sleep until it publishes, and the number of requests to send its
/// lent blocks. It begins as zeros.
class alignas(64) Sleepers
{
  public:
    /// A process that has not seen the count change need not look for requests.
    void count_ask() noexcept { asks_.fetch_add(1, std::memory_order_release); }
    std::uint32_t asks() const noexcept { return asks_.load(std::memory_order_acquire); }

    /// Sleeps until a stamp of that process is of this turn, another thread wakes this one, or a millisecond has
    /// passed. The caller must then look again, and may give up if the process has ended.
    void sleep_until(Stamp& stamp, SequenceNumber turn) noexcept;

  private:
    friend class Stamp;
    std::atomic<std::uint32_t> count_;
    std::atomic<std::uint32_t> asks_;
};

} // namespace hopscotch::shim
