// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shares memory among the processes of one graph communicator on one node: counters and double buffers.
#pragma once

#include "schedules/segment_layout.hpp"
#include "shim/memory/shared_file.hpp"
#include "shim/memory/turn.hpp"
#include "shim/mpi/process_group.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

using schedules::SegmentLayout;

static_assert(sizeof(Readings) == schedules::line_bytes && sizeof(Sleepers) == schedules::line_bytes);

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

    std::size_t buffer_bytes(int stream) const noexcept { return layout_.room(stream); }

  private:
    Segment(MemoryFile file, SegmentLayout layout) : file_(std::move(file)), layout_(std::move(layout)) {}

    MemoryFile file_;
    SegmentLayout layout_;
};

/// The turns of the calls on one communicator, or of one persistent request.
struct Stream {
    std::shared_ptr<Segment> segment;
    int index = 0;
    SequenceNumber last_turn = no_turn;                        // given out so far
    std::array<SequenceNumber, buffers_per_stream> in_place{}; // the turns of which this process has shown blocks last
};

} // namespace hopscotch::shim
