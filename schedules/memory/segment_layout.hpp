// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the layout of the memory that the processes of a communicator on one node share.
#pragma once

#include "schedules/memory/sequence_number.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

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

} // namespace hopscotch::schedules
