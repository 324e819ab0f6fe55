// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists all communicators with a record, ties them by an attribute, and tells the report of them.
#include "shim/call/registry.hpp"

#include "schedules/grid/shape_name.hpp"
#include "schedules/plan/family.hpp"
#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/mpi/threads.hpp"
#include "shim/report/callsite.hpp"
#include "shim/report/frame_names.hpp"
#include "shim/selection/combining_members.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <mutex>
#include <unordered_map>

namespace hopscotch::shim
{

namespace
{

struct Registry {
    std::mutex mutex;
    std::vector<Communicator*> living;
    std::array<std::shared_ptr<Communicator>, 8> kept;        // records of freed graphs, with samples
    std::map<std::uint64_t, std::vector<GraphRecord>> closed; // records of freed communicators, by origin
    std::map<std::pair<Call, schedules::reason::Row>, SelectionEntry> unknown; // by function and reason
};

/// The attribute of a communicator: its record; without one, the reason and the algorithms of an info key.
struct Attached {
    std::shared_ptr<Communicator> record;
    schedules::reason::Row why_not = schedules::reason::none;
    std::optional<Algorithms> algorithms = {};
};

/// Communicators with a record, by handle: from its attachment until the attribute is deleted. MPI is not asked for the
/// attribute of any handle that a program passes, since it would raise an error for a wrong one.
struct RecordedCommunicators {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, const Attached*> by_handle;
};

/// Raised whenever a record goes away, so that no thread trusts the handle it looked up before.
std::atomic<unsigned> generation{0};

std::shared_ptr<Communicator> recorded(MPI_Comm comm)
{
    RecordedCommunicators& all = immortal<RecordedCommunicators>();
    const LockAmongThreads lock(all.mutex);
    const auto found = all.by_handle.find(number_of(comm));
    return found != all.by_handle.end() ? found->second->record : nullptr;
}

int delete_record(MPI_Comm comm, int, void* value, void*)
{
    ++generation;
    {
        RecordedCommunicators& all = immortal<RecordedCommunicators>();
        const LockAmongThreads lock(all.mutex);
        all.by_handle.erase(number_of(comm));
    }
    auto* const held = static_cast<Attached*>(value);
    const auto samples = [](const auto& entry) { return entry->sample.requests > 0; };
    if (held->record != nullptr && runtime().active &&
        std::any_of(held->record->selection().entries().begin(), held->record->selection().entries().end(), samples)) {
        Registry& all = immortal<Registry>();
        const LockAmongThreads lock(all.mutex);
        if (const auto room = std::find(all.kept.begin(), all.kept.end(), nullptr); room != all.kept.end())
            *room = held->record;
    }
    if (held->record.use_count() > 1)
        held->record->note_freed(comm);
    delete held;
    return MPI_SUCCESS;
}

/// Duplicates get records of their own, for which processes must agree: blocking calls do so right after the
/// duplication. Processes cannot agree at the call of MPI_Comm_idup, and nothing announces its completion: this reason
/// stays. A communicator without a record has duplicates without.
int copy_record(MPI_Comm, int, void*, void* value, void* copy, int* is_copied)
{
    *is_copied = 0;
    const Attached& original = *static_cast<Attached*>(value);
    try {
        const bool had_record = original.record != nullptr;
        *static_cast<void**>(copy) =
            had_record ? new Attached{nullptr, schedules::reason::made_later, original.record->graph().algorithms}
                       : new Attached{nullptr, original.why_not, original.algorithms};
        *is_copied = 1;
    } catch (const NoMemory&) {
        // Its calls will be counted for another reason.
    }
    return MPI_SUCCESS;
}

int communicator_keyval()
{
    static const int keyval = [] {
        int created = MPI_KEYVAL_INVALID;
        check(next.MPI_Comm_create_keyval(copy_record, delete_record, &created, nullptr));
        return created;
    }();
    return keyval;
}

/// The attachment of a communicator; null without one. A wrong communicator is an error of the program's MPI call.
const Attached* attached_to(MPI_Comm comm)
{
    void* value = nullptr;
    int found = 0;
    const int code = next.MPI_Comm_get_attr(comm, communicator_keyval(), &value, &found);
    return code == MPI_SUCCESS && found != 0 ? static_cast<const Attached*>(value) : nullptr;
}

/// The same for a communicator that may be wrong: MPICH 5 returns MPI_SUCCESS after it has called the program's error
/// handler. Not for others, since setting an error handler and setting it back ends that it is inherited.
const Attached* attached_if_valid(MPI_Comm comm)
{
    const ReturnedErrors returned;
    return attached_to(comm);
}

void attach(MPI_Comm comm, std::shared_ptr<Communicator> record, schedules::reason::Row why_not,
            const std::optional<Algorithms>& algorithms = {})
{
    auto held = std::make_unique<Attached>(Attached{std::move(record), why_not, algorithms});
    check(next.MPI_Comm_set_attr(comm, communicator_keyval(), held.get()));
    const Attached* const attached = held.release(); // delete_record deletes it
    if (attached->record == nullptr)
        return;
    RecordedCommunicators& all = immortal<RecordedCommunicators>();
    const LockAmongThreads lock(all.mutex);
    all.by_handle[number_of(comm)] = attached;
}

/// Programs that make and free the same graph again and again need no more memory for it. All processes of a graph fold
/// alike: the compared values are the same on all of them.
void keep(std::vector<GraphRecord>& closed, GraphRecord record)
{
    for (GraphRecord& other : closed)
        if (appearance(other) == appearance(record))
            return fold(other, record);
    closed.push_back(std::move(record));
}

/// The program has freed the communicator, and nothing goes on with it: its counters are kept for the report.
void close(Communicator* communicator) noexcept
{
    const std::unique_ptr<Communicator> ends(communicator);
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    all.living.erase(std::remove(all.living.begin(), all.living.end(), communicator), all.living.end());
    try {
        keep(all.closed[communicator->origin()], record_of(*communicator));
    } catch (const NoMemory&) {
        // A graph less in the report.
    }
}

/// None if they are too many for a person.
std::vector<int> reported_offsets(const schedules::Stencil& stencil)
{
    constexpr int most = 1000;
    return stencil.size() <= most ? stencil.shifts() : std::vector<int>{};
}

/// For the report: 0 if a class has no upper end.
std::uint64_t block_bytes_most(std::size_t high)
{
    return high == schedules::every_size().high ? 0 : high;
}

OperationCounters in_seconds(const SelectionEntry& entry)
{
    OperationCounters result;
    static_assert(sizeof(EntryCounters) == sizeof(Counters) + sizeof(std::uint64_t), "each counter is taken over");
    static_cast<Counters&>(result) = entry.counters;
    result.process_calls = result.calls;
    result.staged_ns = static_cast<std::uint64_t>(seconds(entry.counters.staged_ns) * 1e9); // ticks until now
    result.block_sizes[block_bytes_most(entry.choice.sizes.high)] = result.calls;
    result.seconds = seconds(entry.counters.ticks + entry.ticks_of_requests);
    result.durations = entry.durations.by_end();
    for (const auto& [place, site] : entry.sites) {
        SiteNumbers<double>& sum = result.sites[describe(frames_of_the_program(*place))];
        sum.calls += site.calls;
        sum.seconds += seconds(site.ticks);
    }
    return result;
}

/// The facts of a stencil on a process grid that a report shows.
struct NamedShape {
    schedules::Stencil stencil;
    schedules::Topology topology;
    std::string name; // schedules::name
    int radius;
    schedules::Member member; // schedules::paper_member
};

struct NamedShapes {
    static constexpr std::size_t most = 16;
    std::mutex mutex;
    std::list<std::shared_ptr<const NamedShape>> newest_first;
};

/// Those facts, which take some 60,000 instructions to find: programs free graphs of few shapes, and many of each.
std::shared_ptr<const NamedShape> named_shape(const schedules::Stencil& stencil, const schedules::Topology& topology)
{
    NamedShapes& all = immortal<NamedShapes>();
    const LockAmongThreads lock(all.mutex);
    auto& shapes = all.newest_first;
    const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const auto& shape) {
        return shape->stencil == stencil && shape->topology == topology;
    });
    if (found != shapes.end()) {
        shapes.splice(shapes.begin(), shapes, found);
        return shapes.front();
    }
    shapes.push_front(
        std::make_shared<const NamedShape>(NamedShape{stencil, topology, schedules::name(stencil, topology),
                                                      schedules::radius(stencil), schedules::paper_member(stencil)}));
    if (shapes.size() > NamedShapes::most)
        shapes.pop_back();
    return shapes.front();
}

