// What the shim keeps with a communicator, as an MPI attribute: neighborhood, ways to carry collectives, counters.
#include "shim/communicator.hpp"

#include "schedules/allgather.hpp"
#include "schedules/alltoall.hpp"
#include "schedules/cost.hpp"
#include "schedules/direct.hpp"
#include "shim/callsite.hpp"
#include "shim/clock.hpp"
#include "shim/lifecycle.hpp"
#include "shim/mpi_error.hpp"
#include "shim/regular_exchange.hpp"
#include "shim/relayed_exchange.hpp"
#include "shim/sized_exchange.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

constexpr int algorithm_count = 7;
constexpr int lanes = 8;             // exchanges of one kind that may be in flight at once
constexpr int tags_per_exchange = 4; // see RelayedExchange
static_assert(static_cast<int>(collective_count) * algorithm_count * lanes * tags_per_exchange <= TagBlock::count);

Matching matching_of(Collective collective)
{
    switch (collective) {
    case Collective::alltoallv:
        return Matching::alltoallv;
    case Collective::alltoallw:
        return Matching::alltoallw;
    default:
        return Matching::alltoall;
    }
}

constexpr int most_offsets_reported = 1000;

/// Names of a call site, found once: programs that make graphs in a loop make them in one place.
std::vector<std::string> described(const std::vector<void*>& call_site)
{
    static std::mutex mutex;
    static auto* known = new std::map<std::vector<void*>, std::vector<std::string>>;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [entry, is_new] = known->try_emplace(call_site);
    if (is_new)
        entry->second = describe(call_site);
    return entry->second;
}

OperationCounters in_seconds(const Way& way)
{
    const Counters& counters = way.counters;
    OperationCounters result;
    result.calls = counters.calls;
    result.failed = counters.failed;
    result.bytes = counters.bytes;
    result.messages = counters.messages;
    result.messages_trivial = counters.messages_trivial;
    result.seconds = seconds(counters.ticks);
    for (const auto& [place, site] : way.sites) {
        SiteCounters& sum = result.sites[described(*place)];
        sum.calls += site.calls;
        sum.seconds += seconds(site.ticks);
    }
    return result;
}

} // namespace

Communicator::Communicator(Detected detected, const Settings& settings, double setup_seconds)
    : graph_(std::move(detected.graph)), group_(std::move(detected.group)), tags_(detected.tags), key_(detected.key),
      settings_(settings), setup_seconds_(setup_seconds), persistent_tags_(tags_)
{
    settings_.algorithms = graph_->algorithms.value_or(settings.algorithms);
    for (const int destination : graph_->edges.destinations) {
        has_destinations_ = has_destinations_ || destination != schedules::no_rank;
        if (destination != schedules::no_rank && destination != graph_->edges.rank)
            ++trivial_messages_;
    }
}

schedules::Schedule Communicator::make_schedule(Collective collective, const schedules::Edges& edges,
                                                Algorithm algorithm) const
{
    const bool gather = is_allgather(collective);
    if (algorithm == Algorithm::trivial)
        return gather ? schedules::trivial_allgather(edges) : schedules::trivial(edges);
    if (algorithm == Algorithm::merged)
        return gather ? schedules::merged_allgather(edges) : schedules::merged(edges);
    const schedules::Neighborhood neighborhood = schedules::place(graph_->topology, graph_->stencil, edges);
    if (gather)
        return schedules::combining_allgather(neighborhood, schedules::best_dimension_order(graph_->stencil));
    return schedules::combining_alltoall(neighborhood);
}

std::shared_ptr<Exchange> Communicator::make_exchange(Collective collective, Completion completion,
                                                      const Choice& choice, int tag) const
{
    const schedules::Edges edges = graph_->edges_for(matching_of(collective), completion);
    schedules::Schedule schedule = make_schedule(collective, edges, choice.algorithm);
    const bool forwards = choice.algorithm == Algorithm::combining;
    if (is_regular(collective) && !(forwards && graph_->may_have_idle_process()))
        return std::make_shared<RegularExchange>(std::move(schedule), group_, tag);
    if (!forwards)
        return std::make_shared<SizedExchange>(std::move(schedule), group_, tag);
    return std::make_shared<RelayedExchange>(std::move(schedule), group_, tag, choice.cutoff_bytes, edges);
}

/// Number of the first tag of an exchange within the tag block of its communicator.
int first_tag(Collective collective, Algorithm algorithm, int lane)
{
    const int kind = static_cast<int>(collective) * algorithm_count + static_cast<int>(algorithm);
    return (kind * lanes + lane) * tags_per_exchange;
}

