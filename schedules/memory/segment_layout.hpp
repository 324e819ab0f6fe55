// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory that the processes of a communicator on one node share: its layout, and the buffers that calls take in
// turn.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace hopscotch::schedules
{

/// A call's place among those that use the same memory.
using SequenceNumber = std::uint64_t;

/// Calls that use the same memory take turns, one after the other; turn n uses buffer n % 2.
constexpr std::size_t buffers_per_stream = 2;

/// The buffer that a turn uses.
constexpr std::size_t place_of(SequenceNumber turn) noexcept
{
    return turn % buffers_per_stream;
}

/// The turn before the first. The words in memory hold 32 bits: so that they begin again at 0 in every run, not after
/// some billion calls, turns do not begin at 1.
constexpr SequenceNumber no_turn = (SequenceNumber{1} << 32) - 64;

/// True if the buffer of a turn has not been used before.
constexpr bool is_first_use(SequenceNumber turn) noexcept
{
    return turn <= no_turn + buffers_per_stream;
}

/// The word in memory for a turn: never 0, which means no turn yet, and different for turns that are less than some
/// billion apart.
constexpr std::uint32_t word_of(SequenceNumber turn) noexcept
{
    constexpr std::uint32_t for_zero = 0x80000000u;
    const auto word = static_cast<std::uint32_t>(turn);
    return word != 0 ? word : for_zero;
}

/// Streams of a communicator's segment, by their index: of its blocking calls, of MPI_Allgather among all processes, of
/// nonblocking calls with large blocks, and those that other nonblocking calls use in turn. With two buffers each, as
/// many of these calls as there are streams can be outstanding on all processes, and each is shown to the neighbors at
/// once. A process that makes call n has completed call n - 8. So its neighbors have made call n - 8, and have read the
/// previous content of the buffer, which is of call n - 16. Large blocks would be driven out of the caches by so many
/// buffers.
constexpr int calls_stream = 0;
constexpr int global_stream = 1;
constexpr int large_nonblocking_stream = 2;
constexpr int first_nonblocking_stream = 3;
constexpr int nonblocking_streams = 8;
constexpr int streams_of_calls = first_nonblocking_stream + nonblocking_streams; // others: of persistent requests

/// Memory of a process for the data that its neighbors look at, and for small blocks. The fronts of a node stand side
/// by side: a process looks at those of many neighbors after every context switch, which empties the translation
/// buffers, so it must find them in few pages and few page tables. Not a whole number of pages, so that the first bytes
/// of all fronts do not compete for the same lines of the cache.
constexpr std::size_t front_bytes = 8192 + 64;

/// Memory for data that one process writes and others look at separately: it shares no cache line with anything else.
constexpr std::size_t line_bytes = 64;

/// Regions of shared memory begin at multiples of it.
constexpr std::size_t region_page_bytes = 4096;

/// Bytes of a file.
struct Range {
    std::size_t offset;
    std::size_t bytes;
};

/// All fronts, the counters of all, then buffers by process. Units: bytes from the start.
class SegmentLayout
{
  public:
    /// `rooms`: for a buffer of each stream; made whole pages.
    SegmentLayout(std::size_t processes, std::vector<std::size_t> rooms);

    /// The front of a process, by its index on the node, and of a stream; `which`: one of the two buffers.
    std::size_t front(std::size_t process, std::size_t stream, std::size_t which) const noexcept;
    std::size_t readings(std::size_t process, std::size_t stream) const noexcept;
    std::size_t sleepers(std::size_t process, std::size_t stream) const noexcept;
    std::size_t buffer(std::size_t process, std::size_t stream, std::size_t which) const noexcept;
    std::size_t end() const noexcept { return buffer(processes_, 0, 0); }

    /// Bytes of a buffer.
    std::size_t room(std::size_t stream) const noexcept { return rooms_[stream]; }

    /// The ranges that a process writes.
    std::vector<Range> own(std::size_t process) const;

  private:
    std::size_t all_counters() const noexcept;
    std::size_t all_buffers() const noexcept;
    std::size_t buffers_before(std::size_t stream) const noexcept;

    std::size_t processes_;
    std::vector<std::size_t> rooms_; // by stream
};

/// The buffers of the streams that nonblocking calls use in turn, as one process uses them. A call in one of these
/// streams may use any of them, and says which. Were it that of the call's own stream, a program with one call in
/// flight at a time would go through all buffers and drive its own blocks out of the caches.
///
/// There is always a free one: of each stream the blocks of two calls at most are unread, and of the stream of a call
/// that begins those of one.
class RecentBuffers
{
  public:
    static constexpr std::size_t count = buffers_per_stream * nonblocking_streams;
    static constexpr std::size_t none = count;

    RecentBuffers() noexcept { std::iota(by_last_use_.begin(), by_last_use_.end(), std::size_t{0}); }

    /// Takes, for a turn of a stream, the buffer used last of those that are free; none if there is none. `is_read`:
    /// (stream, turn): true if all neighbors have read the blocks of that turn.
    template <class IsRead>
    std::size_t take(int stream, SequenceNumber turn, IsRead&& is_read)
    {
        const auto found = std::find_if(by_last_use_.begin(), by_last_use_.end(), [&](std::size_t buffer) {
            const Use& use = uses_[buffer];
            return use.turn == no_turn || is_read(use.stream, use.turn);
        });
        if (found == by_last_use_.end())
            return none;
        std::rotate(by_last_use_.begin(), found, found + 1);
        uses_[by_last_use_.front()] = {stream, turn};
        return by_last_use_.front();
    }

    /// The stream and the place in it that a buffer has.
    static constexpr int stream_of(std::size_t buffer) noexcept
    {
        return first_nonblocking_stream + static_cast<int>(buffer / buffers_per_stream);
    }
    static constexpr std::size_t place_in_stream(std::size_t buffer) noexcept { return buffer % buffers_per_stream; }

  private:
    struct Use {
        int stream = 0;
        SequenceNumber turn = no_turn; // then it has not been used yet
    };
    std::array<Use, count> uses_;
    std::array<std::size_t, count> by_last_use_; // the last one first
};

} // namespace hopscotch::schedules