/// The way of the blocks in most combined calls of alltoall, or in calls to come; if there is none `member`.
void add_schedule(GraphRecord& record, const Graph& graph, const Selection& selection, schedules::Member member)
{
    std::vector<schedules::Group> groups;
    std::uint64_t most = 0;
    for (const auto& entry : selection.entries())
        if (entry->choice.algorithm == Algorithm::combining && entry->counters.calls > most &&
            std::strstr(name(entry->call), "alltoall") != nullptr) {
            most = entry->counters.calls;
            groups = entry->choice.groups;
        }
    if (groups.empty())
        groups = combining_groups(graph);
    if (!groups.empty()) {
        member = {groups, {}};
        for (const schedules::Steps& phase : schedules::route_of(graph.stencil, graph.topology, groups))
            member.loads.push_back(phase.load());
    }
    record.rounds = member.rounds();
    record.volume = member.volume();
    record.phases = member.phases();
    record.schedule_groups = to_string(member.groups);
}

void add_trials(GraphRecord& record, const Trials& trials)
{
    for (const auto& [key, of_call] : trials) {
        const Trial& trial = of_call.trial;
        if (!trial.decided() || trial.candidates().size() == 1)
            continue;
        for (const Trial::Candidate& candidate : trial.candidates())
            record.trials.push_back({of_call.function, block_bytes_most(key.high), name(candidate.choice),
                                     candidate.seconds, &candidate.choice == &trial.best(), of_call.others_share});
    }
}