const std::shared_ptr<Exchange>& Communicator::exchange(Collective collective, Completion completion,
                                                        const Choice& choice, int lane)
{
    const int tag = tags_.first + first_tag(collective, choice.algorithm, lane);
    std::shared_ptr<Exchange>& made = exchanges_[tag];
    if (made == nullptr)
        made = make_exchange(collective, completion, choice, tag);
    return made;
}

std::shared_ptr<Exchange> Communicator::next_lane(Collective collective, const Choice& choice)
{
    int& calls = calls_by_kind_[first_tag(collective, choice.algorithm, 0)];
    const int lane = 1 + calls++ % (lanes - 1); // lane 0 is that of blocking calls
    return exchange(collective, Completion::nonblocking, choice, lane);
}

std::shared_ptr<Exchange> Communicator::persistent_exchange(Collective collective, const Choice& choice)
{
    constexpr int first_persistent = static_cast<int>(collective_count) * algorithm_count * lanes * tags_per_exchange;
    constexpr int most_persistent = (TagBlock::count - first_persistent) / tags_per_exchange;
    if (persistent_made_ == most_persistent) {
        std::int64_t block = group_->next_block();
        check(next.Allreduce(MPI_IN_PLACE, &block, 1, MPI_INT64_T, MPI_MAX, group_->communicator()));
        persistent_tags_ = group_->take_block(block);
        persistent_made_ = 0;
    }
    const int tag = persistent_tags_.first + first_persistent + persistent_made_++ * tags_per_exchange;
    return make_exchange(collective, Completion::persistent, choice, tag);
}

Way& Communicator::find_way(Call call, Collective collective, Completion completion, const Choice& choice)
{
    if (choice.algorithm == Algorithm::native)
        return native_way(call, choice.reason);
    for (const auto& way : ways_)
        if (way->call == call && way->choice.algorithm == choice.algorithm)
            return *way;
    auto way = std::make_unique<Way>();
    way->call = call;
    way->choice = choice;
    if (completion == Completion::blocking)
        way->exchange = exchange(collective, completion, choice, 0).get();
    ways_.push_back(std::move(way));
    return *ways_.back();
}

Way& Communicator::native_way(Call call, const std::string& reason)
{
    for (const auto& way : ways_)
        if (way->call == call && way->choice.algorithm == Algorithm::native && way->choice.reason == reason)
            return *way;
    auto way = std::make_unique<Way>();
    way->call = call;
    way->choice.reason = reason;
    ways_.push_back(std::move(way));
    return *ways_.back();
}

Way& Communicator::way(Call call, Collective collective, Completion completion, std::size_t block_bytes)
{
    CallWays& ways = by_call_[static_cast<std::size_t>(call)];
    if (ways.small == nullptr) {
        const bool may_forward = completion == Completion::blocking || runtime().library_drives;
        const Choices choices = choose(*graph_, settings_, collective, may_forward);
        ways.small = &find_way(call, collective, completion, choices.small);
        ways.large = &find_way(call, collective, completion, choices.large);
        ways.cutoff_bytes = choices.cutoff_bytes;
    }
    // A process that knows no block size cannot choose by it; its exchange keeps to the cut-off block by block.
    return block_bytes <= ways.cutoff_bytes || graph_->may_have_idle_process() ? *ways.small : *ways.large;
}

GraphRecord Communicator::record() const
{
    GraphRecord record;
    record.key = key_;
    record.created_by = name(graph_->created_by);
    if (graph_->edges.rank == 0)
        record.call_site = described(graph_->call_site);
    record.ranks = graph_->ranks;
    record.out_degree_min = graph_->out_degree_min;
    record.out_degree_max = graph_->out_degree_max;
    record.isomorphic = graph_->isomorphic();
    record.declined = graph_->unusable.empty() ? graph_->declined : graph_->unusable;
    record.setup_seconds = setup_seconds_;
    if (record.isomorphic) {
        record.dims = graph_->topology.dims();
        record.periodic = graph_->topology.periods();
        record.found = graph_->found;
        record.stencil_name = schedules::name(graph_->stencil);
        record.stencil_radius = schedules::radius(graph_->stencil);
        record.stencil_neighbors = graph_->stencil.size();
        record.rounds = schedules::rounds(graph_->stencil);
        record.volume = schedules::alltoall_volume(graph_->stencil);
        if (graph_->edges.rank == 0 && graph_->stencil.size() <= most_offsets_reported)
            record.offsets = graph_->stencil.shifts();
    }
    for (const auto& way : ways_)
        if (way->counters.calls > 0)
            record.operations[{name(way->call), name(way->choice.algorithm), way->choice.reason}] = in_seconds(*way);
    return record;
}

void Communicator::release() noexcept
{
    exchanges_.clear();
    for (const auto& way : ways_)
        way->exchange = nullptr;
    group_.reset();
}

} // namespace hopscotch::shim
