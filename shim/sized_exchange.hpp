// Carries out a schedule without forwarding for blocks of any sizes: both ends of an edge know the size of its block.
#pragma once

#include "shim/message_writer.hpp"
#include "shim/messages.hpp"
#include "shim/operation.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// A message with one block is that block. A message with several starts with their sizes, so that two blocks of wrong
/// sizes that make up the right sum are noticed; what they have in common is sent once.
class SizedExchange final : public Exchange
{
  public:
    /// Requires: at most one phase.
    SizedExchange(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag);

    /// Posts all receives with the sizes this process expects, sends everything, makes the local copies.
    void begin(const BlockLayout& send, const BlockLayout& receive) override;

    bool advance() override;
    void idle(bool yields) noexcept override { messages_.idle(yields, 0); }
    void use_mailboxes(std::shared_ptr<Segment> segment, int kind) override
    {
        messages_.use_mailboxes(std::move(segment), kind, schedule_);
    }

  private:
    struct Message {
        std::size_t bytes = 0;  // header included; on the way in, the most there can be
        std::size_t offset = 0; // in the buffer; unused when the message lies in the user's memory
        bool in_place = false;  // it is one run of bytes in the user's memory
    };

    void plan(const BlockLayout& send, const BlockLayout& receive);
    void plan_outgoing(std::size_t r, const BlockLayout& send);
    void plan_incoming(std::size_t r, const BlockLayout& receive);
    void place(Message& message);
    void send_round(std::size_t r);
    bool start_sending();
    void deliver(std::size_t r);
    void deliver_blocks(const schedules::Round& round, const char* message, std::size_t bytes);

    schedules::Schedule schedule_;
    Messages messages_;
    std::vector<Message> in_;
    std::vector<Message> out_;
    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_ = 0;
    std::size_t planned_ = 0;            // bytes of the buffer that have been given away
    std::vector<MessageWriter> writers_; // by round
    schedules::MessageLayout layout_;    // of the message being delivered
    std::vector<char> scratch_;
    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    bool started_ = false; // everything has been sent
    bool received_ = false;
};

} // namespace hopscotch::shim
