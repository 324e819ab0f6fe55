// Messages between processes of one node through memory: each process has two mailboxes of its own per kind of
// exchange.
#pragma once

#include "schedules/schedule.hpp"
#include "shim/process_group.hpp"
#include "shim/segment.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// A process writes its messages of one call into a mailbox of its own and rings at each receiver, who reads them
/// there. The mailboxes take turns from call to call: one is written again when all its readers have finished the call
/// before last. A message without room in the mailbox is announced in it and travels through MPI.
class Mailbox
{
  public:
    /// Local; all processes of the schedule make theirs with the same kind. Requires: usable(schedule).
    Mailbox(std::shared_ptr<Segment> segment, int kind, const ProcessGroup& group, const schedules::Schedule& schedule);

    /// Whether the messages of a schedule can go through mailboxes: few, and one at most from a process to another.
    static bool usable(const schedules::Schedule& schedule);

    /// Whether the round's message out, or in, goes through mailboxes.
    bool goes_out(std::size_t r) const noexcept { return outgoing_[r].bells != nullptr; }
    bool comes_in(std::size_t r) const noexcept { return incoming_[r].boxes[0] != nullptr; }

    /// The next call begins. Before ready() nothing may be put: the readers of the call before last are not done.
    void begin_call() noexcept;
    bool ready() const noexcept;

    /// Room for a message of the round, to be written by the caller before ring(); null when there is none: then it
    /// must be sent through MPI before ring().
    char* room(std::size_t r, std::size_t bytes) noexcept;
    void ring(std::size_t r) noexcept;

    /// Whether all messages of the phase that come through mailboxes are there.
    bool all_rung(std::size_t phase) const noexcept;

    /// A message that is there. data is null when it travels through MPI.
    struct Letter {
        const char* data;
        std::size_t bytes;
    };
    Letter letter(std::size_t r) noexcept;

    /// Everything has been read that came in this call.
    void finish_call() noexcept;

    /// Sleeps until the last sender of the phase rings, or a millisecond has passed.
    void sleep(std::size_t phase) noexcept;

  private:
    /// One message in a mailbox's table, which stands before the messages.
    struct Entry {
        std::uint32_t receiver; // its index on the node
        std::uint32_t in_memory;
        std::uint64_t offset;
        std::uint64_t bytes;
    };

    struct Outgoing {
        MailboxControl* bells = nullptr;
        std::uint32_t receiver = 0;
        std::size_t entry = 0;
    };

    struct Incoming {
        const char* boxes[buffers_per_stream] = {};
        std::size_t entry = 0; // found by the first look
    };

    std::size_t which() const noexcept { return turn_ % buffers_per_stream; }
    std::uint32_t expected(std::size_t phase) const noexcept { return senders_[phase] * uses(turn_); }
    Entry read_entry(const Incoming& incoming) const noexcept;

    std::shared_ptr<Segment> segment_;
    std::uint32_t own_index_;
    MailboxControl* control_;
    char* boxes_[buffers_per_stream];
    std::size_t entries_ = 0;
    std::vector<Outgoing> outgoing_;     // by round
    std::vector<Incoming> incoming_;     // by round
    std::vector<std::size_t> phases_;    // of the rounds
    std::vector<std::uint32_t> senders_; // by phase: messages that come through mailboxes
    std::vector<Readings*> readers_;     // of what this process writes
    std::size_t used_ = 0;               // bytes of the current mailbox
    Turn turn_ = no_turn;
};

} // namespace hopscotch::shim
