// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule without forwarding for blocks of any sizes: both ends of an edge know the size of its block.
#pragma once

#include "shim/blocks/message_writer.hpp"
#include "shim/exchange/phased_exchange.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// A message with one block is that block. A message with several starts with their sizes, so that two blocks of wrong
/// sizes that make up the right sum are noticed; what they have in common is sent once.
class SizedExchange final : public PhasedExchange
{
  public:
    /// Requires: at most one phase.
    SizedExchange(schedules::Schedule planned, std::shared_ptr<ProcessGroup> group, int tag);

  private:
    struct Message {
        std::size_t bytes = 0;  // header included; on the way in, the most there can be
        std::size_t offset = 0; // in the buffer; unused when the message lies in the user's memory
        bool in_place = false;  // it is one run of bytes in the user's memory
    };

    void prepare(const BlockLayout& send, const BlockLayout& receive) override;
    void post_receive(std::size_t r) override;
    void send_round(std::size_t r) override;
    void deliver_round(std::size_t r) override;

    void plan_outgoing(std::size_t r, const BlockLayout& send);
    void plan_incoming(std::size_t r, const BlockLayout& receive);
    void place(Message& message);
    void deliver_blocks(const schedules::Round& round, const char* message, std::size_t bytes);

    std::vector<Message> in_;
    std::vector<Message> out_;
    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_ = 0;
    std::size_t planned_ = 0;            // bytes of the buffer that have been given away
    std::vector<MessageWriter> writers_; // by round
    schedules::MessageLayout layout_;    // of the message being delivered
    std::vector<char> scratch_;
};

} // namespace hopscotch::shim
