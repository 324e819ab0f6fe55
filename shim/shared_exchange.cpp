// Carries out neighborhood collectives through memory shared on the node: no message between its processes.
#include "shim/shared_exchange.hpp"

#include "shim/mpi_error.hpp"
#include "shim/progress.hpp"

#include <algorithm>
#include <cstring>
#include <sched.h>

namespace hopscotch::shim
{

namespace
{

// In place of a size:
constexpr std::uint32_t direct_size = 0xffffffffu;  // the block comes as a message
constexpr std::uint32_t varying_size = 0xfffffffeu; // a table precedes the blocks

/// An entry of that table: where the block of a position ends, counted from the end of the table, and whether it comes
/// as a message. It begins where the one before ends.
using TableEntry = std::uint32_t;
constexpr TableEntry direct_mark = 0x80000000u;

constexpr std::size_t table_bytes(std::size_t entries)
{
    return entries * sizeof(TableEntry);
}

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

std::size_t SharedExchange::largest_block(std::size_t buffer_bytes, int most_blocks) noexcept
{
    const auto blocks = static_cast<std::size_t>(std::max(most_blocks, 1));
    const std::size_t per_block = buffer_bytes / blocks;
    const std::size_t overhead = 2 * sizeof(Header); // the header, then an entry and some room
    return per_block > overhead ? per_block - overhead : 0;
}

SharedExchange::SharedExchange(std::shared_ptr<Stream> stream, std::shared_ptr<ProcessGroup> group, SharedEdges edges,
                               BufferForm form, std::unique_ptr<Exchange> off_node, int direct_tag, int most_blocks)
    : stream_(std::move(stream)), group_(std::move(group)), edges_(std::move(edges)), form_(form),
      off_node_(std::move(off_node)),
      direct_(group_, direct_tag, edges_.on_node, largest_block(stream_->segment->buffer_bytes(), most_blocks))
{
    for (const int rank : edges_.destinations)
        blocks_sent_ += rank != schedules::no_rank ? 1 : 0;
    const Segment& segment = *stream_->segment;
    const int own_index = group_->node_index(group_->rank());
    own_readings_ = &segment.readings(own_index, stream_->index);
    own_sleepers_ = &segment.sleepers(own_index, stream_->index);
    for (std::size_t which = 0; which < buffers_per_stream; ++which)
        own_headers_[which] = reinterpret_cast<Header*>(segment.buffer(own_index, stream_->index, which));
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
        source.sleepers = &segment.sleepers(index, stream_->index);
        for (std::size_t which = 0; which < buffers_per_stream; ++which)
            source.headers[which] = reinterpret_cast<Header*>(segment.buffer(index, stream_->index, which));
        for (std::size_t slot = 0; slot < ranks.size(); ++slot)
            if (ranks[slot] == rank)
                append_slot(source.runs, static_cast<int>(slot),
                            form_ == BufferForm::single ? 0 : edges_.remote_positions[slot]);
        const auto found = std::lower_bound(destinations.begin(), destinations.end(), rank);
        if (found != destinations.end() && *found == rank)
            source.destination = static_cast<int>(found - destinations.begin());
        sources_.push_back(std::move(source));
    }
}

void SharedExchange::begin_turn(const BlockLayout& send, const BlockLayout& receive, Turn turn)
{
    start_counting();
    send_ = &send;
    receive_ = &receive;
    turn_ = turn;
    delivered_ = 0;
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

/// The neighbors that read this buffer two turns ago must be done with it. Nobody can be further.
bool SharedExchange::buffer_is_free() noexcept
{
    if (is_first_use(turn_))
        return true;
    const std::uint32_t needed = word_of(turn_ - buffers_per_stream);
    for (Destination& destination : destinations_) {
        if (destination.ready_for == turn_)
            continue;
        if (destination.readings->done[which()].load(std::memory_order_acquire) != needed)
            return false;
        destination.ready_for = turn_;
    }
    return true;
}

std::uint32_t SharedExchange::fill_regular(char* blocks)
{
    const std::size_t block_bytes = send_->block_bytes();
    count_bytes(block_bytes * blocks_sent_on_node_);
    const bool dense = send_->dense();
    for (const SlotRun& run : sending_runs_) {
        char* to = blocks + static_cast<std::size_t>(run.position) * block_bytes;
        if (dense)
            copy_run(to, send_->dense_data(run.slot), static_cast<std::size_t>(run.count) * block_bytes);
        else
            for (int i = 0; i < run.count; ++i, to += block_bytes)
                pack((*send_)[run.slot + i], to);
    }
    return static_cast<std::uint32_t>(block_bytes);
}

std::uint32_t SharedExchange::fill_single(char* blocks)
{
    const Block block = (*send_)[0];
    if (direct_.direct(block))
        return direct_size;
    pack(block, blocks);
    count_bytes(block.bytes * blocks_sent_on_node_);
    return static_cast<std::uint32_t>(block.bytes);
}

std::uint32_t SharedExchange::fill_varying(char* blocks)
{
    char* const data = blocks + table_bytes(blocks_sent_);
    TableEntry end = 0;
    int position = 0; // of the next entry
    const auto append = [&](TableEntry entry) {
        std::memcpy(blocks + table_bytes(static_cast<std::size_t>(position++)), &entry, sizeof entry);
    };
    JoinedCopy copies;
    for (const SlotRun& run : sending_runs_) {
        while (position < run.position) // blocks that do not go through memory
            append(end);
        for (int i = 0; i < run.count; ++i) {
            const Block block = (*send_)[run.slot + i];
            if (direct_.direct(block)) {
                append(end | direct_mark);
                continue;
            }
            if (block.contiguous())
                copies.add(data + end, block.data(), block.bytes);
            else
                pack(block, data + end);
            end += static_cast<TableEntry>(block.bytes);
            append(end);
        }
    }
    copies.flush();
    count_bytes(end);
    return varying_size;
}

void SharedExchange::fill()
{
    if (destinations_.empty())
        return;
    Header& header = *own_headers_[which()];
    char* const blocks = blocks_of(&header);
    header.entries = static_cast<std::uint32_t>(blocks_sent_);
    if (form_ == BufferForm::regular)
        header.size = fill_regular(blocks);
    else
        header.size = form_ == BufferForm::single ? fill_single(blocks) : fill_varying(blocks);
    publish(header);
}

void SharedExchange::publish(Header& header) noexcept
{
    header.done = own_readings_->done[1 - which()].load(std::memory_order_acquire);
    if (!group_->any_yields()) // nobody sleeps
        return header.turn.store(word_of(turn_), std::memory_order_release);
    header.turn.store(word_of(turn_), std::memory_order_seq_cst);
    if (own_sleepers_->count.load(std::memory_order_seq_cst) != 0)
        wake_all(header.turn);
}

/// Blocks of one size, which its sender has said.
void SharedExchange::deliver_regular(const Header& header, const std::vector<SlotRun>& runs)
{
    const std::size_t block_bytes = header.size;
    const bool same = block_bytes == receive_->block_bytes();
    if (!same)
        fail(MPI_ERR_TRUNCATE);
    for (const SlotRun& run : runs) {
        const std::size_t offset = static_cast<std::size_t>(run.position) * block_bytes;
        const std::size_t bytes = static_cast<std::size_t>(run.count) * block_bytes;
        if (offset + bytes > room()) {
            fail(MPI_ERR_TRUNCATE);
            continue;
        }
        const char* from = blocks_of(&header) + offset;
        if (same && receive_->dense())
            copy_run(receive_->dense_data(run.slot), from, bytes);
        else
            for (int i = 0; i < run.count; ++i, from += block_bytes)
                unpack(from, block_bytes, (*receive_)[run.slot + i]);
    }
}

void SharedExchange::deliver_single(const Header& header, const std::vector<SlotRun>& runs)
{
    JoinedCopy copies;
    const bool direct = header.size == direct_size;
    for (const SlotRun& run : runs)
        deliver_block(run.slot, blocks_of(&header), header.size, direct, copies);
    copies.flush();
}

void SharedExchange::deliver_varying(const Header& header, const std::vector<SlotRun>& runs)
{
    const char* const blocks = blocks_of(&header);
    const auto entry = [blocks](int position) {
        TableEntry value = 0;
        if (position >= 0)
            std::memcpy(&value, blocks + table_bytes(static_cast<std::size_t>(position)), sizeof value);
        return value;
    };
    const char* const data = blocks + table_bytes(header.entries);
    JoinedCopy copies;
    for (const SlotRun& run : runs) {
        std::size_t begin = entry(run.position - 1) & ~direct_mark;
        for (int i = 0; i < run.count; ++i) {
            const TableEntry own = entry(run.position + i);
            const std::size_t end = own & ~direct_mark;
            const bool sound = begin <= end && table_bytes(header.entries) + end <= room();
            deliver_block(run.slot + i, data + begin, sound ? end - begin : 0, (own & direct_mark) != 0, copies);
            begin = end;
        }
    }
    copies.flush();
}

/// One block, of which its sender has said the size, or that it comes as a message.
void SharedExchange::deliver_block(int slot, const char* from, std::size_t size, bool direct, JoinedCopy& copies)
{
    const Block block = (*receive_)[slot];
    if (!direct && size == block.bytes) {
        if (block.contiguous())
            copies.add(block.data(), from, size);
        else
            unpack(from, size, block);
        return;
    }
    const int code = direct_.settle(slot, direct);
    if (code != MPI_SUCCESS)
        fail(code);
    if (direct)
        return;
    fail(MPI_ERR_TRUNCATE);
    unpack(from, size, block);
}

void SharedExchange::deliver(const Source& source)
{
    const Header& header = *source.headers[which()];
    if (source.destination >= 0 && header.done == word_of(turn_ - 1))
        destinations_[static_cast<std::size_t>(source.destination)].ready_for = turn_ + 1;
    if ((header.size == varying_size) != (form_ == BufferForm::varying))
        return fail(MPI_ERR_TRUNCATE);
    switch (form_) {
    case BufferForm::regular:
        return deliver_regular(header, source.runs);
    case BufferForm::single:
        return deliver_single(header, source.runs);
    case BufferForm::varying:
        return deliver_varying(header, source.runs);
    }
}

/// Takes what has arrived; says when that was all.
void SharedExchange::deliver_arrived()
{
    while (delivered_ < sources_.size() &&
           turn_of(sources_[delivered_]).load(std::memory_order_acquire) == word_of(turn_))
        deliver(sources_[delivered_++]);
    if (delivered_ < sources_.size())
        return;
    own_readings_->done[which()].store(word_of(turn_), std::memory_order_release);
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

/// A neighbor may be unable to come here before MPI has made progress on this process (for a large message, or
/// one-sided access), so every now and then a look at an empty corner of the private communicator lets it.
void SharedExchange::idle(bool yields) noexcept
{
    constexpr unsigned looks_per_poll = 64;
    constexpr unsigned looks_before_sleep = 1000;
    ++idle_looks_;
    if (idle_looks_ % looks_per_poll == 0) {
        int flag = 0;
        next.Iprobe(MPI_ANY_SOURCE, ProcessGroup::setup_tag, group_->communicator(), &flag, MPI_STATUS_IGNORE);
    }
    if (!yields)
        return relax();
    if (stage_ != Stage::arriving || !off_node_complete_ || !direct_.idle() || idle_looks_ <= looks_before_sleep) {
        sched_yield();
        return;
    }
    sleep_for(sources_[delivered_]);
}

void SharedExchange::sleep_for(const Source& source) noexcept
{
    source.sleepers->count.fetch_add(1, std::memory_order_seq_cst);
    const std::uint32_t seen = turn_of(source).load(std::memory_order_seq_cst);
    if (seen != word_of(turn_))
        sleep_while(turn_of(source), seen);
    source.sleepers->count.fetch_sub(1, std::memory_order_relaxed);
}

} // namespace hopscotch::shim
