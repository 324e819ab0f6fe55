// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends each block that is too large for the algorithm of the others as one message between its two ends.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "shim/blocks/block_layout.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/group/process_group.hpp"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Both ends of an edge know the size of its block, so both know without asking that it travels directly. The order of
/// blocks of parallel edges distinguishes them; both ends start them in this order.
class DirectBlocks
{
  public:
    /// `tag`: the first of two (schedules/message/tags.hpp). `edges`: with no_rank for slots without a block. Blocks
    /// above `limit_bytes` are direct.
    DirectBlocks(std::shared_ptr<ProcessGroup> group, int tag, schedules::Edges edges, std::size_t limit_bytes);

    bool direct(const Block& block) const noexcept { return block.bytes > limit_bytes_; }

    /// Starts all receives and sends of one call. The layouts must live until it is complete. Throws: MpiError.
    SentMessages start(const BlockLayout& send, const BlockLayout& receive);

    /// For one neighbor alone that has asked for its blocks, or is asked for them, in the middle of a call; all calls
    /// use one tag. Throws: MpiError.
    SentMessages send_to(int rank, const BlockLayout& send);
    void receive_from(int rank, const BlockLayout& receive);

    /// `announced`: the sender of receive slot `slot` sends its block directly. MPI_ERR_TRUNCATE if the two ends
    /// disagree: an unexpected message is received nevertheless, and one that will not come is not waited for. If a
    /// later message has come in its place, the later call gets it, or MPI_ERR_TRUNCATE if it was longer.
    int settle(int slot, bool announced);

    /// True if everything is there. `error`: kept unless something failed. Requires: all slots have been settled.
    bool complete(int& error);

    /// True if the call has no such blocks.
    bool idle() const noexcept { return in_.empty() && sends_.empty() && unexpected_.empty(); }

  private:
    static constexpr int no_slot = -1; // for a message without a block of the user

    struct Transfer {
        int slot = no_slot;
        int source = schedules::no_rank;
        MPI_Request request = MPI_REQUEST_NULL;
        std::vector<char> packed; // unused if the block is one run of bytes: it is received where it lies
        bool early = false;       // `packed` is the message, which a receive of an earlier call took
    };
    using Messages = std::map<int, std::deque<std::vector<char>>>; // by source, none without one, in their order

    static constexpr int any_rank = schedules::no_rank;

    void forget() noexcept;
    void start_receives(const BlockLayout& receive, int only);
    SentMessages start_sends(const BlockLayout& send, int only);
    bool take_early(Transfer& transfer);
    void take_more(int source, int messages);
    void take_less(int source, int messages);
    bool cancelled(Transfer& transfer);
    bool receive_complete(Transfer& transfer, int& error);
    void deliver(Transfer& transfer, std::size_t bytes, int& error);

    std::shared_ptr<ProcessGroup> group_;
    int tag_; // tag of the current call
    int other_tag_;
    schedules::Edges edges_;
    std::vector<int> receive_slots_; // those with a source, parallel edges in their order
    std::size_t limit_bytes_;
    const BlockLayout* receive_ = nullptr;
    std::vector<Transfer> in_;
    std::vector<MPI_Request> sends_;
    std::vector<std::vector<char>> packed_; // blocks sent that are no single run of bytes
    std::map<int, int> unexpected_;         // by source: messages that come beyond those expected, or fewer
    Messages early_;                        // messages of later calls under tag_, from senders that are ahead
    Messages other_early_;
};

} // namespace hopscotch::shim
