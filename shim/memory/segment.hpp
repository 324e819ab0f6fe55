// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lays out memory that the processes of one graph communicator on one node share: counters and double buffers.
#pragma once

#include "shim/memory/room.hpp"
#include "shim/memory/sequence_number.hpp"
#include "shim/memory/shared_file.hpp"
#include "shim/mpi/process_group.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Streams of a communicator's segment, by their index: of its blocking calls, of MPI_Allgather among all processes, of
/// nonblocking calls with large blocks, and those that other nonblocking calls use in turn. With two buffers each, as
/// many of these calls as there are streams can be outstanding on all processes, and each is shown to the neighbors at
/// once: who makes call n has completed call n - 8, so its neighbors have made that one, and so have read what stood in
/// the buffer, which is of call n - 16. Large blocks would be driven out of the caches by so many buffers.
constexpr int calls_stream = 0;
constexpr int global_stream = 1;
constexpr int large_nonblocking_stream = 2;
constexpr int first_nonblocking_stream = 3;
constexpr int nonblocking_streams = 8;

/// What a process says of itself: the last turn of each buffer in which it has read what it wanted from its neighbors.
struct alignas(64) Readings {
    std::array<std::atomic<std::uint32_t>, buffers_per_stream> done;
};

/// Neighbors that sleep until the process has filled a buffer.
struct alignas(64) Sleepers {
    std::atomic<std::uint32_t> count;
};

/// The room of a process for what its neighbors look at, and for few bytes of blocks. The fronts of a node stand side
/// by side: whoever looks at those of many neighbors after every switch of processes, which empties the translation
/// buffers, must find them in few pages and few page tables. Not a whole number of pages, so that the first bytes of
/// all fronts do not compete for the same lines of the cache.
constexpr std::size_t front_bytes = 8192 + 64;

/// What a process says in an agreement of all that share the segment, and in which.
struct alignas(64) Statement {
    static constexpr std::size_t most_values = 7;

    std::atomic<std::uint32_t> turn;
    std::array<std::uint64_t, most_values> values;
};

class Segment
{
  public:
    /// A segment, or why there is none.
    struct Made {
        std::shared_ptr<Segment> segment;
        Refusal refusal = Refusal::none;
    };

    /// `rooms`: bytes of a buffer of each stream; streams are independent sequences of turns. Collective: over the
    /// graph; all pass the same, and have a segment or none.
    static Made create(const Ground& ground, const std::vector<std::size_t>& rooms);

    /// Of the process with this index among those of the node (ProcessGroup::node_index).
    Readings& readings(int process, int stream) const noexcept;
    Sleepers& sleepers(int process, int stream) const noexcept;
    Statement& statement(int process, std::size_t which) const noexcept;
    char* front(int process, int stream, std::size_t which) const noexcept;
    char* buffer(int process, int stream, std::size_t which) const noexcept;

    std::size_t buffer_bytes(int stream) const noexcept { return places_.rooms[static_cast<std::size_t>(stream)]; }

  private:
    /// Where things lie in the file: all fronts, the counters of all, their statements, then buffers by process.
    struct Places {
        std::size_t processes;
        std::vector<std::size_t> rooms; // whole pages, by stream

        std::size_t front(std::size_t process, std::size_t stream, std::size_t which) const noexcept;
        std::size_t controls(std::size_t process, std::size_t stream) const noexcept;
        std::size_t statement(std::size_t process, std::size_t which) const noexcept;
        std::size_t buffer(std::size_t process, std::size_t stream, std::size_t which) const noexcept;
        std::size_t end() const noexcept { return buffer(processes, 0, 0); }

        /// What a process writes.
        std::vector<Range> own(std::size_t process) const;

      private:
        std::size_t all_controls() const noexcept;
        std::size_t all_statements() const noexcept;
        std::size_t all_buffers() const noexcept;
        std::size_t buffers_before(std::size_t stream) const noexcept;
    };

    Segment(MemoryFile file, Places places);

    char* controls(int process, int stream) const noexcept;

    MemoryFile file_;
    Places places_;
};

/// The turns of the calls on one communicator, or of one persistent request.
struct Stream {
    std::shared_ptr<Segment> segment;
    int index = 0;
    SequenceNumber last_turn = no_turn; // given out so far
};

/// Sleeps until `word` is no longer `seen`, someone wakes the process, or a millisecond has passed.
void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept;

/// Wakes all processes that sleep on the word.
void wake_all(std::atomic<std::uint32_t>& word) noexcept;

} // namespace hopscotch::shim
