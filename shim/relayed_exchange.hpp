// Carries out a forwarding schedule for blocks of any sizes: messages describe themselves.
#pragma once

#include "schedules/neighborhood.hpp"
#include "shim/direct_blocks.hpp"
#include "shim/message_writer.hpp"
#include "shim/messages.hpp"
#include "shim/operation.hpp"

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
class RelayedExchange final : public Exchange
{
  public:
    /// Tags tag and tag + 1 carry messages and their rests, tag + 2 and tag + 3 direct blocks. `edges`: where those go
    /// and come from.
    RelayedExchange(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag,
                    std::size_t cutoff_bytes, schedules::Edges edges);

    void begin(const BlockLayout& send, const BlockLayout& receive) override;

    bool advance() override;
    void idle(bool yields) noexcept override { messages_.idle(yields, phase_); }
    void use_mailboxes(std::shared_ptr<Segment> segment, int kind) override
    {
        messages_.use_mailboxes(std::move(segment), kind, schedule_);
    }

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

    void post_receives();
    bool start_sending();
    void send_phase(std::size_t phase);
    void send_round(std::size_t r);
    void collect(std::size_t r);
    bool read_header(std::size_t r);
    void refuse(std::size_t r, int code);
    void finish_round(std::size_t r);
    void deliver(std::size_t r, const schedules::Move& move);
    bool advance_phase();

    schedules::Schedule schedule_;
    Messages messages_;
    Messages rests_;
    DirectBlocks direct_;
    std::vector<Incoming> in_;          // by round
    std::vector<Outgoing> out_;         // by round
    std::vector<std::size_t> round_of_; // by transit index: the round that brings the block
    std::vector<bool> has_rest_;        // by round: a second message is on its way
    std::vector<std::size_t> direct_bytes_;
    std::vector<char> scratch_;

    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    bool started_ = false; // the first phase has been sent
    std::size_t phase_ = 0;
    Stage stage_ = Stage::messages;
};

} // namespace hopscotch::shim