/// Adds the facts that one process of the graph reports for all.
void add_shared(GraphRecord& record, const Communicator& communicator)
{
    const Graph& graph = communicator.graph();
    record.made_at = graph.call_site;
    if (record.isomorphic)
        record.offsets = reported_offsets(graph.stencil);
    add_trials(record, communicator.selection().trials());
    for (const auto& entry : communicator.selection().entries())
        if (entry->sample.alone.exchanges > 0 && entry->counters.calls > 0) // else counting was paused
            record.alone.push_back(entry->sample.alone);
}

} // namespace

GraphRecord record_of(const Communicator& communicator)
{
    const Graph& graph = communicator.graph();
    GraphRecord record;
    record.key = communicator.key();
    record.created_by = name(graph.created_by);
    record.ranks = graph.ranks;
    record.out_degree_min = graph.out_degree_min;
    record.out_degree_max = graph.out_degree_max;
    record.isomorphic = graph.isomorphic();
    record.declined = communicator.reason().text();
    record.setup_seconds = seconds(communicator.setup_ticks());
    record.reorder = graph.reorder;
    record.nonstandard_edge_order = graph.nonstandard_order;
    if (record.isomorphic) {
        record.dims = graph.topology.dims();
        record.periodic = graph.periodic;
        record.wraps = graph.topology.periods();
        record.found = name(graph.found);
        const std::shared_ptr<const NamedShape> shape = named_shape(graph.stencil, graph.topology);
        record.stencil_name = shape->name;
        record.stencil_radius = shape->radius;
        record.stencil_neighbors = graph.stencil.size();
        add_schedule(record, graph, communicator.selection(), shape->member);
        record.edges = graph.edge_counts;
    }
    if (const schedules::PartialGrid* const partial = graph.partial.get())
        record.partial = {partial->cells.extents(), name(partial->found), partial->edges,
                          partial->combined_edges,  partial->messages,    partial->merged_messages};
    if (graph.edges.rank == 0)
        add_shared(record, communicator);
    for (const auto& entry : communicator.selection().entries())
        if (entry->counters.calls > 0)
            add(record.operations[{name(entry->call), name(entry->choice), entry->choice.reason.text()}],
                in_seconds(*entry)); // one line for blocks of all sizes
    return record;
}

Communicator* find_communicator(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return nullptr; // the native function reports the error
    struct Recent {
        MPI_Comm comm;
        unsigned generation;
        Communicator* record;
    };
    thread_local Recent recent{};
    const unsigned now = generation;
    if (recent.record != nullptr && recent.comm == comm && recent.generation == now)
        return recent.record;
    recent = {comm, now, recorded(comm).get()};
    return recent.record;
}

std::shared_ptr<Communicator> share_communicator(MPI_Comm comm)
{
    return recorded(comm);
}

