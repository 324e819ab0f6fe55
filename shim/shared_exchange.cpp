// Carries out neighborhood collectives through memory shared on the node: no message between its processes.
#include "shim/shared_exchange.hpp"

#include "shim/mpi_error.hpp"

#include <algorithm>
#include <cstring>
#include <sched.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t block_alignment = 8;         // of blocks of varying sizes
constexpr std::uint32_t direct_size = 0xffffffffu; // in place of a size: the block comes as a message

std::size_t aligned(std::size_t bytes)
{
    return (bytes + block_alignment - 1) / block_alignment * block_alignment;
}

void relax() noexcept
{
#if defined(__x86_64__)
    _mm_pause();
#endif
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
    const std::size_t overhead = 2 * sizeof(Header) + 2 * block_alignment;
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
    const int self = group_->rank();
    const int own_index = group_->node_index(self);
    own_arrivals_ = &segment.arrivals(own_index, stream_->index);
    own_readings_ = &segment.readings(own_index, stream_->index);
    for (std::size_t which = 0; which < buffers_per_stream; ++which)
        own_buffers_[which] = segment.buffer(own_index, stream_->index, which);
    for (const int rank : distinct_others(edges_.on_node.destinations, self))
        destinations_.push_back({&segment.arrivals(group_->node_index(rank), stream_->index),
                                 &segment.readings(group_->node_index(rank), stream_->index)});
    sources_on_node_ = static_cast<std::uint32_t>(distinct_others(edges_.on_node.sources, self).size());
    for (std::size_t slot = 0; slot < edges_.on_node.sources.size(); ++slot) {
        const int rank = edges_.on_node.sources[slot];
        if (rank == schedules::no_rank || rank == self)
            continue;
        Source source;
        source.slot = static_cast<int>(slot);
        source.remote_position = form_ == BufferForm::single ? 0 : edges_.remote_positions[slot];
        for (std::size_t which = 0; which < buffers_per_stream; ++which)
            source.buffers[which] = segment.buffer(group_->node_index(rank), stream_->index, which);
        sources_.push_back(source);
    }
    for (std::size_t slot = 0; slot < edges_.on_node.destinations.size(); ++slot) {
        const int rank = edges_.on_node.destinations[slot];
        if (rank != schedules::no_rank && rank != self)
            sending_slots_.push_back(static_cast<int>(slot));
    }
}

std::uint32_t SharedExchange::mark() const noexcept
{
    return turn_ * 2654435761u + 1u;
}

void SharedExchange::begin_turn(const BlockLayout& send, const BlockLayout& receive, std::uint32_t turn)
{
    start_counting();
    send_ = &send;
    receive_ = &receive;
    turn_ = turn;
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
    for (const schedules::Move& move : edges_.self) {
        const Block from = send[move.from.index];
        const Block to = receive[move.to.index];
        if (from.bytes != to.bytes)
            fail(MPI_ERR_TRUNCATE);
        copy(from, to);
    }
}

/// The neighbors that read this buffer two turns ago must be done with it.
bool SharedExchange::buffer_is_free() const noexcept
{
    if (turn_ <= buffers_per_stream)
        return true;
    const std::uint32_t needed = turn_ - static_cast<std::uint32_t>(buffers_per_stream);
    return std::all_of(destinations_.begin(), destinations_.end(), [this, needed](const Neighbor& neighbor) {
        const std::uint32_t done = neighbor.readings->done[which()].load(std::memory_order_acquire);
        return static_cast<std::int32_t>(done - needed) >= 0;
    });
}

void SharedExchange::fill_varying(char* buffer)
{
    std::size_t offset = aligned(blocks_sent_ * sizeof(std::uint64_t));
    for (const int slot : sending_slots_) {
        const Block block = (*send_)[slot];
        const bool direct = direct_.direct(block);
        const std::uint64_t entry = (static_cast<std::uint64_t>(offset) << 32) |
                                    (direct ? direct_size : static_cast<std::uint32_t>(block.bytes));
        std::memcpy(buffer + position(slot) * sizeof entry, &entry, sizeof entry);
        if (direct)
            continue;
        pack(block, buffer + offset);
        count_bytes(block.bytes);
        offset = aligned(offset + block.bytes);
    }
}

void SharedExchange::fill()
{
    char* const buffer = own_buffers_[which()];
    if (form_ == BufferForm::varying)
        return fill_varying(buffer);
    if (sending_slots_.empty())
        return;
    const std::size_t block_bytes = send_->block_bytes();
    const bool single = form_ == BufferForm::single;
    const bool direct = single && direct_.direct((*send_)[0]);
    const Header header{direct ? direct_size : static_cast<std::uint32_t>(block_bytes), mark()};
    std::memcpy(buffer, &header, sizeof header);
    if (direct)
        return;
    count_bytes(block_bytes * sending_slots_.size());
    char* const blocks = buffer + sizeof header;
    if (single)
        return pack((*send_)[0], blocks);
    for (const int slot : sending_slots_)
        pack((*send_)[slot], blocks + position(slot) * block_bytes);
}

