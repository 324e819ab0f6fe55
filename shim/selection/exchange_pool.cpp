// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the exchanges of one communicator: that of its blocking calls, those that nonblocking calls use in turn, and
// one for each persistent request, with their tags and their part of the memory of the node.
#include "shim/selection/exchange_pool.hpp"

#include "schedules/memory_plan.hpp"
#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/selection/exchange_factory.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::nonblocking_streams;

namespace
{

constexpr int algorithm_count = static_cast<int>(schedules::algorithm_count);

/// Exchanges of one kind: of blocking calls, of nonblocking ones in flight at once, and of those with large blocks.
constexpr int first_large_lane = 1 + nonblocking_streams;
constexpr int large_lanes = 2;
constexpr int lanes = first_large_lane + large_lanes;
static_assert(static_cast<int>(collective_count) * algorithm_count * lanes * tags_per_exchange <= TagBlock::count);

/// The MPI library's function sends nothing of ours, so that these tags are left over.
static_assert(ExchangePool::own_tags <= lanes * tags_per_exchange);

/// Number of the first tag of an exchange within the tag block of its communicator.
int first_tag(Collective collective, Algorithm algorithm, int lane)
{
    const int kind = static_cast<int>(collective) * algorithm_count + static_cast<int>(algorithm);
    return (kind * lanes + lane) * tags_per_exchange;
}

} // namespace

ExchangePool::ExchangePool(MPI_Comm comm, std::shared_ptr<const Graph> graph, std::shared_ptr<ProcessGroup> group,
                           TagBlock tags)
    : comm_(comm), graph_(std::move(graph)), group_(std::move(group)), tags_(tags), persistent_tags_(tags)
{
}

void ExchangePool::take_memory(std::shared_ptr<StagingBuffers> staging, const std::shared_ptr<Segment>& segment)
{
    staging_ = std::move(staging);
    if (segment == nullptr)
        return;
    streams_.push_back(std::make_shared<Stream>(Stream{segment, schedules::calls_stream}));
    for (int i = 0; i < schedules::persistent_streams; ++i)
        streams_.push_back(std::make_shared<Stream>());
    global_stream_ = std::make_shared<Stream>(Stream{segment, schedules::global_stream});
    for (int i = 0; i < nonblocking_streams; ++i)
        nonblocking_streams_.push_back(
            std::make_shared<Stream>(Stream{segment, schedules::first_nonblocking_stream + i}));
    nonblocking_streams_.push_back(std::make_shared<Stream>(Stream{segment, schedules::large_nonblocking_stream}));
}

std::size_t ExchangePool::largest_block(Collective collective, const Stream& stream) const
{
    const std::size_t room = room_for_block(*graph_, collective, stream);
    return lent_from_bytes(*group_, room) != never ? schedules::most_lent_bytes : room;
}

std::size_t ExchangePool::shared_bytes(Collective collective) const
{
    const std::shared_ptr<Stream> stream = stream_of(collective, 0); // others have as much room
    return stream != nullptr ? largest_block(collective, *stream) : 0;
}

std::size_t ExchangePool::aggregated_bytes() const noexcept
{
    return staging_ != nullptr ? staging_->largest_block() : 0;
}

std::shared_ptr<Stream> ExchangePool::stream_of(Collective collective, int lane) const
{
    if (streams_.empty())
        return nullptr;
    if (lane > 0)
        return nonblocking_streams_[static_cast<std::size_t>(std::min(lane, first_large_lane) - 1)];
    return collective == Collective::global_allgather ? global_stream_ : streams_[0];
}

const std::shared_ptr<Exchange>& ExchangePool::exchange(Collective collective, Completion completion,
                                                        const Choice& choice, int lane)
{
    const int tag = tags_.first + first_tag(collective, choice.algorithm, lane);
    std::shared_ptr<Exchange>& made = exchanges_[tag];
    if (made != nullptr)
        return made;
    ExchangeMemory memory;
    memory.stream = stream_of(collective, lane);
    memory.region = lane == 0 ? StagingBuffers::blocking_region(collective)
                              : StagingBuffers::nonblocking_region(collective, lane - 1);
    made = make_exchange({graph_, group_, staging_}, collective, completion, choice, tag, std::move(memory));
    return made;
}

Exchange& ExchangePool::blocking(Collective collective, const Choice& choice)
{
    return *exchange(collective, Completion::blocking, choice, 0);
}

