// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule whose blocks all have one size that every process knows: alltoall and allgather.
#include "shim/exchange/regular_exchange.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <cstring>

namespace hopscotch::shim
{

using schedules::Move;
using schedules::Place;
using schedules::Round;
using schedules::Slot;

std::vector<int> direct_slots(const schedules::Schedule& schedule)
{
    std::vector<bool> sent_on(static_cast<std::size_t>(schedule.arrivals), false);
    for (const auto& phase : schedule.phases)
        for (const Round& round : phase.rounds)
            for (const Slot& slot : round.sends)
                if (slot.place == Place::transit)
                    sent_on[static_cast<std::size_t>(slot.index)] = true;
    std::vector<int> slots;
    for (const auto& phase : schedule.phases)
        for (const Round& round : phase.rounds) {
            const bool whole = round.arrivals == 1 && round.deliveries.size() == 1 &&
                               !sent_on[static_cast<std::size_t>(round.first_arrival)];
            slots.push_back(whole ? round.deliveries.front().to.index : -1);
        }
    return slots;
}

RegularExchange::RegularExchange(schedules::Schedule planned, std::shared_ptr<ProcessGroup> group, int tag)
    : PhasedExchange(std::move(planned), std::move(group), tag), direct_slot_(direct_slots(schedule()))
{
    std::size_t blocks = 0;
    for (std::size_t r = 0; r < messages().rounds(); ++r) {
        const Round& round = messages().round(r);
        outgoing_offset_.push_back(blocks);
        blocks += round.sends.size();
        receives_ = receives_ || !round.deliveries.empty();
        sends_ = sends_ || std::any_of(round.sends.begin(), round.sends.end(),
                                       [](const Slot& slot) { return slot.place == Place::send; });
    }
    sends_ = sends_ || !schedule().copies.empty();
    receives_ = receives_ || !schedule().copies.empty();
    outgoing_offset_.push_back(blocks);
}

void RegularExchange::reserve()
{
    const std::size_t block_bytes = std::max(sent_bytes_, received_bytes_);
    if (block_bytes <= capacity_ && incoming_ != nullptr)
        return;
    incoming_.reset(new char[static_cast<std::size_t>(schedule().arrivals) * block_bytes + 1]);
    constexpr std::size_t room_for_complaint = 2;
    outgoing_.reset(new char[outgoing_offset_.back() * block_bytes + room_for_complaint]);
    capacity_ = block_bytes;
}

bool RegularExchange::received_in_place(std::size_t r) const
{
    if (direct_slot_[r] < 0)
        return false;
    const Block block = receive_block(direct_slot_[r]);
    return block.bytes == received_bytes_ && block.contiguous();
}

void RegularExchange::post_receive(std::size_t r)
{
    const Round& round = messages().round(r);
    char* const to = received_in_place(r) ? receive_block(direct_slot_[r]).data() : room(round.first_arrival);
    messages().receive(r, to, static_cast<std::size_t>(round.arrivals) * received_bytes_);
}

void RegularExchange::prepare(const BlockLayout& send, const BlockLayout& receive)
{
    sent_bytes_ = send.block_bytes();
    received_bytes_ = receive.block_bytes();
    if (forwards()) { // blocks of others rest here, whose size is known by that of its own only
        if (sends_ && receives_ && sent_bytes_ != received_bytes_)
            fail_for_sizes(sent_bytes_, received_bytes_);
        sent_bytes_ = received_bytes_ = sends_ ? sent_bytes_ : received_bytes_;
    }
    reserve();
}

/// Where the block of a slot lies as one run of bytes; null when it does not.
const char* RegularExchange::run_of_bytes(const Slot& slot) const
{
    if (slot.place == Place::transit)
        return room(slot.index);
    const Block block = send_block(slot.index);
    return block.contiguous() ? block.data() : nullptr;
}

/// In place of blocks that have not arrived, or in another size.
void RegularExchange::send_complaint(std::size_t r)
{
    const std::size_t bytes = complaint_bytes(sent_bytes_);
    char* const message = outgoing_.get() + outgoing_offset_[r] * sent_bytes_;
    std::memset(message, 0, bytes);
    messages().send(r, message, bytes);
    count_message(0);
}

void RegularExchange::send_round(std::size_t r)
{
    if (phase() > 0 && error_ != MPI_SUCCESS)
        return send_complaint(r);
    const Round& round = messages().round(r);
    const char* from = round.sends.size() == 1 ? run_of_bytes(round.sends.front()) : nullptr;
    if (from == nullptr) {
        char* to = outgoing_.get() + outgoing_offset_[r] * sent_bytes_;
        from = to;
        for (const Slot& slot : round.sends) {
            if (slot.place == Place::transit)
                std::memcpy(to, room(slot.index), sent_bytes_);
            else
                pack(send_block(slot.index), to);
            to += sent_bytes_;
        }
    }
    messages().send(r, from, round.sends.size() * sent_bytes_);
    count_message(round.sends.size() * sent_bytes_);
}

void RegularExchange::deliver_round(std::size_t r)
{
    const Round& round = messages().round(r);
    if (messages().error(r) != MPI_SUCCESS)
        fail(messages().error(r));
    else if (messages().bytes(r) != static_cast<std::size_t>(round.arrivals) * received_bytes_)
        fail(MPI_ERR_TRUNCATE);
    if (received_in_place(r))
        return;
    for (const Move& move : round.deliveries)
        unpack(room(move.from.index), received_bytes_, receive_block(move.to.index));
}

} // namespace hopscotch::shim
