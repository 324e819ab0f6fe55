// Carries out a schedule whose blocks all have one size that every process knows: alltoall and allgather.
#pragma once

#include "schedules/schedule.hpp"
#include "shim/block_layout.hpp"
#include "shim/operation.hpp"
#include "shim/process_group.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// A message is its blocks back to back, nothing else. Made once per communicator and schedule, begun once per call.
class RegularOperation final : public Operation
{
  public:
    /// `tag`: of the messages; operations that may be in flight at once have different ones.
    RegularOperation(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag);

    /// Posts all receives, makes the local copies, sends the first phase. The layouts must live until completion.
    /// A block whose size differs from `block_bytes` at this process makes the operation fail with MPI_ERR_TRUNCATE,
    /// after it has done its part for the others.
    void begin(const BlockLayout& send, const BlockLayout& receive);

    bool advance() override;

    const schedules::Schedule& schedule() const noexcept { return schedule_; }

  private:
    struct RoundPlan {
        int direct_slot = -1; // receive slot the only block of the message may be received into without a copy
    };

    void reserve(std::size_t block_bytes);
    void post_receive(std::size_t round);
    void send_phase(std::size_t phase);
    void send_round(const schedules::Round& round, std::size_t index);
    bool receives_complete(std::size_t phase);
    void examine(std::size_t round, const MPI_Status& status, int code);
    void deliver(std::size_t round);
    bool sends_complete();
    const char* data_of(const schedules::Slot& slot) const;
    char* arrived(int transit) const { return incoming_.get() + static_cast<std::size_t>(transit) * block_bytes_; }
    bool received_in_place(std::size_t round) const;

    schedules::Schedule schedule_;
    std::shared_ptr<ProcessGroup> group_;
    int tag_;
    std::vector<const schedules::Round*> rounds_; // of all phases, in order
    std::vector<RoundPlan> plans_;                // by round
    std::vector<std::size_t> first_round_;        // by phase, and one past the last
    std::vector<MPI_Request> receives_;           // by round
    std::vector<MPI_Request> sends_;              // by round
    std::vector<MPI_Status> statuses_;
    std::vector<std::size_t> outgoing_offset_; // by round, in blocks
    std::size_t volume_ = 0;                   // blocks sent

    const BlockLayout* send_ = nullptr;
    const BlockLayout* receive_ = nullptr;
    std::size_t block_bytes_ = 0;
    std::size_t capacity_ = 0; // block bytes the buffers have room for
    std::unique_ptr<char[]> incoming_;
    std::unique_ptr<char[]> outgoing_;
    std::size_t phase_ = 0;
    bool all_received_ = false;
};

} // namespace hopscotch::shim