void SharedExchange::publish() noexcept
{
    for (const Neighbor& neighbor : destinations_) {
        std::atomic<std::uint32_t>& count = neighbor.arrivals->count[which()];
        const std::uint32_t now = count.fetch_add(1, std::memory_order_seq_cst) + 1;
        std::atomic<std::uint32_t>& awaited = neighbor.arrivals->awaited[which()];
        if (awaited.load(std::memory_order_seq_cst) == now)
            wake(count);
    }
}

bool SharedExchange::all_arrived() const noexcept
{
    const std::uint32_t count = own_arrivals_->count[which()].load(std::memory_order_acquire);
    return static_cast<std::int32_t>(count - expected_count()) >= 0;
}

/// Blocks of one size at each sender, which its buffer says first.
void SharedExchange::deliver_regular()
{
    const std::size_t expected = receive_->block_bytes();
    const std::size_t room = stream_->segment->buffer_bytes();
    const std::size_t buffer = which();
    for (const Source& source : sources_) {
        Header header;
        std::memcpy(&header, source.buffers[buffer], sizeof header);
        const std::size_t offset = sizeof header + static_cast<std::size_t>(source.remote_position) * header.size;
        if (header.size != expected)
            fail(MPI_ERR_TRUNCATE);
        if (header.mark == mark() && offset + header.size <= room)
            unpack(source.buffers[buffer] + offset, header.size, (*receive_)[source.slot]);
        else
            fail(MPI_ERR_TRUNCATE);
    }
}

/// The same block for all neighbors of a sender: as deliver_slot, which is left what is out of the ordinary.
void SharedExchange::deliver_single()
{
    const std::size_t buffer = which();
    for (const Source& source : sources_) {
        Header header;
        std::memcpy(&header, source.buffers[buffer], sizeof header);
        const Block block = (*receive_)[source.slot];
        if (header.mark == mark() && header.size == block.bytes)
            unpack(source.buffers[buffer] + sizeof header, block.bytes, block);
        else
            deliver_slot(source);
    }
}

void SharedExchange::deliver_slot(const Source& source)
{
    const char* at = source.buffers[which()];
    const Block block = (*receive_)[source.slot];
    std::uint32_t size = 0;
    if (form_ == BufferForm::varying) {
        std::uint64_t entry = 0;
        std::memcpy(&entry, at + static_cast<std::size_t>(source.remote_position) * sizeof entry, sizeof entry);
        size = static_cast<std::uint32_t>(entry);
        const std::uint64_t offset = entry >> 32;
        if (size != direct_size && offset + size > stream_->segment->buffer_bytes())
            size = 0; // no entry of this protocol: its block counts as empty
        else
            at += offset;
    } else {
        Header header;
        std::memcpy(&header, at, sizeof header);
        if (header.mark != mark())
            return fail(MPI_ERR_TRUNCATE);
        size = header.size;
        at += sizeof header;
    }
    const int code = direct_.settle(source.slot, size == direct_size);
    if (code != MPI_SUCCESS)
        fail(code);
    if (size == direct_size)
        return;
    if (size != block.bytes)
        fail(MPI_ERR_TRUNCATE);
    unpack(at, size, block);
}

void SharedExchange::deliver()
{
    if (form_ == BufferForm::regular) {
        deliver_regular();
    } else if (form_ == BufferForm::single) {
        deliver_single();
    } else {
        for (const Source& source : sources_)
            deliver_slot(source);
    }
    own_readings_->done[which()].store(turn_, std::memory_order_release);
}

bool SharedExchange::advance()
{
    if (stage_ == Stage::filling && buffer_is_free()) {
        fill();
        publish();
        stage_ = Stage::arriving;
    }
    if (stage_ == Stage::arriving && all_arrived()) {
        deliver();
        stage_ = Stage::delivered;
    }
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
    std::atomic<std::uint32_t>& count = own_arrivals_->count[which()];
    std::atomic<std::uint32_t>& awaited = own_arrivals_->awaited[which()];
    awaited.store(expected_count(), std::memory_order_seq_cst);
    const std::uint32_t seen = count.load(std::memory_order_seq_cst);
    if (static_cast<std::int32_t>(seen - expected_count()) < 0)
        sleep_while(count, seen);
    awaited.store(0, std::memory_order_relaxed);
}

} // namespace hopscotch::shim
