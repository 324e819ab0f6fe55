// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule by messages, phase by phase.
#include "shim/exchange/scheduled_exchange.hpp"

#include "schedules/grid/topology.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::Move;
using schedules::PlacedBlock;
using schedules::Round;
using schedules::Slot;

namespace
{

/// The previous content stays.
char* room_for_bytes(std::vector<char>& room, std::size_t bytes)
{
    if (room.size() < bytes)
        room.resize(bytes);
    return room.data();
}

} // namespace

ScheduledExchange::ScheduledExchange(ExchangePlan plan, schedules::SizesAre sizes, std::shared_ptr<ProcessGroup> group,
                                     int tag)
    : schedule_(std::move(plan.schedule)), messages_(schedule_, group, tag), rests_(schedule_, group, tag + 1),
      format_(schedules::make_format(sizes, schedule_)),
      direct_(group, tag + 2, std::move(plan.edges), std::min(plan.cutoff_bytes, format_->header().largest_block())),
      in_(messages_.rounds()), bringing_(schedules::bringing_rounds(schedule_))
{
    forwards_ = messages_.phases() > 1;
    const std::vector<int> whole_slots = schedules::whole_message_slots(schedule_);
    for (std::size_t r = 0; r < messages_.rounds(); ++r) {
        in_[r].whole_slot = format_->is_bare(1) ? whole_slots[r] : -1;
        out_.push_back({MessageWriter(format_->header(), messages_.round(r).sends.size()), {}});
    }
}

void ScheduledExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    start_counting();
    now_ = {&send, &receive};
    if (!format_->begin(send.block_bytes(), receive.block_bytes()))
        fail_for_sizes(send.block_bytes(), receive.block_bytes());
    for (std::size_t r = 0; r < messages_.rounds(); ++r)
        post_receive(r);
    if (messages_.phases() > 0)
        send_phase();
    count(direct_.start(send, receive));
    for (const Move& move : schedule_.copies) {
        const Block from = send[move.from.index];
        const Block to = receive[move.to.index];
        if (from.bytes != to.bytes)
            fail(MPI_ERR_TRUNCATE);
        copy(from, to);
    }
}

void ScheduledExchange::post_receive(std::size_t r)
{
    Incoming& incoming = in_[r];
    incoming.capacity = format_->capacity(r, [this](int slot) { return (*now_.receive)[slot].bytes; });
    incoming.has_rest = false;
    const Block whole = incoming.whole_slot >= 0 ? (*now_.receive)[incoming.whole_slot] : Block();
    incoming.in_place = incoming.whole_slot >= 0 && whole.bytes == incoming.capacity && whole.contiguous();
    incoming.at = incoming.in_place ? whole.data() : room_for_bytes(incoming.room, incoming.capacity);
    messages_.receive(r, incoming.at, incoming.capacity);
}

void ScheduledExchange::send_phase()
{
    for (std::size_t r = messages_.first_round(now_.phase); r < messages_.first_round(now_.phase + 1); ++r)
        if (messages_.round(r).destination != schedules::no_rank)
            format_->is_bare(messages_.round(r).sends.size()) ? send_bare(r) : send_with_header(r);
}

/// Blocks back to back; a single one that is one run of bytes is sent without a copy.
void ScheduledExchange::send_bare(std::size_t r)
{
    static char complaint = 0; // if all blocks are empty, a missing block makes no message shorter
    const Round& round = messages_.round(r);
    char* message = nullptr;
    std::size_t bytes = 0;
    for (const Slot& slot : round.sends) {
        const Block block =
            slot.place == schedules::Place::transit ? transit_block(slot.index) : (*now_.send)[slot.index];
        if (round.sends.size() == 1 && block.contiguous()) {
            message = block.data();
        } else {
            message = room_for_bytes(out_[r].room, bytes + block.bytes);
            pack(block, message + bytes);
        }
        bytes += block.bytes;
    }
    const bool complains = bytes == 0 && now_.phase > 0 && error_ != MPI_SUCCESS;
    const std::size_t sent_bytes = complains ? sizeof complaint : bytes;
    messages_.send(r, complains ? &complaint : message, sent_bytes);
    count({1, sent_bytes, bytes, 0});
}

/// A block of a message without header.
Block ScheduledExchange::transit_block(int index) const
{
    const std::size_t r = bringing_[static_cast<std::size_t>(index)];
    const PlacedBlock& placed =
        in_[r].arrived.layout.blocks[static_cast<std::size_t>(index - messages_.round(r).first_arrival)];
    Block block;
    block.address = in_[r].at + placed.offset;
    block.bytes = placed.bytes;
    return block;
}