void attach_communicator(MPI_Comm comm, std::unique_ptr<Communicator> communicator)
{
    Communicator* const living = communicator.get();
    std::shared_ptr<Communicator> record(communicator.release(), close);
    Registry& all = immortal<Registry>();
    {
        const LockAmongThreads lock(all.mutex);
        all.living.push_back(living);
    }
    attach(comm, std::move(record), schedules::reason::none);
}

std::map<std::uint64_t, std::shared_ptr<Communicator>> lasting_communicators()
{
    std::map<std::uint64_t, std::shared_ptr<Communicator>> records;
    const LockAmongThreads lock(immortal<RecordedCommunicators>().mutex);
    for (const auto& [handle, attached] : immortal<RecordedCommunicators>().by_handle)
        records.emplace(attached->record->key(), attached->record);
    const LockAmongThreads lock_of_kept(immortal<Registry>().mutex);
    for (auto& record : immortal<Registry>().kept)
        if (record != nullptr)
            records[record->key()].swap(record);
    return records;
}

void mark_as_native(MPI_Comm comm, schedules::reason::Row reason)
{
    attach(comm, nullptr, reason);
}

void keep_algorithms(MPI_Comm comm, const Algorithms& algorithms)
{
    const Attached* const attached = attached_to(comm);
    attach(comm, nullptr, attached != nullptr ? attached->why_not : schedules::reason::none, algorithms);
}

std::optional<Algorithms> algorithms_asked_on(MPI_Comm comm)
{
    const Attached* const attached = comm != MPI_COMM_NULL ? attached_to(comm) : nullptr;
    if (attached == nullptr)
        return std::nullopt;
    return attached->record != nullptr ? attached->record->graph().algorithms : attached->algorithms;
}

std::vector<GraphRecord> all_records()
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    std::vector<GraphRecord> records;
    for (const auto& [origin, closed] : all.closed)
        records.insert(records.end(), closed.begin(), closed.end());
    for (const Communicator* communicator : all.living)
        records.push_back(record_of(*communicator));
    for (GraphRecord& record : records)
        if (record.made_at != nullptr)
            record.call_site = describe(frames_of_the_program(*record.made_at));
    GraphRecord unknown;
    unknown.created_by = "unknown";
    for (const auto& [what, entry] : all.unknown) {
        if (entry.counters.calls > 0) {
            OperationCounters& sum =
                unknown.operations[{name(what.first), name(Algorithm::native), std::string(text_of(what.second))}];
            sum.calls = sum.process_calls = entry.counters.calls;
            sum.failed = entry.counters.failed;
            sum.seconds = seconds(entry.counters.ticks + entry.ticks_of_requests);
            if (unknown.declined.empty() || what.second == schedules::reason::never_seen)
                unknown.declined = text_of(what.second);
        }
    }
    if (!unknown.operations.empty())
        records.push_back(std::move(unknown));
    return records;
}

SelectionEntry& unknown_entry(Call call, MPI_Comm comm)
{
    const Attached* const attached = comm != MPI_COMM_NULL ? attached_if_valid(comm) : nullptr;
    const schedules::reason::Row why_not = attached != nullptr ? attached->why_not : schedules::reason::none;
    return passed_entry(call, why_not != schedules::reason::none ? why_not : schedules::reason::never_seen);
}

SelectionEntry& passed_entry(Call call, schedules::reason::Row reason)
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    SelectionEntry& entry = all.unknown[{call, reason}];
    entry.call = call;
    return entry;
}

void count_passed(SelectionEntry& entry, std::uint64_t elapsed_ticks, int code)
{
    const LockAmongThreads lock(immortal<Registry>().mutex);
    if (counting())
        add_call(entry, {}, elapsed_ticks, code);
}

void count_unknown(Call call, MPI_Comm comm, std::uint64_t elapsed_ticks, bool failed)
{
    if (!counting())
        return;
    // A failed call may have got no communicator at all.
    count_passed(unknown_entry(call, failed ? MPI_COMM_NULL : comm), elapsed_ticks,
                 failed ? MPI_ERR_OTHER : MPI_SUCCESS);
}

void release_communicators() noexcept
{
    Registry& all = immortal<Registry>();
    const LockAmongThreads lock(all.mutex);
    for (Communicator* communicator : all.living)
        communicator->release();
}

} // namespace hopscotch::shim
