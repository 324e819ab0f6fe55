// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes and keeps the exchanges of one communicator: that of its blocking calls, those that nonblocking calls use in
// turn, and one for each persistent request, with their tags and their part of the memory of the node.
#include "shim/selection/exchange_pool.hpp"

#include "schedules/irregular/partly_combining.hpp"
#include "schedules/memory/memory_plan.hpp"
#include "schedules/message/tags.hpp"
#include "schedules/nodes/node_gather.hpp"
#include "schedules/plan/collective_schedule.hpp"
#include "shim/exchange/aggregated_exchange.hpp"
#include "shim/exchange/scheduled_exchange.hpp"
#include "shim/exchange/shared_exchange.hpp"
#include "shim/graph/aggregation.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/selection/combining_members.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hopscotch::shim
{

using schedules::blocking_lane;
using schedules::first_large_lane;
using schedules::first_nonblocking_lane;
using schedules::first_persistent_tag;
using schedules::first_tag;
using schedules::lanes;
using schedules::large_lanes;
using schedules::nonblocking_streams;
using schedules::tags_per_exchange;

static_assert(first_persistent_tag <= TagBlock::count);
static_assert(ExchangePool::own_tags <= lanes * tags_per_exchange);

namespace
{

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// The schedule of this process for some edges in messages.
schedules::Schedule schedule_of(const Graph& graph, const Choice& choice, Collective collective,
                                const schedules::Edges& edges)
{
    const bool among_neighbors = collective != Collective::global_allgather;
    const bool combines = choice.algorithm == Algorithm::combining && among_neighbors;
    if (combines && graph.partial != nullptr)
        return schedules::partly_combining(graph.partial, blocks_of(collective), edges);
    std::vector<schedules::Group> groups = choice.groups;
    if (combines && groups.empty())
        groups = combining_groups(graph);
    // A block that must not be packed shares no message with those of parallel edges.
    const bool alone = choice.algorithm == Algorithm::merged && graph.host_copy_limit(collective) != never;
    return schedules::schedule_for(alone ? Algorithm::trivial : choice.algorithm, collective, edges, graph.topology,
                                   graph.stencil, groups);
}

/// True if every process knows the size of all blocks, also of those it only forwards.
bool sizes_are_known(const Graph& graph, Collective collective, Algorithm algorithm)
{
    return is_regular(collective) &&
           (!forwards(algorithm) || collective == Collective::global_allgather || graph.one_block_size());
}

/// The edges to processes of other nodes.
schedules::Edges beyond_node(const schedules::Edges& edges, const ProcessGroup& group)
{
    return schedules::part_of(edges, [&group](int rank) { return group.node_index(rank) < 0; });
}

/// The kind of native calls with the same match of parallel edges as a collective.
Matching matching_of(Collective collective) noexcept
{
    if (collective == Collective::alltoallv)
        return Matching::alltoallv;
    return collective == Collective::alltoallw ? Matching::alltoallw : Matching::alltoall;
}

/// The largest block that fits into the memory of a stream beside the others of a call.
std::size_t room_for_block(const Graph& graph, Collective collective, const Segment& segment, int stream) noexcept
{
    const int most_blocks = is_allgather(collective) ? 1 : graph.out_degree_max;
    return schedules::largest_block_in(segment.buffer_bytes(stream), most_blocks);
}

/// The stream of the segment for calls in this lane.
int stream_in(Collective collective, int lane) noexcept
{
    if (lane == blocking_lane)
        return collective == Collective::global_allgather ? schedules::global_stream : schedules::calls_stream;
    return lane < first_large_lane ? schedules::first_nonblocking_stream + lane - first_nonblocking_lane
                                   : schedules::large_nonblocking_stream;
}

/// Blocks of at least so many bytes are lent between processes of a node, if others of up to `room` bytes are written
/// in shared memory; `never` if none are.
std::size_t lent_from_bytes(const ProcessGroup& group, std::size_t room) noexcept
{
    return group.one_copy() && room >= sizeof(LentBlock) ? std::min(group.one_copy()->block_bytes, room + 1) : never;
}

/// A bit for each of the first persistent streams.
constexpr std::uint64_t streams_up_to(std::size_t count) noexcept
{
    return (std::uint64_t{1} << count) - 1;
}

/// See shares_block_size of the facts.
bool shares_block_size(const Graph& graph, Collective collective, Algorithm algorithm)
{
    if (collective == Collective::global_allgather)
        return true;
    return !graph.may_have_idle_process() && (!forwards(algorithm) || graph.one_block_size());
}

} // namespace

ExchangePool::ExchangePool(MPI_Comm comm, std::shared_ptr<const Graph> graph, std::shared_ptr<ProcessGroup> group,
                           TagBlock tags)
    : comm_(comm), graph_(std::move(graph)), group_(std::move(group)), tags_(tags), persistent_tags_(tags)
{
}

void ExchangePool::take_memory(std::shared_ptr<StagingBuffers> staging, std::shared_ptr<Segment> segment)
{
    staging_ = std::move(staging);
    if (segment == nullptr)
        return;
    segment_ = std::move(segment);
    for (const std::shared_ptr<Segment>& extension : segment_->extensions())
        take_streams_of(extension);
}

std::size_t ExchangePool::largest_block(Collective collective, int stream) const
{
    const std::size_t room = room_for_block(*graph_, collective, *segment_, stream);
    return lent_from_bytes(*group_, room) != never ? schedules::most_lent_bytes : room;
}

std::size_t ExchangePool::shared_bytes(Collective collective) const
{
    return segment_ != nullptr ? largest_block(collective, stream_in(collective, blocking_lane)) : 0;
}

std::size_t ExchangePool::aggregated_bytes(Collective collective) const
{
    if (staging_ == nullptr)
        return 0;
    return collective == Collective::global_allgather
               ? staging_->largest_block(schedules::gather_buffers(group_->node_map()))
               : staging_->largest_block();
}

/// Null if no memory is shared.
std::shared_ptr<Stream> ExchangePool::stream_of(Collective collective, int lane)
{
    if (segment_ == nullptr)
        return nullptr;
    const int index = stream_in(collective, lane);
    std::shared_ptr<Stream>& stream = streams_[static_cast<std::size_t>(index)];
    if (stream == nullptr)
        stream = std::make_shared<Stream>(Stream{segment_, index, index >= schedules::first_nonblocking_stream});
    return stream;
}

/// Carries the edges to other nodes in messages of this process's own; null if it has none.
std::unique_ptr<Exchange> ExchangePool::off_node(Collective collective, const schedules::Edges& edges, int tag) const
{
    if (group_->nodes() == 1)
        return nullptr;
    schedules::ExchangePlan plan;
    plan.schedule = schedule_of(*graph_, {Algorithm::merged, {}}, collective, beyond_node(edges, *group_));
    if (plan.schedule.phases.empty() || plan.schedule.phases.front().rounds.empty())
        return nullptr;
    plan.host_copy_limit = graph_->host_copy_limit(collective);
    return std::make_unique<ScheduledExchange>(
        std::move(plan), is_regular(collective) ? schedules::SizesAre::known : schedules::SizesAre::sent, group_,
        tag + schedules::off_node_tag); // there are no rests and no direct blocks
}

/// Carries them together with those of the other processes of the node.
std::unique_ptr<Exchange> ExchangePool::aggregated(Collective collective, const schedules::Edges& edges,
                                                   std::size_t cutoff_bytes, int tag, int region) const
{
    schedules::AggregationPlan plan;
    plan.part = collective == Collective::global_allgather
                    ? schedules::gather_part(group_->node_map(), edges.rank)
                    : graph_->node_neighborhood->part(group_->node_map(), edges, blocks_of(collective));
    plan.edges = beyond_node(edges, *group_);
    plan.cutoff_bytes = cutoff_bytes;
    plan.largest_block = aggregated_bytes(collective);
    plan.host_copy_limit = graph_->host_copy_limit(collective);
    plan.cutoff_bytes = std::min(plan.cutoff_bytes, plan.host_copy_limit);
    return std::make_unique<AggregatedExchange>(std::move(plan), staging_, region, group_, tag);
}

/// Those of all exchanges whose operations advance under one lock: of requests. Blocking calls have results of their
/// own.
std::shared_ptr<schedules::CopyTrials::Results> ExchangePool::copy_results(Collective collective, Completion completion)
{
    auto& results = copy_results_[static_cast<std::size_t>(collective)][completion == Completion::blocking ? 1 : 0];
    if (results == nullptr)
        results = std::make_shared<schedules::CopyTrials::Results>();
    return results;
}

std::shared_ptr<Exchange> ExchangePool::shared(Collective collective, Completion completion,
                                               const schedules::Edges& edges, const Choice& choice, int tag,
                                               Memory memory)
{
    const Graph& graph = *graph_;
    schedules::MemoryPlan plan = schedules::memory_plan(
        edges, blocks_of(collective), [this](int rank) { return group_->node_index(rank) >= 0; },
        schedules::matched_numbers(graph.edges, graph.remote_positions, edges));
    plan.one_size = is_regular(collective) && shares_block_size(graph, collective, choice.algorithm);
    const std::size_t room = room_for_block(graph, collective, *memory.stream->segment, memory.stream->index);
    plan.host_copy_limit = graph.host_copy_limit(collective);
    plan.lent_from_bytes = plan.host_copy_limit == never ? lent_from_bytes(*group_, room) : never;
    if (const auto& limits = group_->one_copy()) {
        plan.lending_call_bytes = limits->call_bytes;
        if (limits->tried)
            plan.copy_results = copy_results(collective, completion);
    }
    plan.buffer_bytes = memory.stream->segment->buffer_bytes(memory.stream->index);
    if (!plan.one_size && plan.lent_from_bytes == never)
        plan.cutoff_bytes = std::min(room, plan.host_copy_limit);
    std::unique_ptr<Exchange> beyond = choice.algorithm == Algorithm::aggregated
                                           ? aggregated(collective, edges, choice.cutoff_bytes, tag, memory.region)
                                           : off_node(collective, edges, tag);
    return std::make_shared<SharedExchange>(std::move(plan), std::move(memory.stream), group_, tag, std::move(beyond));
}

std::shared_ptr<Exchange> ExchangePool::make(Collective collective, Completion completion, const Choice& choice,
                                             int tag, Memory memory)
{
    const Graph& graph = *graph_;
    const schedules::Edges edges = collective == Collective::global_allgather
                                       ? schedules::edges_to_everyone(graph.ranks, graph.edges.rank)
                                       : graph.edges_for(matching_of(collective), completion);
    if (choice.algorithm == Algorithm::shared || choice.algorithm == Algorithm::aggregated)
        return shared(collective, completion, edges, choice, tag, std::move(memory));
    schedules::ExchangePlan plan;
    plan.schedule = schedule_of(graph, choice, collective, edges);
    schedules::SizesAre sizes = forwards(choice.algorithm) ? schedules::SizesAre::described : schedules::SizesAre::sent;
    if (sizes_are_known(graph, collective, choice.algorithm))
        sizes = schedules::SizesAre::known;
    plan.host_copy_limit = graph.host_copy_limit(collective);
    if (sizes == schedules::SizesAre::described) {
        plan.cutoff_bytes = std::min(choice.cutoff_bytes, plan.host_copy_limit);
        plan.edges = edges;
    }
    return std::make_shared<ScheduledExchange>(std::move(plan), sizes, group_, tag);
}

const std::shared_ptr<Exchange>& ExchangePool::exchange(Collective collective, Completion completion,
                                                        const Choice& choice, int lane)
{
    const int tag = tags_.first + first_tag(collective, place_of(choice), lane);
    std::shared_ptr<Exchange>& made = exchanges_[tag];
    if (made != nullptr)
        return made;
    Memory memory;
    memory.stream = stream_of(collective, lane);
    memory.region = lane == blocking_lane
                        ? StagingBuffers::blocking_region(collective)
                        : StagingBuffers::nonblocking_region(collective, lane - first_nonblocking_lane);
    made = make(collective, completion, choice, tag, std::move(memory));
    return made;
}

Exchange& ExchangePool::blocking(Collective collective, const Choice& choice)
{
    return *exchange(collective, Completion::blocking, choice, blocking_lane);
}

bool ExchangePool::is_large(Collective collective, Algorithm algorithm, std::size_t block_bytes) const
{
    return algorithm == Algorithm::shared && is_regular(collective) &&
           shares_block_size(*graph_, collective, algorithm) &&
           block_bytes > largest_block(collective, schedules::first_nonblocking_stream);
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
    return make(collective, Completion::nonblocking, choice,
                tags_.first + first_tag(collective, choice.algorithm, lane), {});
}

std::uint64_t ExchangePool::common_bits(std::uint64_t bits) const
{
    return CollectiveConsensus(comm_).common_bits(bits);
}

/// No request has them on any process: a request keeps the segment that is extended from the next graph.
void ExchangePool::take_streams_of(const std::shared_ptr<Segment>& extension)
{
    for (int i = 0; i < extension->streams(); ++i) {
        unused_streams_ |= std::uint64_t{1} << persistent_streams_.size();
        persistent_streams_.push_back(
            std::make_shared<Stream>(Stream{std::shared_ptr<Segment>(segment_, extension.get()), i}));
    }
}

/// Doubles the persistent streams, four at least, with as much room as calls have: one file, which costs as much as
/// hundreds of agreements. Collective: over the communicator.
void ExchangePool::make_persistent_streams()
{
    const std::size_t made = persistent_streams_.size();
    const std::size_t more = std::min(std::max<std::size_t>(made, 4), schedules::persistent_streams - made);
    const std::vector<std::size_t> rooms(more, segment_->buffer_bytes(schedules::calls_stream));
    std::shared_ptr<Segment> extension = Segment::create({*group_, comm_, tags_.set_up()}, rooms).segment;
    if (extension == nullptr)
        return;
    take_streams_of(extension);
    segment_->extend(std::move(extension));
}

/// Index of a stream that no other persistent request uses, on all processes; -1 if there is none. Collective: after
/// all streams agreed on have been given, the processes agree on those whose requests are gone; after a failure,
/// rarely.
int ExchangePool::persistent_stream(Algorithm algorithm)
{
    const std::size_t most =
        algorithm == Algorithm::aggregated ? schedules::persistent_regions : schedules::persistent_streams;
    const std::uint64_t usable = streams_up_to(most);
    if ((unused_streams_ & usable) == 0 && in_vain_ % 16 == 0) {
        std::uint64_t unused = 0;
        for (std::size_t i = 0; i < persistent_streams_.size(); ++i)
            if (persistent_streams_[i].use_count() == 1)
                unused |= std::uint64_t{1} << i;
        unused_streams_ = persistent_streams_.empty() ? 0 : common_bits(unused);
        if ((unused_streams_ & usable) == 0 && persistent_streams_.size() < most)
            make_persistent_streams();
    }
    for (int i = 0; i < schedules::persistent_streams; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if ((unused_streams_ & usable & bit) == 0)
            continue;
        unused_streams_ &= ~bit;
        in_vain_ = 0;
        return i;
    }
    ++in_vain_;
    return -1;
}

int ExchangePool::persistent_tag()
{
    constexpr int most_persistent =
        (TagBlock::count - first_persistent_tag - TagBlock::of_no_exchange) / tags_per_exchange;
    if (persistent_made_ == most_persistent) {
        const std::int64_t block = graph_->edges.rank == 0 ? group_->take_block() : 0;
        persistent_tags_ = group_->tags(CollectiveConsensus(comm_).maximum(block));
        persistent_made_ = 0;
    }
    return persistent_tags_.first + first_persistent_tag + persistent_made_++ * tags_per_exchange;
}

int ExchangePool::first_own_tag() const noexcept
{
    return tags_.first + first_tag(Collective::alltoall, Algorithm::native, 0);
}

std::shared_ptr<Exchange> ExchangePool::persistent(Collective collective, Choice& choice)
{
    Memory memory;
    if (choice.algorithm == Algorithm::shared || choice.algorithm == Algorithm::aggregated) {
        const int index = persistent_stream(choice.algorithm);
        if (index < 0)
            choice.algorithm = Algorithm::merged;
        else
            memory = {persistent_streams_[static_cast<std::size_t>(index)], StagingBuffers::persistent_region(index)};
    }
    return make(collective, Completion::persistent, choice, persistent_tag(), std::move(memory));
}

std::shared_ptr<Exchange> ExchangePool::reference(Collective collective, Completion completion)
{
    const int tag = completion == Completion::persistent ? persistent_tag() : tags_.reference();
    return make(collective, completion, {Algorithm::trivial, {}}, tag, {});
}

void ExchangePool::release() noexcept
{
    exchanges_.clear();
    staging_.reset();
    streams_ = {};
    persistent_streams_.clear();
    segment_.reset();
    group_.reset();
}

} // namespace hopscotch::shim
