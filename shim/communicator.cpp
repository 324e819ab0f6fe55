// What the shim keeps with a communicator, as an MPI attribute: neighborhood, ways to carry collectives, counters.
#include "shim/communicator.hpp"

#include "schedules/allgather.hpp"
#include "schedules/alltoall.hpp"
#include "schedules/cost.hpp"
#include "schedules/direct.hpp"
#include "shim/callsite.hpp"
#include "shim/clock.hpp"
#include "shim/mpi_error.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

constexpr int algorithm_count = 7;

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

OperationCounters in_seconds(const Counters& counters)
{
    OperationCounters result;
    result.calls = counters.calls;
    result.failed = counters.failed;
    result.bytes = counters.bytes;
    result.messages = counters.messages;
    result.messages_trivial = counters.messages_trivial;
    result.seconds = seconds(counters.ticks);
    return result;
}

} // namespace

Communicator::Communicator(Detected detected, const Settings& settings, double setup_seconds)
    : graph_(std::move(detected.graph)), group_(std::move(detected.group)), tags_(detected.tags), key_(detected.key),
      settings_(settings), setup_seconds_(setup_seconds)
{
    settings_.algorithms = graph_->algorithms.value_or(settings.algorithms);
    for (const int destination : graph_->edges.destinations)
        if (destination != schedules::no_rank && destination != graph_->edges.rank)
            ++trivial_messages_;
}

schedules::Schedule Communicator::make_schedule(Collective collective, Completion completion, Algorithm algorithm) const
{
    const bool gather = collective == Collective::allgather || collective == Collective::allgatherv;
    const schedules::Edges edges = graph_->edges_for(matching_of(collective), completion);
    if (algorithm == Algorithm::trivial)
        return gather ? schedules::trivial_allgather(edges) : schedules::trivial(edges);
    if (algorithm == Algorithm::merged)
        return gather ? schedules::merged_allgather(edges) : schedules::merged(edges);
    const schedules::Neighborhood neighborhood = schedules::place(graph_->topology, graph_->stencil, edges);
    if (gather)
        return schedules::combining_allgather(neighborhood, schedules::best_dimension_order(graph_->stencil));
    return schedules::combining_alltoall(neighborhood);
}

RegularOperation* Communicator::operation(Collective collective, Completion completion, Algorithm algorithm)
{
    if (algorithm == Algorithm::native)
        return nullptr;
    const int tag = tags_.first +
                    (static_cast<int>(collective) * static_cast<int>(completion_count) + static_cast<int>(completion)) *
                        algorithm_count +
                    static_cast<int>(algorithm);
    std::unique_ptr<RegularOperation>& made = operations_[tag];
    if (made == nullptr)
        made = std::make_unique<RegularOperation>(make_schedule(collective, completion, algorithm), group_, tag);
    return made.get();
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
    way->regular = operation(collective, completion, choice.algorithm);
    way->messages = static_cast<std::uint64_t>(way->regular->schedule().messages());
    way->volume = static_cast<std::uint64_t>(way->regular->schedule().volume());
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
    way->messages = trivial_messages_;
    way->volume = trivial_messages_;
    ways_.push_back(std::move(way));
    return *ways_.back();
}

Way& Communicator::way(Call call, Collective collective, Completion completion, std::size_t block_bytes)
{
    CallWays& ways = by_call_[static_cast<std::size_t>(call)];
    if (ways.small == nullptr) {
        const Choices choices = choose(*graph_, settings_, collective);
        ways.small = &find_way(call, collective, completion, choices.small);
        ways.large = &find_way(call, collective, completion, choices.large);
        ways.cutoff_bytes = choices.cutoff_bytes;
    }
    return block_bytes <= ways.cutoff_bytes ? *ways.small : *ways.large;
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
    }
    for (const auto& way : ways_)
        if (way->counters.calls > 0)
            record.operations[{name(way->call), name(way->choice.algorithm), way->choice.reason}] =
                in_seconds(way->counters);
    return record;
}

void Communicator::release() noexcept
{
    operations_.clear();
    for (const auto& way : ways_)
        way->regular = nullptr;
    group_.reset();
}

} // namespace hopscotch::shim
