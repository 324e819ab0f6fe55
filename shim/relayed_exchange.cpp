// Carries out a forwarding schedule for blocks of any sizes: messages describe themselves.
#include "shim/relayed_exchange.hpp"

#include "shim/mpi_error.hpp"

#include <algorithm>
#include <cstring>

namespace hopscotch::shim
{

using schedules::Move;
using schedules::Place;
using schedules::Round;
using schedules::Slot;

namespace
{

/// Room for payload in a round's messages before anything is known of their sizes. Units: bytes per block.
constexpr std::size_t first_block_room = 256;

/// A block of this size or more cannot be described in a header and always travels directly.
constexpr std::size_t largest_relayed = std::size_t{1} << 30;

std::size_t header_bytes(std::size_t blocks)
{
    return blocks * sizeof(std::uint32_t);
}

/// The capacity after a message of `needed` bytes did not fit; the same at both ends.
std::size_t grown(std::size_t needed)
{
    return needed + needed / 2;
}

} // namespace

RelayedExchange::RelayedExchange(schedules::Schedule schedule, std::shared_ptr<ProcessGroup> group, int tag,
                                 std::size_t cutoff_bytes, schedules::Edges edges)
    : schedule_(std::move(schedule)), messages_(schedule_, group, tag), rests_(schedule_, group, tag + 1),
      direct_(group, tag + 2, std::move(edges), std::min(cutoff_bytes, largest_relayed)), in_(messages_.rounds()),
      out_(messages_.rounds()), arrived_(static_cast<std::size_t>(schedule_.arrivals)),
      has_rest_(messages_.rounds(), false)
{
    forwards_ = messages_.phases() > 1;
    for (std::size_t r = 0; r < messages_.rounds(); ++r) {
        const Round& round = messages_.round(r);
        const auto arrivals = static_cast<std::size_t>(round.arrivals);
        in_[r].capacity = header_bytes(arrivals) + arrivals * first_block_room;
        out_[r].capacity = header_bytes(round.sends.size()) + round.sends.size() * first_block_room;
    }
}

void RelayedExchange::post_receives()
{
    for (std::size_t r = 0; r < messages_.rounds(); ++r) {
        Channel& channel = in_[r];
        if (channel.bytes.size() < channel.capacity)
            channel.bytes.resize(channel.capacity);
        messages_.receive(r, channel.bytes.data(), channel.capacity);
        has_rest_[r] = false;
    }
}

void RelayedExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    start_counting();
    messages_.begin_call();
    send_ = &send;
    receive_ = &receive;
    phase_ = 0;
    stage_ = Stage::messages;
    post_receives();
    started_ = false;
    start_sending();
    direct_bytes_.clear();
    direct_.start(send, receive, direct_bytes_);
    for (const std::size_t bytes : direct_bytes_)
        count_message(bytes);
    for (const Move& move : schedule_.copies) {
        const Block from = send[move.from.index];
        const Block to = receive[move.to.index];
        if (from.bytes != to.bytes)
            fail(MPI_ERR_TRUNCATE);
        copy(from, to);
    }
}

RelayedExchange::SizeField RelayedExchange::size_of(const Slot& slot) const
{
    if (slot.place == Place::transit)
        return arrived_[static_cast<std::size_t>(slot.index)].size;
    const Block block = (*send_)[slot.index];
    return direct_.direct(block) ? direct : static_cast<SizeField>(block.bytes);
}

void RelayedExchange::send_round(std::size_t r)
{
    const Round& round = messages_.round(r);
    Channel& channel = out_[r];
    const std::size_t header = header_bytes(round.sends.size());
    std::size_t total = header;
    for (const Slot& slot : round.sends) {
        const SizeField size = size_of(slot);
        total += size == direct ? 0 : size;
    }
    if (channel.bytes.size() < total)
        channel.bytes.resize(total);
    char* to = channel.bytes.data() + header;
    for (std::size_t q = 0; q < round.sends.size(); ++q) {
        const Slot& slot = round.sends[q];
        const SizeField size = size_of(slot);
        std::memcpy(channel.bytes.data() + q * sizeof size, &size, sizeof size);
        if (size == direct)
            continue;
        if (slot.place == Place::transit) {
            const Arrived& block = arrived_[static_cast<std::size_t>(slot.index)];
            if (size > 0)
                std::memcpy(to, in_[block.round].bytes.data() + block.offset, size);
        } else {
            pack((*send_)[slot.index], to);
        }
        to += size;
    }
    const std::size_t now = std::min(total, channel.capacity);
    messages_.send(r, channel.bytes.data(), now);
    count_message(total - header);
    if (total > now) {
        rests_.send(r, channel.bytes.data() + now, total - now);
        count_message(0);
        channel.capacity = grown(total);
    }
}

