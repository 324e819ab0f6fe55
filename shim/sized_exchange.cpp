// Carries out a schedule without forwarding for blocks of any sizes: both ends of an edge know the size of its block.
#include "shim/sized_exchange.hpp"

#include "schedules/topology.hpp"
#include "shim/mpi_error.hpp"

#include <cstring>

namespace hopscotch::shim
{

using schedules::Move;
using schedules::Round;
using schedules::Slot;

namespace
{

/// Messages lie in the buffer at multiples of this, so that their size fields are aligned.
constexpr std::size_t alignment = 16;

std::size_t aligned(std::size_t bytes)
{
    return (bytes + alignment - 1) / alignment * alignment;
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

SizedExchange::SizedExchange(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag)
    : schedule_(std::move(schedule)), messages_(schedule_, std::move(group), tag), in_(messages_.rounds()),
      out_(messages_.rounds())
{
}

void SizedExchange::plan(const BlockLayout& send, const BlockLayout& receive)
{
    std::size_t offset = 0;
    const auto place = [&offset](Message& message, std::size_t blocks, bool in_place) {
        message.bytes += blocks > 1 ? blocks * sizeof(SizeField) : 0;
        message.in_place = in_place;
        message.offset = offset;
        if (!in_place)
            offset = aligned(offset + message.bytes);
    };
    for (std::size_t r = 0; r < messages_.rounds(); ++r) {
        const Round& round = messages_.round(r);
        out_[r].bytes = 0;
        for (const Slot& slot : round.sends)
            out_[r].bytes += send[slot.index].bytes;
        place(out_[r], round.sends.size(), round.sends.size() == 1 && send[round.sends.front().index].contiguous());

        in_[r].bytes = 0;
        for (int q = 0; q < round.arrivals; ++q)
            if (const Move* move = delivery_of(round, q))
                in_[r].bytes += receive[move->to.index].bytes;
        place(in_[r], static_cast<std::size_t>(round.arrivals),
              round.arrivals == 1 && round.deliveries.size() == 1 &&
                  receive[round.deliveries.front().to.index].contiguous());
    }
    if (buffer_ == nullptr || offset > capacity_) {
        buffer_.reset(new char[offset + alignment]);
        capacity_ = offset;
    }
}

void SizedExchange::send_round(std::size_t r, const BlockLayout& send)
{
    const Round& round = messages_.round(r);
    const char* from = nullptr;
    std::size_t header = 0;
    if (out_[r].in_place) {
        from = send[round.sends.front().index].data();
    } else {
        char* const place = messages_.place(r, out_[r].bytes);
        char* const message = place != nullptr ? place : buffer_.get() + out_[r].offset;
        header = round.sends.size() > 1 ? round.sends.size() * sizeof(SizeField) : 0;
        char* to = message + header;
        for (std::size_t q = 0; q < round.sends.size(); ++q) {
            const Block block = send[round.sends[q].index];
            const SizeField size = block.bytes;
            if (header > 0)
                std::memcpy(message + q * sizeof size, &size, sizeof size);
            pack(block, to);
            to += block.bytes;
        }
        from = message;
    }
    messages_.send(r, from, out_[r].bytes);
    count_message(out_[r].bytes - header);
}

void SizedExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    start_counting();
    messages_.begin_call();
    receive_ = &receive;
    received_ = messages_.rounds() == 0;
    plan(send, receive);
    for (std::size_t r = 0; r < messages_.rounds(); ++r) {
        const Round& round = messages_.round(r);
        char* const to =
            in_[r].in_place ? receive[round.deliveries.front().to.index].data() : buffer_.get() + in_[r].offset;
        messages_.receive(r, to, in_[r].bytes);
    }
    send_ = &send;
    started_ = false;
    start_sending();
    for (const Move& move : schedule_.copies) {
        const Block from = send[move.from.index];
        const Block to = receive[move.to.index];
        if (from.bytes != to.bytes)
            fail(MPI_ERR_TRUNCATE);
        copy(from, to);
    }
}

/// As soon as the readers of an earlier call are done with what is written over.
bool SizedExchange::start_sending()
{
    if (started_ || !messages_.ready())
        return started_;
    started_ = true;
    for (std::size_t r = 0; r < messages_.rounds(); ++r)
        if (messages_.round(r).destination != schedules::no_rank)
            send_round(r, *send_);
    return true;
}

void SizedExchange::deliver_blocks(const Round& round, const char* message, std::size_t bytes)
{
    const auto blocks = static_cast<std::size_t>(round.arrivals);
    const std::size_t header = blocks > 1 ? blocks * sizeof(SizeField) : 0;
    if (bytes < header)
        return fail(MPI_ERR_TRUNCATE);
    offsets_.assign(blocks + 1, header);
    for (std::size_t q = 0; q < blocks; ++q) {
        SizeField size = bytes - header;
        if (header > 0)
            std::memcpy(&size, message + q * sizeof size, sizeof size);
        if (size > bytes - offsets_[q])
            return fail(MPI_ERR_TRUNCATE);
        offsets_[q + 1] = offsets_[q] + static_cast<std::size_t>(size);
    }
    for (const Move& move : round.deliveries) {
        const auto q = static_cast<std::size_t>(move.from.index - round.first_arrival);
        const Block block = (*receive_)[move.to.index];
        const std::size_t size = offsets_[q + 1] - offsets_[q];
        if (size != block.bytes)
            fail(MPI_ERR_TRUNCATE);
        unpack(message + offsets_[q], size, block);
    }
}

void SizedExchange::deliver(std::size_t r)
{
    const Round& round = messages_.round(r);
    if (round.source == schedules::no_rank)
        return;
    if (messages_.error(r) != MPI_SUCCESS)
        return fail(messages_.error(r));
    if (messages_.bytes(r) != in_[r].bytes)
        fail(MPI_ERR_TRUNCATE);
    if (in_[r].in_place)
        messages_.fetch(r);
    else
        deliver_blocks(round, messages_.data(r), messages_.bytes(r));
}

bool SizedExchange::advance()
{
    if (!start_sending())
        return false;
    if (!received_) {
        if (messages_.phases() > 0 && !messages_.arrived(0))
            return false;
        for (std::size_t r = 0; r < messages_.rounds(); ++r)
            deliver(r);
        received_ = true;
        messages_.finish_call();
    }
    int code = MPI_SUCCESS;
    if (!messages_.sent(code))
        return false;
    fail(code);
    return true;
}

} // namespace hopscotch::shim
