// Carries out a schedule whose blocks all have one size that every process knows: alltoall and allgather.
#pragma once

#include "shim/messages.hpp"
#include "shim/operation.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// A message is its blocks back to back, nothing else.
class RegularExchange final : public Exchange
{
  public:
    /// `tag`: of the messages; exchanges that may be in flight at once have different ones.
    RegularExchange(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag);

    /// Posts all receives, sends the first phase, makes the local copies. A block whose size differs at this process
    /// from those it sends makes the call fail with MPI_ERR_TRUNCATE, after it has done its part for the others.
    void begin(const BlockLayout& send, const BlockLayout& receive) override;

    bool advance() override;
    void idle(bool yields) noexcept override { messages_.idle(yields, phase_); }
    void use_mailboxes(std::shared_ptr<Segment> segment, int kind) override
    {
        messages_.use_mailboxes(std::move(segment), kind, schedule_);
    }

  private:
    void reserve(std::size_t block_bytes);
    void post_receive(std::size_t r);
    bool start_sending();
    void send_phase(std::size_t phase);
    void send_round(std::size_t r);
    void deliver(std::size_t r);
    const char* run_of_bytes(const schedules::Slot& slot) const;
    /// Room for a block in transit, and where it lies once it has arrived.
    char* room(int transit) const { return incoming_.get() + static_cast<std::size_t>(transit) * block_bytes_; }
    const char* arrived(int transit) const
    {
        const std::size_t r = round_of_[static_cast<std::size_t>(transit)];
        const int position = transit - messages_.round(r).first_arrival;
        return messages_.data(r) + static_cast<std::size_t>(position) * block_bytes_;
    }
    bool received_in_place(std::size_t r) const;

    schedules::Schedule schedule_;
    Messages messages_;
    std::vector<int> direct_slot_;             // by round: receive slot its only block may be received into, or -1
    std::vector<std::size_t> round_of_;        // by transit index: the round that brings the block
    std::vector<std::size_t> outgoing_offset_; // by round, in blocks
    bool sends_ = false;                       // blocks of the user's: else the size of the send buffer's says nothing
    bool receives_ = false;

    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    std::size_t block_bytes_ = 0;
    std::size_t capacity_ = 0; // block bytes the buffers have room for
    std::unique_ptr<char[]> incoming_;
    std::unique_ptr<char[]> outgoing_;
    std::size_t phase_ = 0;
    bool started_ = false; // the first phase has been sent
};

/// For each round the receive slot that its message is for as a whole: one block, delivered once, not sent on; else -1.
std::vector<int> direct_slots(const schedules::Schedule& schedule);

} // namespace hopscotch::shim
