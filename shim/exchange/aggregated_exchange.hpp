// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the blocks between nodes in messages that all processes of a node share.
#pragma once

#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/place_table.hpp"
#include "shim/exchange/direct_blocks.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/exchange/messages.hpp"
#include "shim/memory/staging_buffers.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Every process writes its blocks for other nodes into its buffer, behind a table of their places. Leaders, each for
/// some of the messages between nodes, copy the blocks of their messages into these and send them, and receive messages
/// in buffers of their own. The final receivers find their blocks there. A process publishes its progress by a sequence
/// number in its own buffer; it waits only for the processes it reads from. Blocks within the node are handled
/// elsewhere.
class AggregatedExchange final : public Exchange
{
  public:
    /// `region`: of the buffers, for this exchange alone. Blocks above the cut-off, and those too large for the
    /// buffers, travel directly. `tag`: the first of the exchange.
    AggregatedExchange(schedules::AggregationPlan plan, std::shared_ptr<StagingBuffers> buffers, int region,
                       std::shared_ptr<ProcessGroup> group, int tag);

    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    bool advance() override;
    void idle(bool yields) override;

  private:
    /// The buffer of one process of the node.
    struct MateMemory {
        StagingLayout layout;
        char* buffers[buffers_per_stream];
        Readings* readings;
    };

    /// The state of one call, assigned anew by each.
    struct Turn {
        const BlockLayout* send = nullptr;
        const BlockLayout* receive = nullptr;
        SequenceNumber number = no_turn;
        bool filled = false;
        bool received = false;     // all messages, as far as one has looked
        std::size_t sent = 0;      // messages
        std::size_t seen_runs = 0; // runs of the next message that are there
        unsigned idle_looks = 0;
    };

    const MateMemory& place(int position) const noexcept { return places_[static_cast<std::size_t>(position)]; }
    const MateMemory& own() const noexcept { return place(part_.own_position); }
    char* buffer(int position) const noexcept { return place(position).buffers[place_of(now_.number)]; }
    Stamp& stamp(int position, int message) const noexcept;
    schedules::PlaceTable table(int position, int message) const noexcept;

    bool buffer_is_free() const noexcept;
    void fill();
    void post_receives();
    bool send_next();
    std::size_t gather(const schedules::LeaderMessage& message, std::vector<char>& bytes) const;
    void look_for_messages();
    void take(int message, std::size_t bytes, int code);
    void deliver(const schedules::DeliveryBatch& batch);
    void deliver_what_came();
    bool complete();

    std::shared_ptr<StagingBuffers> buffers_;
    int region_;
    std::shared_ptr<ProcessGroup> group_;
    schedules::AggregationPart part_;
    int tag_; // tag of messages between leaders
    DirectBlocks direct_;
    std::vector<MateMemory> places_; // by position
    Receives receives_;
    std::vector<MPI_Request> sends_;
    std::vector<std::vector<char>> outgoing_;

    Turn now_;
    std::vector<std::size_t> missing_; // batches not yet delivered
};

} // namespace hopscotch::shim