bool ExchangePool::is_large(Collective collective, Algorithm algorithm, std::size_t block_bytes) const
{
    return algorithm == Algorithm::shared && is_regular(collective) &&
           shares_block_size(*graph_, collective, algorithm) &&
           block_bytes > largest_block(collective, *nonblocking_streams_.front());
}

std::shared_ptr<Exchange> ExchangePool::nonblocking(Collective collective, const Choice& choice,
                                                    std::size_t block_bytes, std::uint64_t number)
{
    const bool large = is_large(collective, choice.algorithm, block_bytes);
    const int first_lane = large ? first_large_lane : 1; // 0 is that of blocking calls
    const int usual_lanes = large ? large_lanes : nonblocking_streams;
    const int own_lanes = choice.algorithm == Algorithm::aggregated ? StagingBuffers::nonblocking_lanes : usual_lanes;
    const int lane = first_lane + static_cast<int>(number % static_cast<std::uint64_t>(own_lanes));
    const std::shared_ptr<Exchange>& usual = exchange(collective, Completion::nonblocking, choice, lane);
    const bool only_sends = choice.algorithm == Algorithm::merged || choice.algorithm == Algorithm::trivial;
    if (!only_sends || !usual->busy())
        return usual; // it begins when the earlier call has ended
    // It begins now: its messages follow those of the earlier call under the same tag.
    return make_exchange({graph_, group_, staging_}, collective, Completion::nonblocking, choice,
                         tags_.first + first_tag(collective, choice.algorithm, lane), {});
}

std::uint64_t ExchangePool::common_bits(std::uint64_t bits) const
{
    const ReturningErrors quiet(comm_);
    return CollectiveConsensus(comm_).common_bits(bits);
}

/// Memory for one persistent request, with as much room as calls have; null where there is none. Collective: over the
/// communicator.
std::shared_ptr<Segment> ExchangePool::own_segment() const
{
    const ReturningErrors quiet(comm_);
    return Segment::create({*group_, comm_, tags_.set_up()},
                           {streams_[0]->segment->buffer_bytes(schedules::calls_stream)})
        .segment;
}

/// Index of a stream no other persistent request uses, on all processes, with its memory; 0 when there is none.
/// Collective.
int ExchangePool::persistent_stream()
{
    std::uint64_t unused = 0;
    for (std::size_t i = 1; i < streams_.size(); ++i)
        if (streams_[i].use_count() == 1)
            unused |= std::uint64_t{1} << i;
    unused = common_bits(unused);
    for (std::size_t i = 1; i < streams_.size(); ++i) {
        if ((unused >> i & 1) == 0)
            continue;
        Stream& stream = *streams_[i];
        if (stream.segment == nullptr)
            stream.segment = own_segment();
        return stream.segment != nullptr ? static_cast<int>(i) : 0;
    }
    return 0;
}

int ExchangePool::persistent_tag()
{
    constexpr int first_persistent = static_cast<int>(collective_count) * algorithm_count * lanes * tags_per_exchange;
    constexpr int most_persistent = (TagBlock::count - first_persistent - TagBlock::of_no_exchange) / tags_per_exchange;
    if (persistent_made_ == most_persistent) {
        const ReturningErrors quiet(comm_);
        const std::int64_t block = graph_->edges.rank == 0 ? group_->take_block() : 0;
        persistent_tags_ = group_->tags(CollectiveConsensus(comm_).maximum(block));
        persistent_made_ = 0;
    }
    return persistent_tags_.first + first_persistent + persistent_made_++ * tags_per_exchange;
}

int ExchangePool::first_own_tag() const noexcept
{
    return tags_.first + first_tag(Collective::alltoall, Algorithm::native, 0);
}

std::shared_ptr<Exchange> ExchangePool::persistent(Collective collective, Choice& choice)
{
    ExchangeMemory memory;
    if (choice.algorithm == Algorithm::shared || choice.algorithm == Algorithm::aggregated) {
        const int index = persistent_stream();
        if (index == 0)
            choice.algorithm = Algorithm::merged;
        else
            memory = {streams_[static_cast<std::size_t>(index)], StagingBuffers::persistent_region(index - 1)};
    }
    return make_exchange({graph_, group_, staging_}, collective, Completion::persistent, choice, persistent_tag(),
                         std::move(memory));
}

void ExchangePool::release() noexcept
{
    exchanges_.clear();
    staging_.reset();
    streams_.clear();
    nonblocking_streams_.clear();
    global_stream_.reset();
    group_.reset();
}

} // namespace hopscotch::shim
