// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives nonblocking calls the buffer that the caches still hold.
#pragma once

#include "schedules/memory/segment_layout.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace hopscotch::schedules
{

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
