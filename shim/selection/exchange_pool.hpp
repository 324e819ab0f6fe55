// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes and keeps the exchanges of one communicator: that of its blocking calls, those that nonblocking calls use in
// turn, and one for each persistent request, with their tags and their part of the memory of the node.
#pragma once

#include "schedules/memory/copy_trials.hpp"
#include "schedules/memory/segment_layout.hpp"
#include "schedules/selection/choice.hpp"
#include "shim/base/settings.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/graph/graph.hpp"
#include "shim/group/process_group.hpp"
#include "shim/memory/segment.hpp"
#include "shim/memory/staging_buffers.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

using schedules::Choice;

class ExchangePool
{
  public:
    /// `group`: null if messages of the library are not possible. Local.
    ExchangePool(MPI_Comm comm, std::shared_ptr<const Graph> graph, std::shared_ptr<ProcessGroup> group, TagBlock tags);

    /// Takes the results of the communicator's set-up; null if there are none. Local.
    void take_memory(std::shared_ptr<StagingBuffers> staging, std::shared_ptr<Segment> segment);

    /// Memory that its calls share; null if there is none.
    const std::shared_ptr<Segment>& segment() const noexcept { return segment_; }

    /// Largest block of a regular call that fits into memory, and the largest that can share messages with others of
    /// the node; 0 if none can. The same on all processes.
    std::size_t shared_bytes(Collective collective) const;
    std::size_t aggregated_bytes(Collective collective) const;

    /// The exchange of blocking calls. Local.
    Exchange& blocking(Collective collective, const Choice& choice);

    /// That of nonblocking call `number`, counted over all collectives: calls in flight at once take turns. Local.
    /// `block_bytes`: of a regular call.
    [[gnu::hot]] std::shared_ptr<Exchange> nonblocking(Collective collective, const Choice& choice,
                                                       std::size_t block_bytes, std::uint64_t number);

    /// One for a persistent request alone. If no shared memory is left for one more, `choice` becomes merged.
    /// Collective: over the communicator; agrees on memory. Throws: as persistent_tag.
    std::shared_ptr<Exchange> persistent(Collective collective, Choice& choice);

    /// One that carries a call a second time by a message for each edge, for comparison. References of calls that are
    /// not persistent begin in the same order on all processes. Local; of a persistent one as persistent_tag.
    std::shared_ptr<Exchange> reference(Collective collective, Completion completion);

    /// True if blocks of a nonblocking call are too large for the streams that such calls use in turn. All processes
    /// know: they have agreed on the algorithm by the same size.
    bool is_large(Collective collective, Algorithm algorithm, std::size_t block_bytes) const;

    /// A tag for one persistent request alone. Collective: over the communicator; agrees once in some hundred calls on
    /// new ones. Throws: MpiError{MPI_ERR_TAG} on all processes if no tags are left.
    int persistent_tag();

    /// The first of `own_tags` tags that no exchange of the engine uses.
    static constexpr int own_tags = 16;
    int first_own_tag() const noexcept;

    /// The bits that are set on all processes. Collective: over the communicator. Throws: MpiError.
    std::uint64_t common_bits(std::uint64_t bits) const;

    /// Gives back objects that must not outlive MPI.
    void release() noexcept;

  private:
    /// For one exchange: of the shared and the aggregated algorithm.
    struct Memory {
        std::shared_ptr<Stream> stream;
        int region = -1; // of the staging buffers, for this exchange alone; for the aggregated algorithm
    };

    /// Makes the exchange for a collective; its parallel edges match as in calls of this completion. Local. Requires:
    /// choice is not native; the memory its algorithm needs.
    std::shared_ptr<Exchange> make(Collective collective, Completion completion, const Choice& choice, int tag,
                                   Memory memory);
    std::shared_ptr<Exchange> shared(Collective collective, Completion completion, const schedules::Edges& edges,
                                     const Choice& choice, int tag, Memory memory);
    std::shared_ptr<schedules::CopyTrials::Results> copy_results(Collective collective, Completion completion);
    std::unique_ptr<Exchange> off_node(Collective collective, const schedules::Edges& edges, int tag) const;
    std::unique_ptr<Exchange> aggregated(Collective collective, const schedules::Edges& edges, std::size_t cutoff_bytes,
                                         int tag, int region) const;

    std::shared_ptr<Stream> stream_of(Collective collective, int lane);
    std::size_t largest_block(Collective collective, int stream) const;
    void take_streams_of(const std::shared_ptr<Segment>& extension);
    void make_persistent_streams();
    int persistent_stream(Algorithm algorithm);
    [[gnu::hot]] const std::shared_ptr<Exchange>& exchange(Collective collective, Completion completion,
                                                           const Choice& choice, int lane);

    MPI_Comm comm_; // valid as long as the program has not freed it
    std::shared_ptr<const Graph> graph_;
    std::shared_ptr<ProcessGroup> group_;
    TagBlock tags_;
    TagBlock persistent_tags_;
    int persistent_made_ = 0;                 // since the last new tag block
    std::shared_ptr<StagingBuffers> staging_; // null if blocks between nodes are not aggregated
    std::shared_ptr<Segment> segment_;        // null if no memory is shared
    std::array<std::shared_ptr<Stream>, schedules::streams_of_calls> streams_; // of the segment; null: not used yet
    std::vector<std::shared_ptr<Stream>> persistent_streams_;                  // those made so far
    std::uint64_t unused_streams_ = 0;                   // bits of the persistent streams that no request has on any
                                                         // process
    unsigned in_vain_ = 0;                               // so many requests in a row have found none
    std::map<int, std::shared_ptr<Exchange>> exchanges_; // by tag
    /// By collective, of requests and of blocking calls; null: not used yet.
    std::array<std::array<std::shared_ptr<schedules::CopyTrials::Results>, 2>, collective_count> copy_results_;
};

} // namespace hopscotch::shim
