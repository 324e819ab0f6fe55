// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the blocks between nodes in messages that all processes of a node share.
#include "shim/exchange/aggregated_exchange.hpp"

#include "schedules/message/tags.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/group/progress.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <sched.h>

namespace hopscotch::shim
{

using schedules::Delivery;
using schedules::DeliveryBatch;
using schedules::LeaderMessage;
using schedules::PlaceTable;
using schedules::Run;

AggregatedExchange::AggregatedExchange(schedules::AggregationPlan plan, std::shared_ptr<StagingBuffers> buffers,
                                       int region, std::shared_ptr<ProcessGroup> group, int tag)
    : buffers_(std::move(buffers)), region_(region), group_(std::move(group)), part_(std::move(plan.part)),
      tag_(tag + schedules::off_node_tag),
      direct_(group_, tag, std::move(plan.edges), std::min(plan.cutoff_bytes, plan.largest_block)),
      receives_(part_.in.size()), sends_(part_.out.size(), MPI_REQUEST_NULL), outgoing_(part_.out.size())
{
    for (std::size_t position = 0; position < part_.buffers.size(); ++position) {
        const int number = static_cast<int>(position);
        places_.push_back({StagingLayout(part_.buffers[position], plan.largest_block),
                           {buffers_->buffer(number, region, 0), buffers_->buffer(number, region, 1)},
                           &buffers_->readings(number, region)});
    }
}

/// The stamp of the cells, or of a message, in the buffer of a process.
Stamp& AggregatedExchange::stamp(int position, int message) const noexcept
{
    return *reinterpret_cast<Stamp*>(buffer(position) + StagingLayout::head(message));
}

/// The table of the blocks of the cells, or of a message, in the buffer of a process.
PlaceTable AggregatedExchange::table(int position, int message) const noexcept
{
    const schedules::StagingBuffer& buffers = part_.buffers[static_cast<std::size_t>(position)];
    const int blocks =
        message == Run::cells ? buffers.cells : buffers.message_blocks[static_cast<std::size_t>(message)];
    return {buffer(position) + place(position).layout.begin(message), static_cast<std::size_t>(blocks)};
}

void AggregatedExchange::begin(const BlockLayout& send, const BlockLayout& receive)
{
    start_counting();
    now_ = {};
    now_.send = &send;
    now_.receive = &receive;
    now_.number = buffers_->take_turn(region_);
    missing_.clear();
    for (std::size_t i = part_.batches.size(); i-- > 0;)
        missing_.push_back(i);
    count(direct_.start(send, receive));
    advance();
}

/// All readers of this buffer two turns ago must be done with it.
bool AggregatedExchange::buffer_is_free() const noexcept
{
    return std::all_of(part_.readers.begin(), part_.readers.end(),
                       [this](int reader) { return place(reader).readings->is_free(now_.number); });
}

void AggregatedExchange::post_receives()
{
    for (std::size_t i = 0; i < receives_.size(); ++i) {
        const int message = static_cast<int>(i);
        check(start_receive(group_->communicator(), table(part_.own_position, message).begin(),
                            own().layout.capacity(message), part_.in[i].peer, tag_, receives_[i]));
    }
}

void AggregatedExchange::fill()
{
    PlaceTable cells = table(part_.own_position, Run::cells);
    std::size_t end = 0;
    for (std::size_t i = 0; i < part_.cell_slots.size(); ++i) {
        const Block block = (*now_.send)[part_.cell_slots[i]];
        const bool direct = direct_.direct(block);
        cells.set(i, end, direct);
        if (direct)
            continue;
        pack(block, cells.data(i));
        end += block.bytes;
    }
    cells.set(part_.cell_slots.size(), end, false);
    stamp(part_.own_position, Run::cells).publish(now_.number);
}

/// Puts the blocks of a message behind one table. Returns its bytes.
std::size_t AggregatedExchange::gather(const LeaderMessage& message, std::vector<char>& bytes) const
{
    const auto blocks = static_cast<std::size_t>(message.blocks);
    const auto first = [](const Run& run) { return static_cast<std::size_t>(run.first); };
    const auto count = [](const Run& run) { return static_cast<std::size_t>(run.count); };
    std::size_t total = PlaceTable::bytes(blocks);
    for (const Run& run : message.runs)
        total += table(run.owner, run.message).size(first(run), count(run));
    if (bytes.size() < total)
        bytes.resize(total);
    PlaceTable to(bytes.data(), blocks);
    to.clear();
    std::size_t block = 0;
    for (const Run& run : message.runs) {
        to.copy(block, table(run.owner, run.message), first(run), count(run));
        block += count(run);
    }
    return total;
}

/// Sends the next message if its blocks are there.
bool AggregatedExchange::send_next()
{
    if (now_.sent == part_.out.size())
        return false;
    const LeaderMessage& message = part_.out[now_.sent];
    const auto is_there = [this](const Run& run) { return stamp(run.owner, run.message).has(now_.number); };
    while (now_.seen_runs < message.runs.size() && is_there(message.runs[now_.seen_runs]))
        ++now_.seen_runs;
    if (now_.seen_runs < message.runs.size())
        return false;
    const std::size_t bytes = gather(message, outgoing_[now_.sent]);
    check(
        start_send(group_->communicator(), outgoing_[now_.sent].data(), bytes, message.peer, tag_, sends_[now_.sent]));
    count({1, bytes, bytes - PlaceTable::bytes(static_cast<std::size_t>(message.blocks)), 0});
    ++now_.sent;
    now_.seen_runs = 0;
    return true;
}

/// Shows a message that has come. The blocks of one that is not as it should be are empty.
void AggregatedExchange::take(int message, std::size_t bytes, int code)
{
    PlaceTable blocks = table(part_.own_position, message);
    if (code != MPI_SUCCESS || !blocks.sound(bytes)) {
        fail(code != MPI_SUCCESS ? code : MPI_ERR_TRUNCATE);
        blocks.clear();
    }
    stamp(part_.own_position, message).publish(now_.number);
}

void AggregatedExchange::look_for_messages()
{
    now_.received = receives_.look(0, receives_.size(), [this](std::size_t message, std::size_t bytes, int error) {
        take(static_cast<int>(message), bytes, error);
    });
}

void AggregatedExchange::deliver(const DeliveryBatch& batch)
{
    const PlaceTable blocks = table(batch.owner, batch.message);
    for (std::size_t i = batch.first; i < batch.last; ++i) {
        const Delivery& delivery = part_.deliveries[i];
        const Block block = (*now_.receive)[delivery.slot];
        const auto index = static_cast<std::size_t>(delivery.index);
        const bool is_direct = blocks.is_direct(index);
        fail(direct_.settle(delivery.slot, is_direct));
        if (is_direct)
            continue;
        if (blocks.size(index) != block.bytes)
            fail(MPI_ERR_TRUNCATE);
        unpack(blocks.data(index), blocks.size(index), block);
    }
}

void AggregatedExchange::deliver_what_came()
{
    const auto delivered = [this](std::size_t number) {
        const DeliveryBatch& batch = part_.batches[number];
        if (!stamp(batch.owner, batch.message).has(now_.number))
            return false;
        deliver(batch);
        return true;
    };
    missing_.erase(std::remove_if(missing_.begin(), missing_.end(), delivered), missing_.end());
}

/// True if all messages have left and all blocks have been delivered.
bool AggregatedExchange::complete()
{
    int code = MPI_SUCCESS;
    const bool all = now_.received && all_sent(sends_, code) && (direct_.idle() || direct_.complete(code));
    fail(code);
    return all;
}

bool AggregatedExchange::advance()
{
    if (!now_.filled) {
        if (!buffer_is_free())
            return false;
        now_.filled = true;
        post_receives();
        fill();
    }
    while (send_next())
        ;
    look_for_messages();
    if (!missing_.empty())
        deliver_what_came();
    if (now_.sent < part_.out.size() || !missing_.empty())
        return false;
    Readings& readings = *own().readings;
    if (readings.last_done(now_.number) != word_of(now_.number))
        readings.set_done(now_.number); // nothing more to read in the buffers of others
    return complete();
}

/// A message may be on its way to a process that waits for its buffer only, and that must make progress to get it.
void AggregatedExchange::idle(bool yields)
{
    poll_now_and_then(now_.idle_looks, group_->communicator());
    if (yields)
        sched_yield();
}

} // namespace hopscotch::shim
