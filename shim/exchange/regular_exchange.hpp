// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule whose blocks all have one size that every process knows: alltoall and allgather.
#pragma once

#include "shim/exchange/phased_exchange.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// A message is its blocks back to back, nothing else. Where blocks are forwarded, one whose size differs at this
/// process from those it sends makes the call fail with MPI_ERR_TRUNCATE, after it has done its part for the others.
/// Else only the two ends of an edge need to agree, which is less than MPI demands.
class RegularExchange final : public PhasedExchange
{
  public:
    RegularExchange(schedules::Schedule planned, std::shared_ptr<ProcessGroup> group, int tag);

  private:
    void prepare(const BlockLayout& send, const BlockLayout& receive) override;
    void post_receive(std::size_t r) override;
    void send_round(std::size_t r) override;
    void deliver_round(std::size_t r) override;

    void reserve();
    void send_complaint(std::size_t r);
    const char* run_of_bytes(const schedules::Slot& slot) const;
    /// Room for a block in transit.
    char* room(int transit) const { return incoming_.get() + static_cast<std::size_t>(transit) * received_bytes_; }
    bool received_in_place(std::size_t r) const;

    std::vector<int> direct_slot_;             // by round: receive slot its only block may be received into, or -1
    std::vector<std::size_t> outgoing_offset_; // by round, in blocks
    bool sends_ = false;                       // blocks of the user's: else the size of the send buffer's says nothing
    bool receives_ = false;

    std::size_t sent_bytes_ = 0; // of a block; where blocks are forwarded both are the same
    std::size_t received_bytes_ = 0;
    std::size_t capacity_ = 0; // block bytes the buffers have room for
    std::unique_ptr<char[]> incoming_;
    std::unique_ptr<char[]> outgoing_;
};

/// For each round the receive slot that its message is for as a whole: one block, delivered once, not sent on; else -1.
std::vector<int> direct_slots(const schedules::Schedule& schedule);

} // namespace hopscotch::shim
