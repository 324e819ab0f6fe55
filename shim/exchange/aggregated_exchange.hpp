// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the blocks between nodes in messages that all processes of a node share.
#pragma once

#include "schedules/aggregation_part.hpp"
#include "shim/exchange/direct_blocks.hpp"
#include "shim/exchange/operation.hpp"
#include "shim/memory/staging_buffers.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Every process writes its blocks for other nodes into its buffer. Leaders, each for some of the messages between
/// nodes, read what belongs into theirs, send it, and receive what comes into buffers of their own, where those who
/// want it find it. A process says by a sequence number in its own buffer how far it is; nobody waits but for those it
/// reads from. Blocks within the node are not its business.
class AggregatedExchange final : public Exchange
{
  public:
    /// `region`: of the buffers, for this exchange alone. `tag`: of messages between leaders. `edges` between nodes,
    /// the others no_rank. Where sizes are not known, blocks above `limit_bytes` travel directly, as do those too large
    /// for the buffers, with tags `direct_tag` and the one after it. `sends_blocks`: whether the send buffer tells the
    /// size of blocks, else the receive buffer does.
    AggregatedExchange(std::shared_ptr<StagingBuffers> buffers, int region, std::shared_ptr<ProcessGroup> group,
                       schedules::AggregationPart part, schedules::Edges edges, bool sizes_known, bool sends_blocks,
                       int tag, int direct_tag, std::size_t limit_bytes);

    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    bool advance() override;
    void idle(bool yields) noexcept override;

  private:
    /// The buffer of one process of the node.
    struct Place {
        StagingLayout layout;
        char* buffers[buffers_per_stream];
        Readings* readings;
    };

    /// One message this process receives.
    struct Incoming {
        MPI_Request request = MPI_REQUEST_NULL;
        bool complete = false;
    };

    struct Outgoing {
        MPI_Request request = MPI_REQUEST_NULL;
        std::vector<char> bytes;
    };

    /// The deliveries [first, last) come with one message.
    struct Batch {
        int owner = 0;
        int message = 0;
        std::size_t first = 0;
        std::size_t last = 0;
    };

    std::size_t which() const noexcept { return place_of(turn_); }
    char* buffer(int position) const noexcept { return places_[static_cast<std::size_t>(position)].buffers[which()]; }
    char* own_buffer() const noexcept { return buffer(part_.own_position); }
    CellsHead& cells_head(int position) const noexcept { return *reinterpret_cast<CellsHead*>(buffer(position)); }
    MessageHead& message_head(int position, int message) const noexcept;
    char* cells(int position) const noexcept;
    char* message(int position, int number) const noexcept;
    std::size_t message_blocks(int position, int number) const noexcept;

    bool buffer_is_free() const noexcept;
    void fill();
    void fill_with_table();
    void post_receives();
    bool is_there(const schedules::Run& run) const noexcept;
    bool send_next();
    std::size_t gather(const schedules::LeaderMessage& message, std::vector<char>& bytes);
    std::size_t gather_with_table(const schedules::LeaderMessage& message, std::vector<char>& bytes);
    void look_for_messages();
    bool sound(std::size_t i, const MPI_Status& status, int code);
    void deliver(const Batch& batch);
    void deliver_what_came();
    bool all_sent();
    bool complete();

    std::shared_ptr<StagingBuffers> buffers_;
    int region_;
    std::shared_ptr<ProcessGroup> group_;
    schedules::AggregationPart part_;
    bool sizes_known_;
    bool sends_blocks_;
    int tag_;
    DirectBlocks direct_;
    std::vector<Place> places_; // by position
    std::vector<Batch> batches_;
    std::vector<Incoming> incoming_;
    std::vector<Outgoing> outgoing_;
    std::vector<std::size_t> direct_bytes_;

    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    std::size_t block_bytes_ = 0;
    SequenceNumber turn_ = no_turn;
    bool filled_ = true;
    std::size_t sent_ = 0;             // messages sent in this turn
    std::size_t seen_runs_ = 0;        // of the next message: those that are there
    std::size_t received_ = 0;         // messages received in this turn
    std::vector<std::size_t> missing_; // batches not yet delivered
    unsigned idle_looks_ = 0;
};

} // namespace hopscotch::shim
