// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What the shim keeps with a communicator, as an MPI attribute: neighborhood, ways to carry collectives, counters.
#include "shim/call/communicator.hpp"

#include "schedules/cost.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/log.hpp"
#include "shim/exchange/shared_exchange.hpp"
#include "shim/graph/unused.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/mpi/threads.hpp"
#include "shim/report/frame_names.hpp"
#include "shim/selection/rules.hpp"

#include <algorithm>
#include <mutex>

namespace hopscotch::shim
{

using schedules::count_of;

namespace
{

/// The last tags of a block, which no exchange uses; the very last is that of the set-up, the one before in lanes.cpp.
constexpr int trial_tag = TagBlock::count - 3;
constexpr int long_wait_tag = TagBlock::count - 4;

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

Communicator::Communicator(MPI_Comm comm, Detected detected, const Settings& settings, std::uint64_t setup_ticks)
    : comm_(comm), graph_(std::move(detected.graph)), group_(std::move(detected.group)), tags_(detected.tags),
      key_(detected.key), origin_(detected.origin), settings_(settings), setup_ticks_(setup_ticks),
      place_(detected.place), deferred_(std::move(detected.deferred)), persistent_tags_(tags_)
{
    take_memory(detected);
    settings_.algorithms = graph_->algorithms.value_or(settings.algorithms);
    const std::vector<int>& destinations = graph_->edges.destinations;
    has_destinations_ =
        std::any_of(destinations.begin(), destinations.end(), [](int rank) { return rank != schedules::no_rank; });
}

void Communicator::take_memory(Detected& detected)
{
    boxes_ = std::move(detected.boxes);
    if (detected.segment == nullptr)
        return;
    streams_.push_back(std::make_shared<Stream>(Stream{detected.segment, calls_stream}));
    for (int i = 0; i < persistent_streams; ++i)
        streams_.push_back(std::make_shared<Stream>());
    global_stream_ = std::make_shared<Stream>(Stream{detected.segment, global_stream});
    for (int i = 0; i < nonblocking_streams; ++i)
        nonblocking_streams_.push_back(
            std::make_shared<Stream>(Stream{detected.segment, first_nonblocking_stream + i}));
    nonblocking_streams_.push_back(std::make_shared<Stream>(Stream{detected.segment, large_nonblocking_stream}));
}

void Communicator::set_up_now()
{
    const std::uint64_t begin = ticks();
    const std::unique_ptr<Proposal> deferred = std::move(deferred_);
    Detected detected;
    detected.graph = graph_;
    detected.group = group_;
    detected.tags = tags_;
    try {
        hopscotch::shim::set_up(detected, *deferred, settings_);
        take_memory(detected);
    } catch (const std::bad_alloc&) {
        end_without_memory("prepare a communicator"); // the others count on this process
    } catch (const MpiError& error) {
        graph_->unusable = "could not be set up";
        log(LogLevel::warn, "a communicator could not be set up (MPI error " + std::to_string(error.code) +
                                "): the MPI library carries its calls");
    }
    by_call_.reset(); // what the library's functions have carried until now
    setup_ticks_ += ticks() - begin;
}

void Communicator::note_use() const noexcept
{
    hopscotch::shim::note_use(place_);
}

std::uint64_t Communicator::trivial_messages(Call call) const
{
    if (is_global(call))
        return static_cast<std::uint64_t>(graph_->ranks) - 1;
    const std::vector<int>& destinations = graph_->edges.destinations;
    const int elsewhere = static_cast<int>(destinations.size()) - count_of(destinations, schedules::no_rank) -
                          count_of(destinations, graph_->edges.rank);
    return static_cast<std::uint64_t>(elsewhere);
}

Way& Communicator::add_way(std::unique_ptr<Way> way)
{
    note_use();
    way->trivial_messages = trivial_messages(way->call);
    ways_.push_back(std::move(way));
    return *ways_.back();
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
    return add_way(std::move(way));
}

Way& Communicator::native_way(Call call, std::string_view reason)
{
    for (const auto& way : ways_)
        if (way->call == call && way->choice.algorithm == Algorithm::native && way->choice.reason == reason)
            return *way;
    auto way = std::make_unique<Way>();
    way->call = call;
    way->choice.reason = reason;
    return add_way(std::move(way));
}

Abilities Communicator::abilities(Collective collective, Completion completion) const
{
    Abilities result;
    if (group_ == nullptr)
        return result;
    result.may_forward = completion == Completion::blocking || runtime().library_drives;
    result.left_alone = completion != Completion::blocking;
    result.native_is_right = !library_differs(*graph_, settings_, collective);
    result.crowded = group_->any_yields();
    const std::shared_ptr<Stream> stream = stream_of(collective, 0); // others have as much room
    if (stream == nullptr)
        return result;
    const int most_blocks = is_allgather(collective) ? 1 : graph_->out_degree_max;
    result.shared_bytes = SharedExchange::largest_block(stream->segment->buffer_bytes(stream->index), most_blocks);
    result.one_node = group_->nodes() == 1;
    if (boxes_ != nullptr)
        result.aggregated_bytes = boxes_->largest_block();
    return result;
}

Way& Communicator::serve(Call call, Collective collective, Completion completion, SizeClass sizes, const Choice& choice)
{
    Way& way = find_way(call, collective, completion, choice);
    if (by_call_ == nullptr)
        by_call_ = std::make_unique<std::array<std::vector<Served>, call_count>>();
    const bool settled = settings_.algorithm(collective) != Algorithm::automatic || !graph_->unusable.empty();
    const bool passes = settled && sizes.all() && choice.algorithm == Algorithm::native;
    (*by_call_)[static_cast<std::size_t>(call)].push_back({sizes, &way, passes});
    return way;
}

Way& Communicator::choose_way(Call call, Collective collective, Completion completion, std::size_t block_bytes)
{
    if (settings_.algorithm(collective) == Algorithm::automatic && graph_->unusable.empty())
        return tuned_way(call, collective, completion, block_bytes);
    const Choices choices = choose(*graph_, settings_, collective, abilities(collective, completion));
    // Without a common size the exchanges keep to the cut-off block by block.
    if (!shares_block_size(*graph_, collective, choices.small.algorithm))
        return serve(call, collective, completion, every_size(), choices.small);
    return serve(call, collective, completion, choices.sizes(block_bytes), choices(block_bytes));
}

MeetingPlace& Communicator::meeting_place()
{
    if (meeting_place_ == nullptr)
        meeting_place_ = std::make_unique<MeetingPlace>(group_, tags_.first + trial_tag,
                                                        streams_.empty() ? nullptr : streams_[0]->segment);
    return *meeting_place_;
}

Way& Communicator::persistent_way(Call call, Collective collective, std::size_t block_bytes)
{
    Way& own = way(call, collective, Completion::persistent, block_bytes);
    if ((*by_call_)[static_cast<std::size_t>(call)].front().sizes.all())
        return own;
    const std::uint64_t agreed = common_bits(std::uint64_t{1} << static_cast<unsigned>(own.choice.algorithm));
    return agreed != 0 ? own : find_way(call, collective, Completion::persistent, {Algorithm::merged, {}});
}

std::optional<NumberedCall> Communicator::last_call(Collective collective, Completion completion, Algorithm algorithm,
                                                    std::size_t block_bytes) const noexcept
{
    if (!is_regular(collective))
        return std::nullopt;
    const auto index = static_cast<std::size_t>(collective);
    const bool blocks = completion == Completion::blocking;
    const std::uint64_t large = !blocks && is_large(collective, algorithm, block_bytes) ? with_large_blocks : 0;
    return NumberedCall{blocks ? index : collective_count + index,
                        blocks ? meetings_[index].calls : nonblocking_calls_[index],
                        static_cast<std::uint64_t>(algorithm) + large, block_bytes};
}

void Communicator::remember(const NumberedCall& call)
{
    constexpr std::size_t most = 16;
    const LockAmongThreads lock(waiting_mutex_);
    if (recent_.size() < most)
        return recent_.push_back(call);
    recent_[next_recent_] = call;
    next_recent_ = (next_recent_ + 1) % most;
}

std::optional<Deviation> Communicator::deviation(WaitingCall& call)
{
    if (!call.hears())
        return std::nullopt;
    std::vector<NumberedCall> own = {call.call};
    {
        const LockAmongThreads lock(waiting_mutex_);
        if (group_ == nullptr)
            return std::nullopt; // MPI ends
        if (long_wait_ == nullptr) {
            std::vector<int> neighbors = graph_->edges.sources;
            neighbors.insert(neighbors.end(), graph_->edges.destinations.begin(), graph_->edges.destinations.end());
            long_wait_ = std::make_unique<LongWait>(group_, tags_.first + long_wait_tag, std::move(neighbors));
        }
        own.insert(own.end(), recent_.begin(), recent_.end());
    }
    return long_wait_->deviation(call, own);
}

void Communicator::add_trials(GraphRecord& record) const
{
    for (const auto& [key, trial] : trials_) {
        if (!trial.decided() || trial.candidates().size() == 1)
            continue;
        for (const Trial::Candidate& candidate : trial.candidates())
            record.trials.push_back({name(trial.call()), key.second == every_size().high ? 0 : key.second,
                                     name(candidate.choice.algorithm), candidate.seconds,
                                     &candidate.choice == &trial.best()});
    }
}

const std::vector<int>& Communicator::sources(Collective collective)
{
    if (collective != Collective::global_allgather)
        return graph_->edges.sources;
    if (everyone_.empty())
        everyone_ = schedules::edges_to_everyone(graph_->ranks, graph_->edges.rank).sources;
    return everyone_;
}

std::string_view Communicator::reason() const noexcept
{
    return graph_->unusable.empty() ? std::string_view(graph_->declined) : graph_->unusable;
}

GraphRecord Communicator::record() const
{
    GraphRecord record;
    record.key = key_;
    record.created_by = name(graph_->created_by);
    if (graph_->edges.rank == 0 && graph_->call_site != nullptr)
        record.call_site = described(*graph_->call_site);
    record.ranks = graph_->ranks;
    record.out_degree_min = graph_->out_degree_min;
    record.out_degree_max = graph_->out_degree_max;
    record.isomorphic = graph_->isomorphic();
    record.declined = reason();
    record.setup_seconds = seconds(setup_ticks_);
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
    if (graph_->edges.rank == 0)
        add_trials(record);
    for (const auto& way : ways_)
        if (way->counters.calls > 0)
            record.operations[{name(way->call), name(way->choice.algorithm), way->choice.reason}] = in_seconds(*way);
    return record;
}

bool Communicator::adds_to(ClosedRecord& other) const noexcept
{
    if (!ways_.empty() || graph_->isomorphic())
        return false;
    GraphRecord& record = other.record;
    const bool alike = record.ranks == graph_->ranks && record.out_degree_min == graph_->out_degree_min &&
                       record.out_degree_max == graph_->out_degree_max && !record.isomorphic &&
                       record.declined == reason() && record.created_by == name(graph_->created_by);
    if (!alike)
        return false;
    record.key = std::min(record.key, key_);
    ++record.graphs;
    other.more_setup_ticks += setup_ticks_;
    return true;
}

void Communicator::note_freed(MPI_Comm comm) noexcept
{
    if (next.Comm_get_errhandler(comm, &kept_handler_) != MPI_SUCCESS)
        kept_handler_ = MPI_ERRHANDLER_NULL;
    is_freed_.store(true, std::memory_order_release);
}

void Communicator::raise_after_free(int code) noexcept
{
    if (group_ == nullptr || kept_handler_ == MPI_ERRHANDLER_NULL)
        return;
    // Other graphs share it. Recursive, since the program's handler may complete a request that fails, too.
    static auto* const one_at_a_time = new std::recursive_mutex;
    const std::lock_guard<std::recursive_mutex> lock(*one_at_a_time);
    next.Comm_set_errhandler(group_->communicator(), kept_handler_);
    next.Comm_call_errhandler(group_->communicator(), code);
    next.Comm_set_errhandler(group_->communicator(), MPI_ERRORS_RETURN);
}

void Communicator::release() noexcept
{
    exchanges_.clear();
    meeting_place_.reset();
    long_wait_.reset();
    boxes_.reset();
    streams_.clear();
    nonblocking_streams_.clear();
    global_stream_.reset();
    for (const auto& way : ways_)
        way->exchange = nullptr;
    group_.reset();
}

} // namespace hopscotch::shim
