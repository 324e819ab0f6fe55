// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out neighborhood collectives through memory shared on the node: no message between its processes.
#include "shim/exchange/shared_exchange.hpp"

#include "schedules/memory/slot_copies.hpp"
#include "shim/base/clock.hpp"
#include "shim/group/progress.hpp"
#include "shim/memory/segment.hpp"

#include <algorithm>
#include <limits>
#include <sched.h>

namespace hopscotch::shim
{

SharedExchange::SharedExchange(schedules::MemoryPlan plan, std::shared_ptr<Stream> stream,
                               std::shared_ptr<ProcessGroup> group, int tag, std::unique_ptr<Exchange> off_node)
    : plan_(std::move(plan)), stream_(std::move(stream)), group_(std::move(group)),
      direct_(group_, tag, plan_.on_node, std::min(plan_.cutoff_bytes, plan_.lent_from_bytes - 1)),
      form_(plan_, direct_, lending_), off_node_(std::move(off_node))
{
    const int own_index = group_->node_index(group_->rank());
    own_readings_ = &stream_->segment->readings(own_index, stream_->index);
    own_sleepers_ = &stream_->segment->sleepers(own_index, stream_->index);
    for (std::size_t which = 0; which < buffers_per_stream; ++which) {
        own_headers_[which] = header_of(own_index, which);
        own_buffers_[which] = stream_->segment->buffer(own_index, stream_->index, which);
    }
    for (const int rank : plan_.destinations)
        destinations_.push_back(
            {group_->node_index(rank), &stream_->segment->readings(group_->node_index(rank), stream_->index), no_turn});
    for (const schedules::MemoryPlan::Source& planned : plan_.sources) {
        const int process = group_->node_index(planned.rank);
        sources_.push_back(
            {planned, process, group_->process_id(process), {header_of(process, 0), header_of(process, 1)}});
    }
    changes_hands_ = group_->node_ranks().size() == 2 && !destinations_.empty() && !sources_.empty();
    if (changes_hands_) {
        front_room_ = front_room_of_two;
        own_buffers_[1] = stream_->segment->buffer(sources_.front().process, stream_->index, 0);
    }
}

SharedExchange::Header* SharedExchange::header_of(int process, std::size_t which) const noexcept
{
    return reinterpret_cast<Header*>(stream_->segment->front(process, stream_->index, which));
}

void SharedExchange::begin_turn(const BlockLayout& send, const BlockLayout& receive, SequenceNumber turn)
{
    start_counting();
    now_ = {};
    now_.send = &send;
    now_.receive = &receive;
    now_.number = turn;
    now_.stage = Stage::filling;
    now_.off_node_complete = off_node_ == nullptr;
    if (off_node_ != nullptr)
        off_node_->begin(send, receive);
    if (plan_.cutoff_bytes != std::numeric_limits<std::size_t>::max())
        count(direct_.start(send, receive));
    advance();
    move_own_blocks();
}

void SharedExchange::move_own_blocks()
{
    if (now_.send->dense() && now_.receive->dense() && now_.send->block_bytes() == now_.receive->block_bytes())
        return schedules::copy_to_slots(schedules::all(plan_.own), now_.send->block_bytes(), now_.send->dense_data(0),
                                        now_.receive->dense_data(0));
    for (const schedules::SlotRun& run : plan_.own)
        for (int i = 0; i < run.count; ++i) {
            const Block from = (*now_.send)[run.position + i];
            const Block to = (*now_.receive)[run.slot + i];
            if (from.bytes != to.bytes)
                fail(MPI_ERR_TRUNCATE);
            copy(from, to);
        }
}

/// The neighbors that read this buffer two turns ago must be done with it. If buffers change hands, this process must
/// also be done with the one that it read last.
bool SharedExchange::buffer_is_free() noexcept
{
    if (changes_hands_ && now_.number != no_turn + 1 &&
        own_readings_->last_done(now_.number - 1) != word_of(now_.number - 1))
        return false;
    if (all_ready_for_ == now_.number)
        return true;
    const SequenceNumber turn = now_.number;
    for (Destination& destination : destinations_) {
        if (destination.ready_for == turn)
            continue;
        if (!destination.readings->is_free(turn))
            return false;
        destination.ready_for = turn;
    }
    return true;
}

/// True if all neighbors have read the blocks of a turn that began before this one.
bool SharedExchange::is_read(int stream, SequenceNumber turn) const noexcept
{
    Segment& segment = *stream_->segment;
    if (segment.turns(stream).in_place[place_of(turn)].load(std::memory_order_acquire) != turn)
        return true; // a later one has its front
    return std::all_of(destinations_.begin(), destinations_.end(), [&](const Destination& destination) {
        return segment.readings(destination.process, stream).last_done(turn) == word_of(turn);
    });
}

/// The memory for the blocks of this turn, and the name of its place; null if there is none yet.
char* SharedExchange::find_place(std::uint32_t& place)
{
    form_.begin(*now_.send);
    place = in_front;
    if (form_.fits(*now_.send, front_room_))
        return behind(own_headers_[which()]);
    place = in_turn;
    if (changes_hands_ || !stream_->shares_buffers)
        return own_buffers_[which()];
    const std::size_t taken = stream_->segment->take_recent_buffer(
        stream_->index, now_.number, [this](int stream, SequenceNumber turn) { return is_read(stream, turn); });
    if (taken == schedules::RecentBuffers::none)
        return nullptr;
    place = first_recent + static_cast<std::uint32_t>(taken);
    return at(place, group_->node_index(group_->rank()));
}

/// The buffer of a process that is a place.
char* SharedExchange::at(std::uint32_t place, int process) const noexcept
{
    const Segment& segment = *stream_->segment;
    if (place == in_turn)
        return segment.buffer(process, stream_->index, which());
    const std::size_t buffer = (place - first_recent) % schedules::RecentBuffers::count;
    return segment.buffer(process, schedules::RecentBuffers::stream_of(buffer),
                          schedules::RecentBuffers::place_in_stream(buffer));
}

/// Prefetches the lines that a call is likely to write in a buffer: as many as the last call wrote.
void SharedExchange::prefetch_lines(std::size_t which) const noexcept
{
    const bool is_small = filled_bytes_ <= front_room_;
    prefetch_for_write(own_headers_[which], sizeof(Header) + (is_small ? filled_bytes_ : 0));
    if (!is_small && !changes_hands_ && !stream_->shares_buffers)
        prefetch_for_write(own_buffers_[which], filled_bytes_);
}

/// Shows the blocks; false if they have no place yet.
bool SharedExchange::fill()
{
    if (destinations_.empty())
        return true;
    prefetch_lines(which());
    stream_->turns().in_place[which()].store(now_.number, std::memory_order_release);
    Header& header = *own_headers_[which()];
    char* const to = find_place(header.place);
    if (to == nullptr)
        return false;
    const CopyTime time(form_.copies(), now_.copying);
    const BlockForm::Filled filled = form_.fill(*now_.send, to);
    count({0, 0, filled.block_bytes, 0});
    filled_bytes_ = filled.bytes;
    now_.lends = filled.lends;
    header.word = filled.word;
    header.done = own_readings_->last_done(now_.number - 1);
    if (now_.lends)
        now_.asks_seen = own_sleepers_->asks(); // before anyone can ask
    if (group_->any_yields())
        header.stamp.publish(now_.number, *own_sleepers_);
    else // nobody sleeps
        header.stamp.publish(now_.number);
    prefetch_lines(1 - which());
    return true;
}

inline BlockForm::Shown SharedExchange::shown(const Source& source, Header& header) const noexcept
{
    if (header.place == in_front)
        return {behind(&header), front_room, header.word, source.system_id};
    const std::size_t room = stream_->segment->buffer_bytes(stream_->index);
    if (!changes_hands_)
        return {at(header.place, source.process), room, header.word, source.system_id};
    const char* const read_now = own_buffers_[1 - which()];
    prefetch_for_write(read_now, filled_bytes_); // it is written next, and as much is likely there as was sent
    return {read_now, room, header.word, source.system_id};
}

/// Takes the blocks that have arrived. Whether all are there.
bool SharedExchange::deliver_arrived()
{
    const CopyTime time(form_.copies(), now_.copying);
    const std::uint32_t word = word_of(now_.number);
    const std::uint32_t word_before = word_of(now_.number - 1);
    // Kept in registers: stores into blocks might change anything else.
    const SequenceNumber turn = now_.number;
    Source* const sources = sources_.data();
    const std::size_t number = sources_.size();
    const bool dense = now_.receive->dense();
    const std::size_t block_bytes = now_.receive->block_bytes();
    char* const to = dense ? now_.receive->dense_data(0) : nullptr;
    for (std::size_t i = now_.delivered; i < number; now_.delivered = ++i) {
        Source& source = sources[i];
        Header& header = *source.headers[place_of(turn)];
        if (!header.stamp.has_word(word))
            return false;
        if (source.plan.destination >= 0 && header.done == word_before) { // the other buffer is free as far as it goes
            destinations_[static_cast<std::size_t>(source.plan.destination)].ready_for = turn + 1;
            ++now_.ready;
        }
        const BlockForm::Shown blocks = shown(source, header);
        if (dense && BlockForm::has_positions(source.plan, blocks, block_bytes)) {
            schedules::copy_to_slots(plan_.receiving_from(source.plan), block_bytes, blocks.begin, to);
            continue;
        }
        const auto lent = source.unread ? BlockForm::Lent::left : BlockForm::Lent::copied;
        bool missing = false;
        fail(form_.deliver(source.plan, blocks, *now_.receive, lent, missing));
        if (missing)
            source.missing = now_.missing = true;
    }
    if (now_.ready == destinations_.size())
        all_ready_for_ = now_.number + 1;
    return true;
}

void SharedExchange::finish_reading() noexcept
{
    own_readings_->set_done(now_.number);
    now_.stage = now_.lends ? Stage::lending : Stage::delivered;
    if (!form_.copies().measures())
        return;
    if (now_.lends)
        now_.copying -= ticks(); // add the wait until all have read
    else
        form_.note_copies(now_.copying, sent().payload_bytes);
}

/// Asks for blocks that this process could not copy, one source after the other, and receives them. A process asks only
/// after all have shown their blocks to it, and a lender answers until all have read: so no two processes wait for each
/// other.
bool SharedExchange::missing_is_there()
{
    for (; now_.asked < sources_.size(); ++now_.asked) {
        Source& source = sources_[now_.asked];
        if (!source.missing)
            continue;
        if (!now_.asks) {
            now_.asks = source.unread = true;
            direct_.receive_from(source.plan.rank, *now_.receive);
            const BlockForm::Shown blocks = shown(source, *source.headers[which()]);
            fail(form_.deliver(source.plan, blocks, *now_.receive, BlockForm::Lent::sent, source.missing));
            own_readings_->ask(now_.number, source.process);
            stream_->segment->sleepers(source.process, stream_->index).count_ask();
        }
        int code = MPI_SUCCESS;
        const bool complete = direct_.complete(code);
        fail(code);
        if (!complete)
            return false;
        now_.asks = source.missing = false;
    }
    return true;
}

/// Sends lent blocks to those who have asked for them since the last look.
void SharedExchange::answer()
{
    now_.asks_seen = own_sleepers_->asks();
    const int own_index = group_->node_index(group_->rank());
    for (std::size_t i = 0; i < destinations_.size(); ++i) {
        Destination& destination = destinations_[i];
        if (destination.answered == now_.number || !destination.readings->asks(now_.number, own_index))
            continue;
        destination.answered = now_.number;
        count({direct_.send_to(plan_.destinations[i], *now_.send).messages, 0, 0}); // their bytes have been counted
    }
}

/// True if all neighbors have read the blocks lent to them: the program may change them then. They have if another
/// exchange has filled the place again.
bool SharedExchange::lent_is_read()
{
    if (stream_->turns().in_place[which()].load(std::memory_order_relaxed) != now_.number)
        return true;
    if (own_sleepers_->asks() != now_.asks_seen)
        answer();
    if (int code = MPI_SUCCESS; !direct_.idle()) {
        direct_.complete(code);
        fail(code);
    }
    const std::uint32_t word = word_of(now_.number);
    while (now_.read_by < destinations_.size() && destinations_[now_.read_by].readings->last_done(now_.number) == word)
        ++now_.read_by;
    return now_.read_by == destinations_.size();
}

bool SharedExchange::advance()
{
    if (now_.stage == Stage::filling && buffer_is_free() && fill())
        now_.stage = Stage::arriving;
    if (now_.stage == Stage::arriving && deliver_arrived()) {
        if (now_.missing)
            now_.stage = Stage::asking;
        else
            finish_reading();
    }
    if (now_.stage == Stage::asking) {
        if (now_.lends)
            lent_is_read();
        if (missing_is_there())
            finish_reading();
    }
    if (now_.stage == Stage::lending && lent_is_read()) {
        lending_.take_back();
        now_.stage = Stage::delivered;
        if (form_.copies().measures()) {
            now_.copying += ticks();
            form_.note_copies(now_.copying, sent().payload_bytes);
        }
    }
    if (!now_.off_node_complete && off_node_->advance()) {
        now_.off_node_complete = true;
        fail(off_node_->error());
        count(off_node_->sent());
    }
    if (now_.stage != Stage::delivered || !now_.off_node_complete)
        return false;
    int code = MPI_SUCCESS;
    const bool complete = direct_.idle() || direct_.complete(code);
    fail(code);
    return complete;
}

void SharedExchange::idle(bool yields)
{
    constexpr unsigned looks_before_sleep = 1000;
    poll_now_and_then(now_.idle_looks, group_->communicator());
    if (!yields)
        return relax();
    if (now_.stage != Stage::arriving || !now_.off_node_complete || !direct_.idle() ||
        now_.idle_looks <= looks_before_sleep) {
        sched_yield();
        return;
    }
    const Source& source = sources_[now_.delivered];
    stream_->segment->sleepers(source.process, stream_->index).sleep_until(source.headers[which()]->stamp, now_.number);
}

} // namespace hopscotch::shim
