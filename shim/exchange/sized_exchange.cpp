// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a schedule without forwarding for blocks of any sizes: both ends of an edge know the size of its block.
#include "shim/exchange/sized_exchange.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <cstdint>
#include <limits>

namespace hopscotch::shim
{

using schedules::HeaderFormat;
using schedules::Move;
using schedules::Round;
using schedules::Slot;

namespace
{

constexpr HeaderFormat format(sizeof(std::uint64_t));

/// Messages lie in the buffer at multiples of this, so that their headers are aligned.
constexpr std::size_t alignment = 16;

std::size_t aligned(std::size_t bytes)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Of a message with so many blocks whose sizes both ends expect. A single one needs none.
std::size_t header_bytes(std::size_t blocks)
{
    return blocks > 1 ? format.plain_bytes(blocks) : 0;
}

/// Delivered blocks per arrived block is one in alltoall; an allgather's block may go to several slots.
const Move* delivery_of(const Round& round, int q)
{
    for (const Move& move : round.deliveries)
        if (move.from.index == round.first_arrival + q)
            return &move;
    return nullptr;
}

} // namespace

SizedExchange::SizedExchange(schedules::Schedule planned, std::shared_ptr<ProcessGroup> group, int tag)
    : PhasedExchange(std::move(planned), std::move(group), tag), in_(messages().rounds()), out_(messages().rounds()),
      writers_(messages().rounds(), MessageWriter(format))
{
}

void SizedExchange::place(Message& message)
{
    message.offset = planned_;
    if (!message.in_place)
        planned_ = aligned(planned_ + message.bytes);
}

void SizedExchange::plan_outgoing(std::size_t r, const BlockLayout& send)
{
    const Round& round = messages().round(r);
    Message& message = out_[r];
    if (round.sends.size() == 1) {
        const Block block = send[round.sends.front().index];
        message.bytes = block.bytes;
        message.in_place = block.contiguous();
        return place(message);
    }
    MessageWriter& writer = writers_[r];
    writer.begin();
    for (const Slot& slot : round.sends)
        writer.add(send[slot.index]);
    writer.plan(std::numeric_limits<std::size_t>::max());
    message.bytes = writer.bytes();
    place(message);
}

void SizedExchange::plan_incoming(std::size_t r, const BlockLayout& receive)
{
    const Round& round = messages().round(r);
    Message& message = in_[r];
    message.bytes = header_bytes(static_cast<std::size_t>(round.arrivals));
    for (int q = 0; q < round.arrivals; ++q)
        if (const Move* move = delivery_of(round, q))
            message.bytes += receive[move->to.index].bytes;
    message.in_place =
        round.arrivals == 1 && round.deliveries.size() == 1 && receive[round.deliveries.front().to.index].contiguous();
    place(message);
}

/// Sizes of all messages, and room for those that do not lie in the user's memory.
void SizedExchange::prepare(const BlockLayout& send, const BlockLayout& receive)
{
    planned_ = 0;
    for (std::size_t r = 0; r < messages().rounds(); ++r) {
        plan_outgoing(r, send);
        plan_incoming(r, receive);
    }
    if (buffer_ == nullptr || planned_ > capacity_) {
        buffer_.reset(new char[planned_ + alignment]);
        capacity_ = planned_;
    }
}

void SizedExchange::send_round(std::size_t r)
{
    const Round& round = messages().round(r);
    const Message& message = out_[r];
    const bool single = round.sends.size() == 1;
    if (message.in_place) {
        messages().send(r, send_block(round.sends.front().index).data(), message.bytes);
    } else {
        char* const to = buffer_.get() + message.offset;
        if (single)
            pack(send_block(round.sends.front().index), to);
        else
            writers_[r].write(to);
        messages().send(r, to, message.bytes);
    }
    count_message(single ? message.bytes : writers_[r].payload_bytes());
    count_saved(single ? 0 : writers_[r].saved_bytes());
}

void SizedExchange::post_receive(std::size_t r)
{
    const Message& message = in_[r];
    char* const to = message.in_place ? receive_block(messages().round(r).deliveries.front().to.index).data()
                                      : buffer_.get() + message.offset;
    messages().receive(r, to, message.bytes);
}

void SizedExchange::deliver_blocks(const Round& round, const char* message, std::size_t bytes)
{
    const auto blocks = static_cast<std::size_t>(round.arrivals);
    const std::size_t header = header_bytes(blocks);
    layout_.clear();
    if (header == 0)
        layout_.append(bytes);
    else if (!format.read(message, bytes, blocks, layout_) || format.bytes(layout_) + layout_.payload_bytes != bytes)
        return fail(MPI_ERR_TRUNCATE);
    const char* const payload = message + (header == 0 ? 0 : format.bytes(layout_));
    for (const Move& move : round.deliveries) {
        const auto q = static_cast<std::size_t>(move.from.index - round.first_arrival);
        const Block block = receive_block(move.to.index);
        if (layout_.blocks[q].bytes != block.bytes)
            fail(MPI_ERR_TRUNCATE);
        unpack(layout_, q, payload, block, scratch_);
    }
}

void SizedExchange::deliver_round(std::size_t r)
{
    const Round& round = messages().round(r);
    if (messages().error(r) != MPI_SUCCESS)
        return fail(messages().error(r));
    if (round.arrivals == 1 && messages().bytes(r) != in_[r].bytes)
        fail(MPI_ERR_TRUNCATE);
    if (!in_[r].in_place)
        deliver_blocks(round, buffer_.get() + in_[r].offset, messages().bytes(r));
}

} // namespace hopscotch::shim
