// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the blocks between nodes in messages that all processes of a node share.
#include "shim/exchange/aggregated_exchange.hpp"

#include "schedules/place_table.hpp"
#include "shim/exchange/messages.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/progress.hpp"
#include "shim/mpi/returned_errors.hpp"

#include <algorithm>
#include <cstring>
#include <sched.h>

namespace hopscotch::shim
{

using schedules::Delivery;
using schedules::LeaderMessage;
using schedules::PlaceTable;
using schedules::Run;

AggregatedExchange::AggregatedExchange(std::shared_ptr<StagingBuffers> buffers, int region,
                                       std::shared_ptr<ProcessGroup> group, schedules::AggregationPart part,
                                       schedules::Edges edges, bool sizes_known, bool sends_blocks, int tag,
                                       int direct_tag, std::size_t limit_bytes)
    : buffers_(std::move(buffers)), region_(region), group_(std::move(group)), part_(std::move(part)),
      sizes_known_(sizes_known), sends_blocks_(sends_blocks), tag_(tag),
      direct_(group_, direct_tag, std::move(edges), std::min(limit_bytes, buffers_->largest_block())),
      incoming_(part_.in.size()), outgoing_(part_.out.size())
{
    for (std::size_t position = 0; position < part_.buffers.size(); ++position) {
        const int number = static_cast<int>(position);
        Place place{StagingLayout(part_.buffers[position], sizes_known, buffers_->largest_block()), {}, nullptr};
        place.readings = &buffers_->readings(number, region);
        for (std::size_t which = 0; which < buffers_per_stream; ++which)
            place.buffers[which] = buffers_->buffer(number, region, which);
        places_.push_back(std::move(place));
    }
    for (std::size_t i = 0; i < part_.deliveries.size(); ++i) {
        const Delivery& delivery = part_.deliveries[i];
        if (batches_.empty() || batches_.back().owner != delivery.owner || batches_.back().message != delivery.message)
            batches_.push_back({delivery.owner, delivery.message, i, i});
        ++batches_.back().last;
    }
}

MessageHead& AggregatedExchange::message_head(int position, int message) const noexcept
{
    return *reinterpret_cast<MessageHead*>(buffer(position) + StagingLayout::message_head(message));
}

char* AggregatedExchange::cells(int position) const noexcept
{
    return buffer(position) + places_[static_cast<std::size_t>(position)].layout.cells();
}

char* AggregatedExchange::message(int position, int number) const noexcept
{
    return buffer(position) + places_[static_cast<std::size_t>(position)].layout.message(number, block_bytes_);
}

std::size_t AggregatedExchange::message_blocks(int position, int number) const noexcept
{
    const schedules::StagingBuffer& buffer = part_.buffers[static_cast<std::size_t>(position)];
    return static_cast<std::size_t>(buffer.message_blocks[static_cast<std::size_t>(number)]);
}

void AggregatedExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    start_counting();
    send_ = &send;
    receive_ = &receive;
    block_bytes_ = sends_blocks_ ? send.block_bytes() : receive.block_bytes();
    turn_ = buffers_->take_turn(region_);
    filled_ = false;
    sent_ = 0;
    seen_runs_ = 0;
    received_ = 0;
    idle_looks_ = 0;
    missing_.clear();
    for (std::size_t i = batches_.size(); i-- > 0;)
        missing_.push_back(i);
    if (!sizes_known_) {
        direct_bytes_.clear();
        direct_.start(send, receive, direct_bytes_);
        for (const std::size_t bytes : direct_bytes_)
            count_message(bytes);
    }
    advance();
}

/// Those who read this buffer two turns ago must be done with it.
bool AggregatedExchange::buffer_is_free() const noexcept
{
    return std::all_of(part_.readers.begin(), part_.readers.end(), [this](int reader) {
        return places_[static_cast<std::size_t>(reader)].readings->is_free(turn_);
    });
}

void AggregatedExchange::post_receives()
{
    for (std::size_t i = 0; i < incoming_.size(); ++i) {
        const int number = static_cast<int>(i);
        const auto& layout = places_[static_cast<std::size_t>(part_.own_position)].layout;
        const std::size_t bytes =
            sizes_known_ ? message_blocks(part_.own_position, number) * block_bytes_ : layout.capacity(number);
        incoming_[i].complete = false;
        start_receive(*group_, message(part_.own_position, number), bytes, part_.in[i].peer, tag_,
                      incoming_[i].request);
    }
}