/// The blocks of a round's message, for its writer.
void ScheduledExchange::collect(std::size_t r)
{
    MessageWriter& writer = out_[r].writer;
    writer.begin();
    for (const Slot& slot : messages_.round(r).sends) {
        if (slot.place == schedules::Place::transit) {
            const std::size_t from = bringing_[static_cast<std::size_t>(slot.index)];
            writer.add_arrived(in_[from].payload(), in_[from].arrived.layout,
                               static_cast<std::size_t>(slot.index - messages_.round(from).first_arrival));
        } else if (const Block block = (*now_.send)[slot.index]; direct_.direct(block)) {
            writer.add_absent();
        } else {
            writer.add(block);
        }
    }
}

void ScheduledExchange::send_with_header(std::size_t r)
{
    MessageWriter& writer = out_[r].writer;
    collect(r);
    writer.plan(format_->most_header_bytes(r));
    const std::size_t total = writer.bytes();
    const std::size_t now = format_->leaves_at_once(r, total);
    char* const message = room_for_bytes(out_[r].room, total);
    writer.write(message);
    messages_.send(r, message, now);
    count({1, now, writer.payload_bytes(), writer.saved_bytes()});
    if (total == now)
        return;
    rests_.send(r, message + now, total - now);
    count({1, total - now, 0, 0});
}

/// Finds the blocks of a message, and posts the receive of its rest if there is one.
void ScheduledExchange::read_message(std::size_t r)
{
    Incoming& incoming = in_[r];
    schedules::Arrived& arrived = incoming.arrived;
    if (messages_.error(r) != MPI_SUCCESS || !format_->read(r, incoming.at, messages_.bytes(r), arrived)) {
        fail(messages_.error(r) != MPI_SUCCESS ? messages_.error(r) : MPI_ERR_TRUNCATE);
        arrived.layout.clear();
        for (int q = 0; q < messages_.round(r).arrivals; ++q)
            arrived.layout.append(0);
        return;
    }
    incoming.has_rest = arrived.bytes() > messages_.bytes(r);
    if (!incoming.has_rest)
        return;
    incoming.at = room_for_bytes(incoming.room, arrived.bytes());
    rests_.receive(r, incoming.at + incoming.capacity, arrived.bytes() - incoming.capacity);
}

bool ScheduledExchange::phase_arrived()
{
    if (!now_.headers_read) {
        if (!messages_.arrived(now_.phase))
            return false;
        for (std::size_t r = messages_.first_round(now_.phase); r < messages_.first_round(now_.phase + 1); ++r)
            if (messages_.round(r).source != schedules::no_rank)
                read_message(r);
        now_.headers_read = true;
    }
    if (!rests_.arrived(now_.phase))
        return false;
    now_.headers_read = false;
    return true;
}

void ScheduledExchange::deliver_round(std::size_t r)
{
    const Incoming& incoming = in_[r];
    const Round& round = messages_.round(r);
    const schedules::MessageLayout& layout = incoming.arrived.layout;
    if (incoming.has_rest)
        fail(rests_.error(r));
    for (const Move& move : round.deliveries) {
        const auto position = static_cast<std::size_t>(move.from.index - round.first_arrival);
        const PlacedBlock& arrived = layout.blocks[position];
        const bool absent = arrived.placement == schedules::Placement::absent;
        if (absent || !direct_.idle())
            fail(direct_.settle(move.to.index, absent));
        if (absent)
            continue;
        const Block block = (*now_.receive)[move.to.index];
        if (arrived.bytes != block.bytes)
            fail(MPI_ERR_TRUNCATE);
        if (!incoming.in_place)
            unpack(layout, position, incoming.payload(), block, scratch_);
    }
}

bool ScheduledExchange::advance()
{
    int code = MPI_SUCCESS;
    messages_.sent(code); // most are from the start; to look at the end may give the core away in vain
    fail(code);
    while (now_.phase < messages_.phases()) {
        if (!phase_arrived())
            return false;
        for (std::size_t r = messages_.first_round(now_.phase); r < messages_.first_round(now_.phase + 1); ++r)
            if (messages_.round(r).source != schedules::no_rank)
                deliver_round(r);
        if (++now_.phase < messages_.phases())
            send_phase();
    }
    bool complete = direct_.idle() || direct_.complete(code);
    complete = messages_.sent(code) && complete;
    complete = rests_.sent(code) && complete;
    fail(code);
    return complete;
}

} // namespace hopscotch::shim
