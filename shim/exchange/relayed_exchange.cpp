// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out a forwarding schedule for blocks of any sizes: messages describe themselves.
#include "shim/exchange/relayed_exchange.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::HeaderFormat;
using schedules::MessageLayout;
using schedules::Move;
using schedules::Place;
using schedules::Placement;
using schedules::Round;
using schedules::Slot;

namespace
{

/// Room for payload in a round's messages before anything is known of their sizes. Units: bytes per block.
constexpr std::size_t first_block_room = 256;

constexpr HeaderFormat format(sizeof(std::uint32_t));

/// The capacity after a message of `needed` bytes did not fit; the same at both ends.
std::size_t grown(std::size_t needed)
{
    return needed + needed / 2;
}

} // namespace

RelayedExchange::RelayedExchange(schedules::Schedule planned, std::shared_ptr<ProcessGroup> group, int tag,
                                 std::size_t cutoff_bytes, schedules::Edges edges)
    : PhasedExchange(std::move(planned), group, tag), rests_(schedule(), group, tag + 1),
      direct_(group, tag + 2, std::move(edges), std::min(cutoff_bytes, format.largest_block())),
      in_(messages().rounds()), has_rest_(messages().rounds(), false)
{
    const auto first_capacity = [](std::size_t blocks) {
        return format.plain_bytes(blocks) + blocks * first_block_room;
    };
    for (std::size_t r = 0; r < messages().rounds(); ++r) {
        const Round& round = messages().round(r);
        in_[r].capacity = first_capacity(static_cast<std::size_t>(round.arrivals));
        out_.push_back({first_capacity(round.sends.size()), {}, MessageWriter(format)});
        round_of_.insert(round_of_.end(), static_cast<std::size_t>(round.arrivals), r);
    }
}

void RelayedExchange::prepare(const BlockLayout&, const BlockLayout&)
{
    stage_ = Stage::messages;
    has_rest_.assign(messages().rounds(), false);
}

void RelayedExchange::post_receive(std::size_t r)
{
    Incoming& incoming = in_[r];
    if (incoming.bytes.size() < incoming.capacity)
        incoming.bytes.resize(incoming.capacity);
    messages().receive(r, incoming.bytes.data(), incoming.capacity);
}

void RelayedExchange::start_others(const BlockLayout& send, const BlockLayout& receive)
{
    direct_bytes_.clear();
    direct_.start(send, receive, direct_bytes_);
    for (const std::size_t bytes : direct_bytes_)
        count_message(bytes);
}

/// The blocks of a round's message, for its writer.
void RelayedExchange::collect(std::size_t r)
{
    MessageWriter& writer = out_[r].writer;
    writer.begin();
    for (const Slot& slot : messages().round(r).sends) {
        if (slot.place == Place::transit) {
            const std::size_t from = round_of_[static_cast<std::size_t>(slot.index)];
            const Incoming& incoming = in_[from];
            writer.add_arrived(incoming.bytes.data() + incoming.payload, incoming.layout,
                               static_cast<std::size_t>(slot.index - messages().round(from).first_arrival));
        } else if (const Block block = send_block(slot.index); direct_.direct(block)) {
            writer.add_absent();
        } else {
            writer.add(block);
        }
    }
}

void RelayedExchange::send_round(std::size_t r)
{
    Outgoing& outgoing = out_[r];
    MessageWriter& writer = outgoing.writer;
    collect(r);
    writer.plan(outgoing.capacity); // the receiver must find the whole header in the first message
    const std::size_t total = writer.bytes();
    if (outgoing.bytes.size() < total)
        outgoing.bytes.resize(total);
    writer.write(outgoing.bytes.data());
    const std::size_t now = std::min(total, outgoing.capacity);
    messages().send(r, outgoing.bytes.data(), now);
    count_message(writer.payload_bytes());
    count_saved(writer.saved_bytes());
    if (total > now) {
        rests_.send(r, outgoing.bytes.data() + now, total - now);
        count_message(0);
        outgoing.capacity = grown(total);
    }
}

/// Not a message of this protocol, or cut short: its blocks count as empty.
void RelayedExchange::refuse(std::size_t r, int code)
{
    MessageLayout& layout = in_[r].layout;
    layout.clear();
    for (int q = 0; q < messages().round(r).arrivals; ++q)
        layout.append(0);
    fail(code);
}

/// Notes where the blocks of a message lie. True when a second message brings the rest of it.
bool RelayedExchange::read_header(std::size_t r)
{
    Incoming& incoming = in_[r];
    const bool readable = messages().error(r) == MPI_SUCCESS &&
                          format.read(incoming.bytes.data(), messages().bytes(r),
                                      static_cast<std::size_t>(messages().round(r).arrivals), incoming.layout);
    incoming.payload = readable ? format.bytes(incoming.layout) : 0;
    const std::size_t total = readable ? incoming.payload + incoming.layout.payload_bytes : 0;
    if (!readable || messages().bytes(r) != std::min(total, incoming.capacity)) {
        refuse(r, messages().error(r) != MPI_SUCCESS ? messages().error(r) : MPI_ERR_TRUNCATE);
        return false;
    }
    if (total <= incoming.capacity)
        return false;
    incoming.bytes.resize(std::max(incoming.bytes.size(), total));
    rests_.receive(r, incoming.bytes.data() + incoming.capacity, total - incoming.capacity);
    incoming.capacity = grown(total);
    return true;
}

void RelayedExchange::deliver(std::size_t r, const Move& move)
{
    const Incoming& incoming = in_[r];
    const auto position = static_cast<std::size_t>(move.from.index - messages().round(r).first_arrival);
    const schedules::PlacedBlock& arrived = incoming.layout.blocks[position];
    const Block block = receive_block(move.to.index);
    const bool absent = arrived.placement == Placement::absent;
    fail(direct_.settle(move.to.index, absent));
    if (absent)
        return;
    if (arrived.bytes != block.bytes)
        fail(MPI_ERR_TRUNCATE);
    unpack(incoming.layout, position, incoming.bytes.data() + incoming.payload, block, scratch_);
}

void RelayedExchange::deliver_round(std::size_t r)
{
    if (has_rest_[r] && rests_.error(r) != MPI_SUCCESS)
        fail(rests_.error(r));
    for (const Move& move : messages().round(r).deliveries)
        deliver(r, move);
}

bool RelayedExchange::phase_arrived()
{
    const std::size_t first = messages().first_round(phase());
    const std::size_t last = messages().first_round(phase() + 1);
    if (stage_ == Stage::messages) {
        if (!messages().arrived(phase()))
            return false;
        for (std::size_t r = first; r < last; ++r)
            has_rest_[r] = messages().round(r).source != schedules::no_rank && read_header(r);
        stage_ = Stage::rests;
    }
    if (std::any_of(has_rest_.begin() + static_cast<std::ptrdiff_t>(first),
                    has_rest_.begin() + static_cast<std::ptrdiff_t>(last), [](bool rest) { return rest; }) &&
        !rests_.arrived(phase()))
        return false;
    stage_ = Stage::messages;
    return true;
}

bool RelayedExchange::all_sent(int& error)
{
    bool complete = direct_.complete(error);
    complete = messages().sent(error) && complete;
    return rests_.sent(error) && complete;
}

} // namespace hopscotch::shim