void AggregatedExchange::fill_with_table()
{
    const std::size_t count = part_.cell_slots.size();
    char* const first = cells(part_.own_position);
    PlaceTable table(first, count);
    std::size_t end = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Block block = (*send_)[part_.cell_slots[i]];
        const bool direct = direct_.direct(block);
        table.set(i, end, direct);
        if (direct)
            continue;
        pack(block, first + PlaceTable::bytes(count) + end);
        end += block.bytes;
    }
    table.set(count, end, false);
}

void AggregatedExchange::fill()
{
    if (sizes_known_) {
        char* to = cells(part_.own_position);
        for (const int slot : part_.cell_slots) {
            pack((*send_)[slot], to);
            to += block_bytes_;
        }
        cells_head(part_.own_position).block_bytes = block_bytes_;
    } else {
        fill_with_table();
    }
    cells_head(part_.own_position).stamp.publish(turn_);
}

bool AggregatedExchange::is_there(const Run& run) const noexcept
{
    const Stamp& stamp =
        run.message == Run::cells ? cells_head(run.owner).stamp : message_head(run.owner, run.message).stamp;
    return stamp.has(turn_);
}

/// Blocks of one size, back to back. A complaint where a process of the node has blocks of another size.
std::size_t AggregatedExchange::gather(const LeaderMessage& message_out, std::vector<char>& bytes)
{
    bytes.resize(static_cast<std::size_t>(message_out.blocks) * block_bytes_);
    char* to = bytes.data();
    for (const Run& run : message_out.runs) {
        const bool of_cells = run.message == Run::cells;
        const bool good = of_cells ? cells_head(run.owner).block_bytes == block_bytes_
                                   : message_head(run.owner, run.message).sound != 0;
        if (!good) {
            fail(MPI_ERR_TRUNCATE);
            bytes.assign(complaint_bytes(block_bytes_), 0);
            break;
        }
        const char* const from = of_cells ? cells(run.owner) : message(run.owner, run.message);
        const std::size_t length = static_cast<std::size_t>(run.count) * block_bytes_;
        if (length > 0)
            std::memcpy(to, from + static_cast<std::size_t>(run.first) * block_bytes_, length);
        to += length;
    }
    return bytes.size();
}

/// Blocks behind a table of their places. Blocks of a message that was not as it should be are empty.
std::size_t AggregatedExchange::gather_with_table(const LeaderMessage& message_out, std::vector<char>& bytes)
{
    const auto count = static_cast<std::size_t>(message_out.blocks);
    const std::size_t header = PlaceTable::bytes(count);
    std::size_t end = 0;
    const auto source = [this](const Run& run) {
        const auto owner = static_cast<std::size_t>(run.owner);
        return run.message == Run::cells
                   ? PlaceTable(cells(run.owner), static_cast<std::size_t>(part_.buffers[owner].cells))
                   : PlaceTable(message(run.owner, run.message), message_blocks(run.owner, run.message));
    };
    const auto good = [this](const Run& run) {
        return run.message == Run::cells || message_head(run.owner, run.message).sound != 0;
    };
    for (const Run& run : message_out.runs)
        if (good(run))
            end += source(run).start(static_cast<std::size_t>(run.first + run.count)) -
                   source(run).start(static_cast<std::size_t>(run.first));
    if (bytes.size() < header + end)
        bytes.resize(header + end);
    PlaceTable table(bytes.data(), count);
    std::size_t block = 0;
    end = 0;
    for (const Run& run : message_out.runs) {
        const PlaceTable from = source(run);
        const auto first = static_cast<std::size_t>(run.first);
        for (std::size_t i = first; i < first + static_cast<std::size_t>(run.count); ++i) {
            table.set(block++, end, good(run) && from.is_direct(i));
            if (!good(run))
                continue;
            std::memcpy(bytes.data() + header + end, from.data(i), from.size(i));
            end += from.size(i);
        }
    }
    table.set(count, end, false);
    return header + end;
}

/// Sends the next message if its blocks are there.
bool AggregatedExchange::send_next()
{
    if (sent_ == outgoing_.size())
        return false;
    const LeaderMessage& next_out = part_.out[sent_];
    while (seen_runs_ < next_out.runs.size() && is_there(next_out.runs[seen_runs_]))
        ++seen_runs_;
    if (seen_runs_ < next_out.runs.size())
        return false;
    Outgoing& outgoing = outgoing_[sent_];
    const std::size_t bytes =
        sizes_known_ ? gather(next_out, outgoing.bytes) : gather_with_table(next_out, outgoing.bytes);
    start_send(*group_, outgoing.bytes.data(), bytes, next_out.peer, tag_, outgoing.request);
    const std::size_t header = sizes_known_ ? 0 : PlaceTable::bytes(static_cast<std::size_t>(next_out.blocks));
    count_message(bytes - std::min(header, bytes));
    ++sent_;
    seen_runs_ = 0;
    return true;
}

