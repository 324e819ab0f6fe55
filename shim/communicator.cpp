// What the shim keeps with a communicator, as an MPI attribute: neighborhood, ways to carry collectives, counters.
#include "shim/communicator.hpp"

#include "schedules/cost.hpp"
#include "shim/callsite.hpp"
#include "shim/clock.hpp"
#include "shim/exchange_factory.hpp"
#include "shim/lifecycle.hpp"
#include "shim/mpi_error.hpp"
#include "shim/shared_exchange.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

namespace
{

constexpr int algorithm_count = 7;
constexpr int lanes = 8; // exchanges of one kind that may be in flight at once
static_assert(static_cast<int>(collective_count) * algorithm_count * lanes * tags_per_exchange <= TagBlock::count);

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
    result.compared = counters.compared;
    result.bytes = counters.bytes;
    result.bytes_saved = counters.bytes_saved;
    result.messages = counters.messages;
    result.messages_trivial = counters.messages_trivial;
    result.seconds = seconds(counters.ticks + way.ticks_of_requests.load(std::memory_order_relaxed));
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
      settings_(settings), setup_seconds_(setup_seconds), boxes_(std::move(detected.boxes)), persistent_tags_(tags_)
{
    for (int i = 0; detected.segment != nullptr && i < calls_and_persistent_streams; ++i)
        streams_.push_back(std::make_shared<Stream>(Stream{detected.segment, i, 0}));
    if (detected.segment != nullptr)
        global_stream_ = std::make_shared<Stream>(Stream{detected.segment, global_stream, 0});
    settings_.algorithms = graph_->algorithms.value_or(settings.algorithms);
    for (const int destination : graph_->edges.destinations) {
        has_destinations_ = has_destinations_ || destination != schedules::no_rank;
        if (destination != schedules::no_rank && destination != graph_->edges.rank)
            ++trivial_messages_;
    }
}

/// Number of the first tag of an exchange within the tag block of its communicator.
int first_tag(Collective collective, Algorithm algorithm, int lane)
{
    const int kind = static_cast<int>(collective) * algorithm_count + static_cast<int>(algorithm);
    return (kind * lanes + lane) * tags_per_exchange;
}

/// Which mailboxes an exchange of blocking calls uses; -1 for none. Messages of the trivial algorithm stay messages of
/// MPI: it is the yardstick.
int mailbox_kind(Collective collective, Algorithm algorithm)
{
    constexpr int algorithms_with_mailboxes = 2;
    static_assert(static_cast<int>(collective_count) * algorithms_with_mailboxes == mailbox_kinds);
    const int first = static_cast<int>(collective) * algorithms_with_mailboxes;
    switch (algorithm) {
    case Algorithm::merged:
        return first;
    case Algorithm::combining:
        return first + 1;
    default:
        return -1;
    }
}

const std::shared_ptr<Exchange>& Communicator::exchange(Collective collective, Completion completion,
                                                        const Choice& choice, int lane)
{
    const int tag = tags_.first + first_tag(collective, choice.algorithm, lane);
    std::shared_ptr<Exchange>& made = exchanges_[tag];
    if (made != nullptr)
        return made;
    ExchangeMemory memory;
    if (!streams_.empty())
        memory.stream = collective == Collective::global_allgather ? global_stream_ : streams_[0];
    memory.region =
        lane == 0 ? NodeBoxes::blocking_region(collective) : NodeBoxes::nonblocking_region(collective, lane - 1);
    made = make_exchange({graph_, group_, boxes_}, collective, completion, choice, tag, std::move(memory));
    const int kind = mailbox_kind(collective, choice.algorithm);
    constexpr int most_neighbors = 512; // a larger degree is the same news to all processes
    if (lane == 0 && kind >= 0 && !streams_.empty() && graph_->out_degree_max <= most_neighbors)
        made->use_mailboxes(streams_[0]->segment, kind);
    return made;
}

std::shared_ptr<Exchange> Communicator::next_lane(Collective collective, const Choice& choice)
{
    int& calls = calls_by_kind_[first_tag(collective, choice.algorithm, 0)];
    const int own_lanes = choice.algorithm == Algorithm::aggregated ? NodeBoxes::nonblocking_lanes : lanes - 1;
    const int lane = 1 + calls++ % own_lanes; // lane 0 is that of blocking calls
    const std::shared_ptr<Exchange>& usual = exchange(collective, Completion::nonblocking, choice, lane);
    if (runtime().library_drives || !usual->busy())
        return usual;
    // Nobody would begin the call later: it begins now. Its messages follow those of the earlier call under the same
    // tag.
    return make_exchange({graph_, group_, boxes_}, collective, Completion::nonblocking, choice,
                         tags_.first + first_tag(collective, choice.algorithm, lane), {});
}

/// Index of a stream no other persistent request uses, on all processes; 0 when there is none. Collective.
int Communicator::persistent_stream()
{
    std::uint64_t unused = 0;
    for (std::size_t i = 1; i < streams_.size(); ++i)
        if (streams_[i].use_count() == 1)
            unused |= std::uint64_t{1} << i;
    check(next.Allreduce(MPI_IN_PLACE, &unused, 1, MPI_UINT64_T, MPI_BAND, group_->communicator()));
    for (std::size_t i = 1; i < streams_.size(); ++i)
        if ((unused >> i & 1) != 0)
            return static_cast<int>(i);
    return 0;
}

int Communicator::persistent_tag()
{
    constexpr int first_persistent = static_cast<int>(collective_count) * algorithm_count * lanes * tags_per_exchange;
    constexpr int most_persistent = (TagBlock::count - first_persistent) / tags_per_exchange - 1;
    if (persistent_made_ == most_persistent) {
        std::int64_t block = group_->next_block();
        check(next.Allreduce(MPI_IN_PLACE, &block, 1, MPI_INT64_T, MPI_MAX, group_->communicator()));
        persistent_tags_ = group_->take_block(block);
        persistent_made_ = 0;
    }
    return persistent_tags_.first + first_persistent + persistent_made_++ * tags_per_exchange;
}

int Communicator::twin_tag(Completion completion)
{
    constexpr int last_but_one = TagBlock::count - 2; // the last is that of the set-up
    return completion == Completion::persistent ? persistent_tag() : tags_.first + last_but_one;
}

std::shared_ptr<Exchange> Communicator::persistent_exchange(Collective collective, Choice& choice)
{
    ExchangeMemory memory;
    if (choice.algorithm == Algorithm::shared || choice.algorithm == Algorithm::aggregated) {
        const int index = persistent_stream();
        if (index == 0)
            choice.algorithm = Algorithm::merged;
        else
            memory = {streams_[static_cast<std::size_t>(index)], NodeBoxes::persistent_region(index - 1)};
    }
    return make_exchange({graph_, group_, boxes_}, collective, Completion::persistent, choice, persistent_tag(),
                         std::move(memory));
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

Abilities Communicator::abilities(Collective collective, Completion completion) const
{
    Abilities result;
    result.may_forward = completion == Completion::blocking || runtime().library_drives;
    if (streams_.empty())
        return result;
    const int most_blocks = is_allgather(collective) ? 1 : graph_->out_degree_max;
    result.shared_bytes = SharedExchange::largest_block(streams_[0]->segment->buffer_bytes(), most_blocks);
    result.one_node = group_->nodes() == 1;
    result.crowded = result.one_node && group_->yields();
    if (boxes_ != nullptr)
        result.aggregated_bytes = boxes_->largest_block();
    return result;
}

Way& Communicator::way(Call call, Collective collective, Completion completion, std::size_t block_bytes)
{
    CallWays& ways = by_call_[static_cast<std::size_t>(call)];
    if (ways.small == nullptr) {
        const Choices choices = choose(*graph_, settings_, collective, abilities(collective, completion));
        ways.small = &find_way(call, collective, completion, choices.small);
        ways.large = &find_way(call, collective, completion, choices.large);
        ways.largest = &find_way(call, collective, completion, choices.largest);
        ways.cutoff_bytes = choices.cutoff_bytes;
        ways.most_bytes = choices.most_bytes;
    }
    // A process that knows no block size cannot choose by it; its exchange keeps to the cut-off block by block.
    const bool all_know = collective == Collective::global_allgather || !graph_->may_have_idle_process();
    if (block_bytes <= ways.cutoff_bytes || !all_know)
        return *ways.small;
    return block_bytes <= ways.most_bytes ? *ways.large : *ways.largest;
}

const std::vector<int>& Communicator::sources(Collective collective)
{
    if (collective != Collective::global_allgather)
        return graph_->edges.sources;
    if (everyone_.empty())
        everyone_ = schedules::edges_to_everyone(graph_->ranks, graph_->edges.rank).sources;
    return everyone_;
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
    boxes_.reset();
    streams_.clear();
    global_stream_.reset();
    for (const auto& way : ways_)
        way->exchange = nullptr;
    group_.reset();
}

} // namespace hopscotch::shim
