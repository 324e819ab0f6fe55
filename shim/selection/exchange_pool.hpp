// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the exchanges of one communicator: that of its blocking calls, those that nonblocking calls use in turn, and
// one for each persistent request. Gives them tags and a part of the memory of the node.
#pragma once

#include "schedules/memory/segment_layout.hpp"
#include "schedules/message/tags.hpp"
#include "schedules/selection/choice.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/graph/detection.hpp"
#include "shim/selection/exchange_maker.hpp"
#include "shim/selection/persistent_streams.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

class ExchangePool
{
  public:
    /// `detected` must live as long. No exchange is made before a later set-up, which changes it. Local.
    ExchangePool(MPI_Comm comm, const Detected& detected)
        : comm_(comm), detected_(detected), maker_(detected), persistent_tags_(detected.tags)
    {
    }

    /// Largest block of a regular call that fits into memory, and the largest that can share messages with others of
    /// the node; 0 if none can. The same on all processes.
    std::size_t shared_bytes(Collective collective) const;
    std::size_t aggregated_bytes(Collective collective) const { return maker_.aggregated_bytes(collective); }

    /// The exchange of blocking calls. Local.
    Exchange& blocking(Collective collective, const Choice& choice);

    /// The exchange of nonblocking call `number`, counted over all collectives: calls in flight at once take turns.
    /// `block_bytes`: of a regular call. Local.
    [[gnu::hot]] std::shared_ptr<Exchange> nonblocking(Collective collective, const Choice& choice,
                                                       std::size_t block_bytes, std::uint64_t number);

    /// An exchange for a persistent request alone. If no shared memory is left for one more, `choice` becomes merged.
    /// Collective: over the communicator; agrees on memory. Throws: as persistent_tag.
    std::shared_ptr<Exchange> persistent(Collective collective, Choice& choice);

    /// An exchange that carries a call a second time, by a message for each edge, for comparison. References of calls
    /// that are not persistent begin in the same order on all processes. Local; of a persistent call collective as
    /// persistent_tag.
    std::shared_ptr<Exchange> reference(Collective collective, Completion completion);

    /// True if blocks of a nonblocking call are too large for the streams that such calls use in turn. All processes
    /// know: they have agreed on the algorithm by the same size.
    bool is_large(Collective collective, Algorithm algorithm, std::size_t block_bytes) const;

    /// A tag for one persistent request alone. Collective: over the communicator; agrees once in some hundred calls on
    /// new ones. Throws: MpiError{MPI_ERR_TAG} on all processes if no tags are left.
    int persistent_tag();

    /// The first of schedules::own_tags tags that no exchange of the pool uses.
    int first_own_tag() const noexcept { return detected_.tags.first + schedules::first_own_tag; }

    /// The bits that are set on all processes. Collective: over the communicator. Throws: MpiError.
    std::uint64_t common_bits(std::uint64_t bits) const;

    /// Gives back objects that must not outlive MPI.
    void release() noexcept;

  private:
    /// An exchange, and all that it depends on beside its tag: that stands for collective, completion, kind and lane.
    struct KeptExchange {
        std::size_t cutoff_bytes;
        std::vector<schedules::Group> groups;
        std::shared_ptr<Exchange> exchange;
    };

    std::shared_ptr<Stream> stream_of(Collective collective, int lane);
    [[gnu::hot]] const std::shared_ptr<Exchange>& exchange(Collective collective, Completion completion,
                                                           const Choice& choice, int lane);

    MPI_Comm comm_; // valid as long as the program has not freed it
    const Detected& detected_;
    ExchangeMaker maker_;
    TagBlock persistent_tags_;
    int persistent_made_ = 0;                                                  // since the last new tag block
    std::array<std::shared_ptr<Stream>, schedules::streams_of_calls> streams_; // of the segment; null: not used yet
    PersistentStreams persistent_streams_;
    std::map<int, std::vector<KeptExchange>> exchanges_; // by tag
};

} // namespace hopscotch::shim
