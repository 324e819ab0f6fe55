// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shares memory among the processes of one graph communicator on one node: counters and double buffers.
#pragma once

#include "schedules/memory/segment_layout.hpp"
#include "shim/group/process_group.hpp"
#include "shim/memory/memory_file.hpp"
#include "shim/memory/turn.hpp"
#include "shim/mpi/threads.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Asks for the lines of some bytes of shared memory before they are written: they come side by side, while stores wait
/// for one after the other. Not of many bytes: a long copy keeps ahead of itself.
inline void prefetch_for_write(const void* begin, std::size_t bytes) noexcept
{
    constexpr std::uintptr_t line_bytes = 64;
    constexpr std::size_t most_bytes = 16384;
    if (bytes > most_bytes)
        return;
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    for (std::uintptr_t at = first / line_bytes * line_bytes; at < first + bytes; at += line_bytes) {
#if defined(__x86_64__)
        // Compilers for any x86-64 turn __builtin_prefetch into a request for reading.
        asm volatile("prefetchw (%0)" : : "r"(at));
#else
        __builtin_prefetch(reinterpret_cast<const void*>(at), 1);
#endif
    }
}

/// One file per node, of `bytes` bytes, which may differ between nodes; `own`: the ranges that this process will write.
/// Collective: over the graph. Its refusal is the same on all processes: there is none, or none has a file.
MemoryFile share_file(const Ground& ground, std::size_t bytes, const std::vector<Range>& own);

using schedules::SegmentLayout;

static_assert(sizeof(Readings) == schedules::line_bytes && sizeof(Sleepers) == schedules::line_bytes);

class Segment
{
  public:
    /// A segment, or the reason if there is none.
    struct Made {
        std::shared_ptr<Segment> segment;
        Refusal refusal = Refusal::none;
    };

    /// `rooms`: bytes of a buffer of each stream; streams are independent sequences of turns. `id`: a number within the
    /// group if it is to become the spare after its last use; 0: not so. Collective: over the graph; all pass the same,
    /// and have a segment or none.
    static Made create(const Ground& ground, const std::vector<std::size_t>& rooms, std::int64_t id = 0);

    /// A segment that graphs of these processes have given back, for this caller alone; null if there is none. Of
    /// several the largest, then the newest: processes with the same spares get the same. Unless it is used it is spare
    /// again. Its turns go on, so that nothing in it needs to be cleared. For all threads. Local: processes use it
    /// together if all have got the same.
    static std::shared_ptr<Segment> take_spare(const ProcessGroup& group);

    std::int64_t id() const noexcept { return id_; }

    /// True if it has these rooms, or larger ones.
    bool has_rooms(const std::vector<std::size_t>& rooms) const noexcept;

    /// The readings of the process with this index on the node (ProcessGroup::node_index).
    Readings& readings(int process, int stream) const noexcept
    {
        return *reinterpret_cast<Readings*>(file_.base() + layout_.readings(process, stream));
    }
    Sleepers& sleepers(int process, int stream) const noexcept
    {
        return *reinterpret_cast<Sleepers*>(file_.base() + layout_.sleepers(process, stream));
    }
    char* front(int process, int stream, std::size_t which) const noexcept
    {
        return file_.base() + layout_.front(process, stream, which);
    }
    char* buffer(int process, int stream, std::size_t which) const noexcept
    {
        return file_.base() + layout_.buffer(process, stream, which);
    }

    int streams() const noexcept { return static_cast<int>(turns_.size()); }

    /// Another one that goes wherever this one goes, with streams for more. All processes extend theirs alike, and one
    /// thread at a time does.
    void extend(std::shared_ptr<Segment> more) { extensions_.push_back(std::move(more)); }
    const std::vector<std::shared_ptr<Segment>>& extensions() const noexcept { return extensions_; }

    std::size_t buffer_bytes(int stream) const noexcept { return layout_.room(stream); }

    /// The state of a stream on this process.
    struct Turns {
        SequenceNumber last = no_turn;                                          // given out so far
        std::array<std::atomic<SequenceNumber>, buffers_per_stream> in_place{}; // the last turn in which this process
                                                                                // has shown blocks, by front
    };
    Turns& turns(int stream) noexcept { return turns_[static_cast<std::size_t>(stream)]; }

    /// RecentBuffers::take. For all threads.
    template <class IsRead>
    std::size_t take_recent_buffer(int stream, SequenceNumber turn, IsRead&& is_read)
    {
        const LockAmongThreads lock(recent_mutex_);
        return recent_.take(stream, turn, is_read);
    }

  private:
    Segment(const ProcessGroup& group, MemoryFile file, SegmentLayout layout, std::size_t streams, std::int64_t id);
    static void give_back(Segment* segment) noexcept;
    bool comes_before(const Segment& other) const noexcept;
    bool is_of(const ProcessGroup& group) const noexcept;
    bool turns_are_over() const noexcept;

    MemoryFile file_;
    SegmentLayout layout_;
    std::vector<Turns> turns_; // by stream
    std::mutex recent_mutex_;
    schedules::RecentBuffers recent_;
    std::vector<std::shared_ptr<Segment>> extensions_;
    std::int64_t id_;
    std::int64_t group_; // its id and first process, which together identify the group
    int first_process_;
    int own_index_;
};

/// The turns of the calls on one communicator, or of one persistent request.
struct Stream {
    std::shared_ptr<Segment> segment;
    int index = 0;
    bool shares_buffers = false; // it is one of those with RecentBuffers

    Segment::Turns& turns() const noexcept { return segment->turns(index); }
};

} // namespace hopscotch::shim
