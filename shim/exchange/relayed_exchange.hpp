// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a forwarding schedule for blocks of any sizes: messages describe themselves.
#pragma once

#include "schedules/neighborhood.hpp"
#include "shim/blocks/message_writer.hpp"
#include "shim/exchange/direct_blocks.hpp"
#include "shim/exchange/phased_exchange.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Only the two ends of an edge know the size of its block, forwarders do not. So a message is a header with the sizes
/// of its blocks, then the blocks. Receives are posted with a capacity both ends derive from the same history: a
/// message that needs more says so in its header and sends the rest in a second one, after which both sides grow the
/// capacity. In the steady state there is no second message. A block above the cut-off does not take part: it travels
/// directly between its ends, which both know its size; in the header it is marked. What blocks of a message have in
/// common is sent once; the header says where it lies, so a forwarder sends it on once as well.
class RelayedExchange final : public PhasedExchange
{
  public:
    /// Tags tag and tag + 1 carry messages and their rests, tag + 2 and tag + 3 direct blocks. `edges`: where those go
    /// and come from.
    RelayedExchange(schedules::Schedule planned, std::shared_ptr<ProcessGroup> group, int tag, std::size_t cutoff_bytes,
                    schedules::Edges edges);

  private:
    /// The messages of a round in one direction: what is agreed about their size, and the current one.
    struct Outgoing {
        std::size_t capacity = 0;
        std::vector<char> bytes;
        MessageWriter writer;
    };
    struct Incoming {
        std::size_t capacity = 0;
        std::vector<char> bytes;
        std::size_t payload = 0; // where it starts
        schedules::MessageLayout layout;
    };

    enum class Stage : unsigned char { messages, rests };

    void prepare(const BlockLayout& send, const BlockLayout& receive) override;
    void post_receive(std::size_t r) override;
    void send_round(std::size_t r) override;
    void start_others(const BlockLayout& send, const BlockLayout& receive) override;
    bool phase_arrived() override;
    void deliver_round(std::size_t r) override;
    bool all_sent(int& error) override;

    void collect(std::size_t r);
    bool read_header(std::size_t r);
    void refuse(std::size_t r, int code);
    void deliver(std::size_t r, const schedules::Move& move);

    Messages rests_;
    DirectBlocks direct_;
    std::vector<Incoming> in_;          // by round
    std::vector<Outgoing> out_;         // by round
    std::vector<std::size_t> round_of_; // by transit index: the round that brings the block
    std::vector<bool> has_rest_;        // by round: a second message is on its way
    std::vector<std::size_t> direct_bytes_;
    std::vector<char> scratch_;
    Stage stage_ = Stage::messages;
};

} // namespace hopscotch::shim
