// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries out neighborhood collectives through memory shared on the node: no message between its processes.
#include "shim/exchange/shared_exchange.hpp"

#include "schedules/room.hpp"
#include "shim/memory/prefetch.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/progress.hpp"

#include <algorithm>
#include <sched.h>

namespace hopscotch::shim
{

namespace
{

std::vector<int> distinct_others(const std::vector<int>& ranks, int self)
{
    std::vector<int> result;
    for (const int rank : ranks)
        if (rank != schedules::no_rank && rank != self)
            result.push_back(rank);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

} // namespace

SharedExchange::SharedExchange(std::shared_ptr<Stream> stream, std::shared_ptr<ProcessGroup> group, SharedEdges edges,
                               BufferForm form, std::unique_ptr<Exchange> off_node, int direct_tag, int most_blocks)
    : stream_(std::move(stream)), group_(std::move(group)), edges_(std::move(edges)), form_(form),
      off_node_(std::move(off_node)),
      direct_(group_, direct_tag, edges_.on_node,
              schedules::largest_block_in(stream_->segment->buffer_bytes(stream_->index), most_blocks))
{
    static_assert(schedules::overhead_per_block == 2 * sizeof(Header), "more than an entry of the table");
    for (const int rank : edges_.destinations)
        blocks_sent_ += rank != schedules::no_rank ? 1 : 0;
    const Segment& segment = *stream_->segment;
    const int own_index = group_->node_index(group_->rank());
    own_readings_ = &segment.readings(own_index, stream_->index);
    own_sleepers_ = &segment.sleepers(own_index, stream_->index);
    for (std::size_t which = 0; which < buffers_per_stream; ++which) {
        own_headers_[which] = reinterpret_cast<Header*>(segment.front(own_index, stream_->index, which));
        own_buffers_[which] = segment.buffer(own_index, stream_->index, which);
    }
    add_destinations(segment);
    add_sources(segment);
    for (const schedules::Move& move : edges_.self)
        append_slot(own_block_runs_, move.to.index, move.from.index);
}

void SharedExchange::add_destinations(const Segment& segment)
{
    for (const int rank : distinct_others(edges_.on_node.destinations, group_->rank()))
        destinations_.push_back({&segment.readings(group_->node_index(rank), stream_->index), no_turn});
    const std::vector<int>& ranks = edges_.on_node.destinations;
    for (std::size_t slot = 0; slot < ranks.size(); ++slot) {
        if (ranks[slot] == schedules::no_rank || ranks[slot] == group_->rank())
            continue;
        append_slot(sending_runs_, static_cast<int>(slot), edges_.positions[slot]);
        ++blocks_sent_on_node_;
    }
}

void SharedExchange::add_sources(const Segment& segment)
{
    const std::vector<int> destinations = distinct_others(edges_.on_node.destinations, group_->rank());
    const std::vector<int>& ranks = edges_.on_node.sources;
    for (const int rank : distinct_others(ranks, group_->rank())) {
        const int index = group_->node_index(rank);
        Source source;
        source.process = index;
        for (std::size_t which = 0; which < buffers_per_stream; ++which)
            source.headers[which] = reinterpret_cast<Header*>(segment.front(index, stream_->index, which));
        std::vector<SlotRun> runs;
        for (std::size_t slot = 0; slot < ranks.size(); ++slot)
            if (ranks[slot] == rank) {
                const int position = form_ == BufferForm::single ? 0 : edges_.remote_positions[slot];
                append_slot(runs, static_cast<int>(slot), position);
                most_positions_ = std::max(most_positions_, static_cast<std::size_t>(position) + 1);
            }
        source.first_run = static_cast<int>(receiving_runs_.size());
        source.runs = static_cast<int>(runs.size());
        receiving_runs_.insert(receiving_runs_.end(), runs.begin(), runs.end());
        const auto found = std::lower_bound(destinations.begin(), destinations.end(), rank);
        if (found != destinations.end() && *found == rank)
            source.destination = static_cast<int>(found - destinations.begin());
        sources_.push_back(source);
    }
}

void SharedExchange::begin_turn(const BlockLayout& send, const BlockLayout& receive, SequenceNumber turn)
{
    start_counting();
    send_ = &send;
    receive_ = &receive;
    turn_ = turn;
    delivered_ = 0;
    ready_ = 0;
    stage_ = Stage::filling;
    idle_looks_ = 0;
    off_node_complete_ = off_node_ == nullptr;
    if (off_node_ != nullptr)
        off_node_->begin(send, receive);
    if (form_ != BufferForm::regular) {
        direct_bytes_.clear();
        direct_.start(send, receive, direct_bytes_);
        for (const std::size_t bytes : direct_bytes_)
            count_message(bytes);
    }
    advance();
    move_own_blocks();
}

void SharedExchange::move_own_blocks()
{
    const bool dense = send_->dense() && receive_->dense() && send_->block_bytes() == receive_->block_bytes();
    for (const SlotRun& run : own_block_runs_) {
        if (dense) {
            const std::size_t bytes = static_cast<std::size_t>(run.count) * send_->block_bytes();
            copy_run(receive_->dense_data(run.slot), send_->dense_data(run.position), bytes);
            continue;
        }
        for (int i = 0; i < run.count; ++i) {
            const Block from = (*send_)[run.position + i];
            const Block to = (*receive_)[run.slot + i];
            if (from.bytes != to.bytes)
                fail(MPI_ERR_TRUNCATE);
            copy(from, to);
        }
    }
}

/// The neighbors that read this buffer two turns ago must be done with it.
bool SharedExchange::buffer_is_free() noexcept
{
    if (all_ready_for_ == turn_)
        return true;
    const SequenceNumber turn = turn_;
    for (Destination& destination : destinations_) {
        if (destination.ready_for == turn)
            continue;
        if (!destination.readings->is_free(turn))
            return false;
        destination.ready_for = turn;
    }
    return true;
}

/// Whether there is room for all there may be to show. No product of sizes that are not known to be small.
bool SharedExchange::fits_in_front() const noexcept
{
    const std::size_t largest = send_->largest_bytes();
    const std::size_t entry = form_ == BufferForm::varying ? sizeof(TableEntry) : 0;
    const std::size_t blocks = form_ == BufferForm::single ? 1 : blocks_sent_;
    return largest <= front_room && blocks * (entry + largest) <= front_room;
}

/// Those a call is likely to write in a buffer: as many as the last one.
void SharedExchange::prefetch_lines(std::size_t which) const noexcept
{
    const bool in_front = filled_bytes_ <= front_room;
    prefetch_for_write(own_headers_[which], sizeof(Header) + (in_front ? filled_bytes_ : 0));
    if (!in_front)
        prefetch_for_write(own_buffers_[which], filled_bytes_);
}

void SharedExchange::fill()
{
    if (destinations_.empty())
        return;
    prefetch_lines(which());
    Header& header = *own_headers_[which()];
    const bool in_front = fits_in_front();
    char* const blocks = in_front ? behind(&header) : own_buffers_[which()];
    std::uint32_t size = 0;
    switch (form_) {
    case BufferForm::regular:
        size = fill_regular(blocks);
        break;
    case BufferForm::single:
        size = fill_single(blocks);
        break;
    case BufferForm::varying:
        size = fill_varying(blocks);
        break;
    }
    header.size = size == direct_size || in_front ? size : size | in_buffer;
    header.entries = static_cast<std::uint32_t>(blocks_sent_);
    publish(header);
    prefetch_lines(1 - which());
}

void SharedExchange::publish(Header& header) noexcept
{
    header.done = own_readings_->last_done(turn_ - 1);
    if (group_->any_yields())
        header.stamp.publish(turn_, *own_sleepers_);
    else // nobody sleeps
        header.stamp.publish(turn_);
}

inline SharedExchange::Shown SharedExchange::shown(const Source& source) const noexcept
{
    Header& header = *source.headers[which()];
    const std::uint32_t size = header.size & ~in_buffer;
    if ((header.size & in_buffer) == 0)
        return {behind(&header), front_room, size, header.entries};
    const Segment& segment = *stream_->segment;
    return {segment.buffer(source.process, stream_->index, which()), segment.buffer_bytes(stream_->index), size,
            header.entries};
}

void SharedExchange::deliver(const Source& source)
{
    const Shown what = shown(source);
    if ((what.size == varying_size) != (form_ == BufferForm::varying))
        return fail(MPI_ERR_TRUNCATE);
    switch (form_) {
    case BufferForm::regular:
        return deliver_regular(what, source);
    case BufferForm::single:
        return deliver_single(what, source);
    case BufferForm::varying:
        return deliver_varying(what, source);
    }
}

/// What headers say of blocks in front that are to be copied as they are; no_size where there can be none.
std::uint32_t SharedExchange::plain_size() const noexcept
{
    const std::size_t bytes = receive_->block_bytes();
    const bool in_front = bytes <= front_room && most_positions_ * bytes <= front_room;
    return form_ == BufferForm::regular && in_front && receive_->dense() ? static_cast<std::uint32_t>(bytes) : no_size;
}

/// Takes what has arrived; says when that was all. What does not change is looked at once: bytes that are copied might
/// be those of any variable, as far as the compiler knows.
void SharedExchange::deliver_arrived()
{
    const std::uint32_t plain = plain_size();
    char* const plain_blocks = plain != no_size ? receive_->dense_data(0) : nullptr;
    const SequenceNumber turn = turn_;
    const std::uint32_t word = word_of(turn);
    const std::uint32_t word_before = word_of(turn - 1);
    const SequenceNumber turn_after = turn + 1;
    const std::size_t buffer = which();
    const SlotRun* const all_runs = receiving_runs_.data();
    Destination* const destinations = destinations_.data();
    const Source* const end = sources_.data() + sources_.size();
    const Source* source = sources_.data() + delivered_;
    for (; source != end; ++source) {
        Header& header = *source->headers[buffer];
        if (!header.stamp.has_word(word))
            break;
        if (source->destination >= 0 && header.done == word_before) { // the other buffer is free as far as it goes
            destinations[source->destination].ready_for = turn_after;
            ++ready_;
        }
        if (header.size != plain) {
            deliver(*source);
            continue;
        }
        const char* const blocks = behind(&header);
        const SlotRun* const end_of_runs = all_runs + source->first_run + source->runs;
        for (const SlotRun* run = all_runs + source->first_run; run != end_of_runs; ++run)
            copy_run(plain_blocks + static_cast<std::size_t>(run->slot) * plain,
                     blocks + static_cast<std::size_t>(run->position) * plain,
                     static_cast<std::size_t>(run->count) * plain);
    }
    delivered_ = static_cast<std::size_t>(source - sources_.data());
    if (source != end)
        return;
    if (ready_ == destinations_.size())
        all_ready_for_ = turn_after;
    own_readings_->set_done(turn);
    stage_ = Stage::delivered;
}

bool SharedExchange::advance()
{
    if (stage_ == Stage::filling && buffer_is_free()) {
        fill();
        stage_ = Stage::arriving;
    }
    if (stage_ == Stage::arriving)
        deliver_arrived();
    if (!off_node_complete_ && off_node_->advance()) {
        off_node_complete_ = true;
        fail(off_node_->error());
        add_counts(*off_node_);
    }
    if (stage_ != Stage::delivered || !off_node_complete_)
        return false;
    int code = MPI_SUCCESS;
    const bool complete = direct_.idle() || direct_.complete(code);
    fail(code);
    return complete;
}

void SharedExchange::idle(bool yields) noexcept
{
    constexpr unsigned looks_before_sleep = 1000;
    poll_now_and_then(idle_looks_, group_->communicator());
    if (!yields)
        return relax();
    if (stage_ != Stage::arriving || !off_node_complete_ || !direct_.idle() || idle_looks_ <= looks_before_sleep) {
        sched_yield();
        return;
    }
    const Source& source = sources_[delivered_];
    stream_->segment->sleepers(source.process, stream_->index).sleep_until(source.headers[which()]->stamp, turn_);
}

} // namespace hopscotch::shim
