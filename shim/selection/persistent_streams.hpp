// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lends streams of shared memory to the persistent requests of one communicator.
#pragma once

#include "schedules/plan/algorithm.hpp"
#include "shim/group/process_group.hpp"
#include "shim/memory/segment.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

using schedules::Algorithm;

/// A stream that one persistent request has for itself. It is given back when the last copy of `stream` goes.
struct StreamLease {
    std::shared_ptr<Stream> stream; // null: there is none
    int index = -1;                 // among the streams of persistent requests; the same on all processes
};

class PersistentStreams
{
  public:
    /// A stream in extensions of `segment`, always the same, that no other persistent request has on any process; none
    /// if there is none. Collective: over the communicator. After all streams agreed on have been lent, the processes
    /// agree on those that are given back, and if there are none make new ones; after a failure, they do so rarely.
    /// Throws: MpiError.
    StreamLease take(Algorithm algorithm, const std::shared_ptr<Segment>& segment, const Ground& ground);

    /// Gives back the streams that are not lent.
    void release() noexcept { streams_.clear(); }

  private:
    void take_streams_of(const std::shared_ptr<Segment>& segment, Segment& extension);
    void make_more(const std::shared_ptr<Segment>& segment, const Ground& ground);
    StreamLease lend(std::size_t index);

    std::vector<std::shared_ptr<Stream>> streams_; // those made so far
    std::uint64_t unused_ = 0;                     // bits of the streams that no request has on any process
    /// Bits of the streams that a request of this process has. Leases may outlive this object.
    std::shared_ptr<std::atomic<std::uint64_t>> lent_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    unsigned in_vain_ = 0; // so many requests in a row have found none
};

} // namespace hopscotch::shim