bool AggregatedExchange::sound(std::size_t i, const MPI_Status& status, int code)
{
    if (code != MPI_SUCCESS) {
        fail(code);
        return false;
    }
    const int number = static_cast<int>(i);
    const std::size_t blocks = message_blocks(part_.own_position, number);
    const std::size_t bytes = received_bytes(status);
    const bool good = sizes_known_ ? bytes == blocks * block_bytes_
                                   : PlaceTable(message(part_.own_position, number), blocks).sound(bytes);
    if (!good)
        fail(MPI_ERR_TRUNCATE);
    return good;
}

void AggregatedExchange::look_for_messages()
{
    if (received_ == incoming_.size())
        return;
    const ReturnedErrors returned;
    for (std::size_t i = 0; i < incoming_.size(); ++i) {
        if (incoming_[i].complete)
            continue;
        int flag = 0;
        MPI_Status status;
        const int code = next.Test(&incoming_[i].request, &flag, &status);
        if (code == MPI_SUCCESS && flag == 0)
            continue;
        incoming_[i].complete = true;
        ++received_;
        MessageHead& head = message_head(part_.own_position, static_cast<int>(i));
        head.sound = sound(i, status, code) ? 1 : 0;
        head.stamp.publish(turn_);
    }
}

void AggregatedExchange::deliver(const Batch& batch)
{
    const bool good = message_head(batch.owner, batch.message).sound != 0;
    if (!good)
        fail(MPI_ERR_TRUNCATE);
    char* const from = message(batch.owner, batch.message);
    const PlaceTable table(from, message_blocks(batch.owner, batch.message));
    for (std::size_t i = batch.first; i < batch.last; ++i) {
        const Delivery& delivery = part_.deliveries[i];
        const Block block = (*receive_)[delivery.slot];
        const auto index = static_cast<std::size_t>(delivery.index);
        if (sizes_known_) {
            if (block.bytes != block_bytes_)
                fail_for_sizes(block_bytes_, block.bytes);
            if (good)
                unpack(from + index * block_bytes_, block_bytes_, block);
            continue;
        }
        const bool is_direct = good ? table.is_direct(index) : direct_.direct(block);
        const int code = direct_.settle(delivery.slot, is_direct);
        if (code != MPI_SUCCESS)
            fail(code);
        if (is_direct || !good)
            continue;
        if (table.size(index) != block.bytes)
            fail(MPI_ERR_TRUNCATE);
        unpack(table.data(index), table.size(index), block);
    }
}

void AggregatedExchange::deliver_what_came()
{
    const auto delivered = [this](std::size_t number) {
        const Batch& batch = batches_[number];
        if (!message_head(batch.owner, batch.message).stamp.has(turn_))
            return false;
        deliver(batch);
        return true;
    };
    missing_.erase(std::remove_if(missing_.begin(), missing_.end(), delivered), missing_.end());
}

bool AggregatedExchange::all_sent()
{
    const ReturnedErrors returned;
    bool all = true;
    for (Outgoing& outgoing : outgoing_) {
        if (outgoing.request == MPI_REQUEST_NULL)
            continue;
        int flag = 0;
        const int code = next.Test(&outgoing.request, &flag, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            fail(code);
        all = all && (code != MPI_SUCCESS || flag != 0);
    }
    return all;
}

/// Whether all messages have left and all blocks are where they belong.
bool AggregatedExchange::complete()
{
    if (received_ < incoming_.size() || !all_sent())
        return false;
    int code = MPI_SUCCESS;
    const bool all = sizes_known_ || direct_.idle() || direct_.complete(code);
    fail(code);
    return all;
}

bool AggregatedExchange::advance()
{
    if (!filled_) {
        if (!buffer_is_free())
            return false;
        filled_ = true;
        post_receives();
        fill();
    }
    while (send_next())
        ;
    look_for_messages();
    if (!missing_.empty())
        deliver_what_came();
    if (sent_ < outgoing_.size() || !missing_.empty())
        return false;
    Readings& own = *places_[static_cast<std::size_t>(part_.own_position)].readings;
    if (own.last_done(turn_) != word_of(turn_))
        own.set_done(turn_); // nothing more to read in the buffers of others
    return complete();
}

/// A message may be on its way to a process that waits for its buffer only, and that must make progress to get it.
void AggregatedExchange::idle(bool yields) noexcept
{
    poll_now_and_then(idle_looks_, group_->communicator());
    if (yields)
        sched_yield();
}

} // namespace hopscotch::shim
