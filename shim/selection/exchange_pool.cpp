// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/exchange_pool.hpp"

#include "schedules/memory/segment_layout.hpp"
#include "schedules/message/tags.hpp"
#include "shim/group/collective_consensus.hpp"

#include <utility>

namespace hopscotch::shim
{

using schedules::blocking_lane;
using schedules::first_large_lane;
using schedules::first_nonblocking_lane;
using schedules::first_persistent_tag;
using schedules::first_tag;
using schedules::large_lanes;
using schedules::nonblocking_streams;
using schedules::tags_per_exchange;

static_assert(first_persistent_tag <= TagBlock::count);

namespace
{

/// The stream of the segment for calls in this lane.
int stream_in(Collective collective, int lane) noexcept
{
    if (lane == blocking_lane)
        return collective == Collective::global_allgather ? schedules::global_stream : schedules::calls_stream;
    return lane < first_large_lane ? schedules::first_nonblocking_stream + lane - first_nonblocking_lane
                                   : schedules::large_nonblocking_stream;
}

} // namespace

std::size_t ExchangePool::shared_bytes(Collective collective) const
{
    return detected_.segment != nullptr ? maker_.largest_block(collective, stream_in(collective, blocking_lane)) : 0;
}

/// The stream of the segment for calls in a lane; null if no memory is shared.
std::shared_ptr<Stream> ExchangePool::stream_of(Collective collective, int lane)
{
    if (detected_.segment == nullptr)
        return nullptr;
    const int index = stream_in(collective, lane);
    std::shared_ptr<Stream>& stream = streams_[static_cast<std::size_t>(index)];
    if (stream == nullptr)
        stream =
            std::make_shared<Stream>(Stream{detected_.segment, index, index >= schedules::first_nonblocking_stream});
    return stream;
}

const std::shared_ptr<Exchange>& ExchangePool::exchange(Collective collective, Completion completion,
                                                        const Choice& choice, int lane)
{
    const int tag = detected_.tags.first + first_tag(collective, kind_of(choice), lane);
    std::vector<KeptExchange>& of_tag = exchanges_[tag];
    for (const KeptExchange& kept : of_tag)
        if (kept.cutoff_bytes == choice.cutoff_bytes && kept.groups == choice.groups)
            return kept.exchange;
    ExchangeMemory memory;
    memory.stream = stream_of(collective, lane);
    memory.region = lane == blocking_lane
                        ? StagingBuffers::blocking_region(collective)
                        : StagingBuffers::nonblocking_region(collective, lane - first_nonblocking_lane);
    of_tag.push_back(
        {choice.cutoff_bytes, choice.groups, maker_.make(collective, completion, choice, tag, std::move(memory))});
    return of_tag.back().exchange;
}

Exchange& ExchangePool::blocking(Collective collective, const Choice& choice)
{
    return *exchange(collective, Completion::blocking, choice, blocking_lane);
}

bool ExchangePool::is_large(Collective collective, Algorithm algorithm, std::size_t block_bytes) const
{
    return algorithm == Algorithm::shared && is_regular(collective) &&
           maker_.shares_block_size(collective, algorithm) &&
           block_bytes > maker_.largest_block(collective, schedules::first_nonblocking_stream);
}

std::shared_ptr<Exchange> ExchangePool::nonblocking(Collective collective, const Choice& choice,
                                                    std::size_t block_bytes, std::uint64_t number)
{
    const bool large = is_large(collective, choice.algorithm, block_bytes);
    const int first_lane = large ? first_large_lane : first_nonblocking_lane;
    const int usual_lanes = large ? large_lanes : nonblocking_streams;
    const int own_lanes = choice.algorithm == Algorithm::aggregated ? StagingBuffers::nonblocking_lanes : usual_lanes;
    const int lane = first_lane + static_cast<int>(number % static_cast<std::uint64_t>(own_lanes));
    const std::shared_ptr<Exchange>& usual = exchange(collective, Completion::nonblocking, choice, lane);
    const bool only_sends = choice.algorithm == Algorithm::merged || choice.algorithm == Algorithm::trivial;
    if (!only_sends || !usual->busy())
        return usual; // it begins after the end of the earlier call
    // It begins now: its messages follow those of the earlier call under the same tag.
    return maker_.make(collective, Completion::nonblocking, choice,
                       detected_.tags.first + first_tag(collective, kind_of(choice), lane), {});
}

std::uint64_t ExchangePool::common_bits(std::uint64_t bits) const
{
    return CollectiveConsensus(comm_).common_bits(bits);
}

int ExchangePool::persistent_tag()
{
    constexpr int most_persistent =
        (TagBlock::count - first_persistent_tag - TagBlock::of_no_exchange) / tags_per_exchange;
    if (persistent_made_ == most_persistent) {
        const std::int64_t block = detected_.graph->edges.rank == 0 ? detected_.group->take_block() : 0;
        persistent_tags_ = detected_.group->tags(CollectiveConsensus(comm_).maximum(block));
        persistent_made_ = 0;
    }
    return persistent_tags_.first + first_persistent_tag + persistent_made_++ * tags_per_exchange;
}

std::shared_ptr<Exchange> ExchangePool::persistent(Collective collective, Choice& choice)
{
    ExchangeMemory memory;
    if (choice.algorithm == Algorithm::shared || choice.algorithm == Algorithm::aggregated) {
        StreamLease lease;
        if (detected_.segment != nullptr)
            lease = persistent_streams_.take(choice.algorithm, detected_.segment,
                                             {*detected_.group, comm_, detected_.tags.set_up()});
        if (lease.stream == nullptr)
            choice.algorithm = Algorithm::merged;
        else
            memory = {std::move(lease.stream), StagingBuffers::persistent_region(lease.index)};
    }
    return maker_.make(collective, Completion::persistent, choice, persistent_tag(), std::move(memory));
}

std::shared_ptr<Exchange> ExchangePool::reference(Collective collective, Completion completion)
{
    const int tag = completion == Completion::persistent ? persistent_tag() : detected_.tags.reference();
    return maker_.make(collective, completion, {Algorithm::trivial, {}}, tag, {});
}

void ExchangePool::release() noexcept
{
    exchanges_.clear();
    streams_ = {};
    persistent_streams_.release();
}

} // namespace hopscotch::shim