void RelayedExchange::send_phase(std::size_t phase)
{
    for (std::size_t r = messages_.first_round(phase); r < messages_.first_round(phase + 1); ++r)
        if (messages_.round(r).destination != schedules::no_rank)
            send_round(r);
}

/// The first phase is sent as soon as the readers of an earlier call are done with what it is written over.
bool RelayedExchange::start_sending()
{
    if (!started_ && messages_.ready()) {
        started_ = true;
        if (messages_.phases() > 0)
            send_phase(0);
    }
    return started_;
}

/// Notes where the blocks of a message lie. True when a second message brings the rest of it.
bool RelayedExchange::read_header(std::size_t r)
{
    messages_.fetch(r);
    const Round& round = messages_.round(r);
    const auto blocks = static_cast<std::size_t>(round.arrivals);
    Channel& channel = in_[r];
    const std::size_t header = header_bytes(blocks);
    const bool readable = messages_.error(r) == MPI_SUCCESS && messages_.bytes(r) >= header;
    std::size_t offset = header;
    for (std::size_t q = 0; q < blocks; ++q) {
        Arrived& block = arrived_[static_cast<std::size_t>(round.first_arrival) + q];
        block.round = r;
        block.offset = offset;
        block.size = 0;
        if (readable)
            std::memcpy(&block.size, channel.bytes.data() + q * sizeof block.size, sizeof block.size);
        if (block.size != direct)
            offset += block.size;
    }
    const std::size_t total = offset;
    const bool whole = readable && messages_.bytes(r) == std::min(total, channel.capacity);
    if (!whole) { // not a message of this protocol, or cut short: its blocks count as empty
        fail(messages_.error(r) != MPI_SUCCESS ? messages_.error(r) : MPI_ERR_TRUNCATE);
        for (std::size_t q = 0; q < blocks; ++q)
            arrived_[static_cast<std::size_t>(round.first_arrival) + q].size = 0;
        return false;
    }
    if (total <= channel.capacity)
        return false;
    channel.bytes.resize(std::max(channel.bytes.size(), total));
    rests_.receive(r, channel.bytes.data() + channel.capacity, total - channel.capacity);
    channel.capacity = grown(total);
    return true;
}

void RelayedExchange::deliver(const Move& move)
{
    const Arrived& arrived = arrived_[static_cast<std::size_t>(move.from.index)];
    const Block block = (*receive_)[move.to.index];
    fail(direct_.settle(move.to.index, arrived.size == direct));
    if (arrived.size == direct)
        return;
    if (arrived.size != block.bytes)
        fail(MPI_ERR_TRUNCATE);
    unpack(in_[arrived.round].bytes.data() + arrived.offset, arrived.size, block);
}

void RelayedExchange::finish_round(std::size_t r)
{
    const Round& round = messages_.round(r);
    if (round.source == schedules::no_rank)
        return;
    if (has_rest_[r] && rests_.error(r) != MPI_SUCCESS)
        fail(rests_.error(r));
    for (const Move& move : round.deliveries)
        deliver(move);
}

/// True when the current phase is over and the next one has been sent.
bool RelayedExchange::advance_phase()
{
    const std::size_t first = messages_.first_round(phase_);
    const std::size_t last = messages_.first_round(phase_ + 1);
    if (stage_ == Stage::messages) {
        if (!messages_.arrived(phase_))
            return false;
        for (std::size_t r = first; r < last; ++r)
            has_rest_[r] = messages_.round(r).source != schedules::no_rank && read_header(r);
        stage_ = Stage::rests;
    }
    if (std::any_of(has_rest_.begin() + static_cast<std::ptrdiff_t>(first),
                    has_rest_.begin() + static_cast<std::ptrdiff_t>(last), [](bool rest) { return rest; }) &&
        !rests_.arrived(phase_))
        return false;
    for (std::size_t r = first; r < last; ++r)
        finish_round(r);
    if (++phase_ < messages_.phases())
        send_phase(phase_);
    else
        messages_.finish_call();
    stage_ = Stage::messages;
    return true;
}

bool RelayedExchange::advance()
{
    if (!start_sending())
        return false;
    while (phase_ < messages_.phases())
        if (!advance_phase())
            return false;
    int code = MPI_SUCCESS;
    bool complete = direct_.complete(code);
    complete = messages_.sent(code) && complete;
    complete = rests_.sent(code) && complete;
    fail(code);
    return complete;
}

} // namespace hopscotch::shim
