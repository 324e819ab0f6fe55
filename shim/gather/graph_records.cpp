// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/gather/graph_records.hpp"

#include "schedules/grid/shape_name.hpp"
#include "schedules/plan/family.hpp"
#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/immortal.hpp"
#include "shim/base/no_memory.hpp"
#include "shim/call/registry.hpp"
#include "shim/mpi/threads.hpp"
#include "shim/report/callsite.hpp"
#include "shim/report/frame_names.hpp"
#include "shim/selection/combining_members.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The shifts of a stencil for the report; none if they are too many for a person.
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

/// The facts of a shape. To find them takes some 60,000 instructions: programs free graphs of few shapes, and many of
/// each, so the last ones are kept.
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

/// True for all forms of MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw, the nonblocking ones
/// with MPI_Ineighbor, too.
bool is_neighbor_alltoall(Call call) noexcept
{
    return std::string_view(name(call)).find("eighbor_alltoall") != std::string_view::npos;
}

/// Adds the schedule of the blocks in most combined calls of alltoall; without such calls the schedule of calls to
/// come, or that of `member`.
void add_schedule(GraphRecord& record, const Graph& graph, const Selection& selection, schedules::Member member)
{
    std::vector<schedules::Group> groups;
    std::uint64_t most = 0;
    for (const auto& entry : selection.entries())
        if (entry->choice.algorithm == Algorithm::combining && entry->counters.calls > most &&
            is_neighbor_alltoall(entry->call)) {
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
    record.made_at = communicator.call_site();
    if (record.isomorphic)
        record.offsets = reported_offsets(graph.stencil);
    add_trials(record, communicator.selection().trials());
    for (const auto& entry : communicator.selection().entries())
        if (entry->sample.alone.exchanges > 0 && entry->counters.calls > 0) // else counting was paused
            record.alone.push_back(entry->sample.alone);
}

/// The record of calls on communicators without record; without operations if there are none.
GraphRecord record_of_unknown(const UnknownCalls& calls)
{
    GraphRecord unknown;
    unknown.created_by = "unknown";
    for (const auto& [what, entry] : calls) {
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
    return unknown;
}

/// The records of the freed communicators of one place in the program.
struct FreedGraphs {
    std::vector<GraphRecord> records;
    std::weak_ptr<const Graph> last; // the graph of the last one, if its record said no more of it than the graph does
    std::size_t record_of_last = 0;
};

/// Those of all places. The registry's lock guards them.
struct AllFreedGraphs {
    std::map<std::uint64_t, FreedGraphs> by_origin;
};

/// Adds the numbers of a communicator to the record of its graph.
void add_numbers(GraphRecord& record, const Communicator& communicator)
{
    record.setup_seconds += seconds(communicator.setup_ticks());
    for (const auto& entry : communicator.selection().entries())
        if (entry->counters.calls > 0)
            add(record.operations[{name(entry->call), name(entry->choice), entry->choice.reason.text()}],
                in_seconds(*entry)); // one line for blocks of all sizes
}

/// True if the record of a communicator is that of its graph but for its numbers.
bool has_only_numbers(const Communicator& communicator)
{
    const auto& entries = communicator.selection().entries();
    return communicator.selection().trials().empty() &&
           std::all_of(entries.begin(), entries.end(), [](const auto& one) {
               return one->choice.algorithm != Algorithm::combining && one->sample.alone.exchanges == 0;
           });
}

/// Programs that make and free the same graph again and again need no more memory for it. All processes of a graph fold
/// alike: the compared values are the same on all of them.
void keep_freed(FreedGraphs& freed, const Communicator& communicator)
{
    const std::shared_ptr<const Graph>& graph = communicator.share_graph();
    const bool only_numbers = has_only_numbers(communicator);
    if (only_numbers && !graph.owner_before(freed.last) && !freed.last.owner_before(graph)) {
        GraphRecord& same = freed.records[freed.record_of_last];
        same.key = std::min(same.key, communicator.key());
        ++same.graphs;
        return add_numbers(same, communicator);
    }
    GraphRecord record = record_of(communicator);
    const auto found = std::find_if(freed.records.begin(), freed.records.end(),
                                    [&](const GraphRecord& other) { return appearance(other) == appearance(record); });
    const auto place = static_cast<std::size_t>(found - freed.records.begin());
    if (found != freed.records.end())
        fold(*found, record);
    else
        freed.records.push_back(std::move(record));
    if (only_numbers) {
        freed.last = graph;
        freed.record_of_last = place;
    }
}

/// See at_close().
void take_freed(const Communicator& communicator) noexcept
{
    try {
        keep_freed(immortal<AllFreedGraphs>().by_origin[communicator.origin()], communicator);
    } catch (const NoMemory&) {
        // A graph less in the report.
    }
}

} // namespace

GraphRecord record_of(const Communicator& communicator)
{
    const Graph& graph = communicator.graph();
    GraphRecord record;
    record.key = communicator.key();
    add_numbers(record, communicator);
    record.created_by = name(graph.created_by);
    record.ranks = graph.ranks;
    record.out_degree_min = graph.out_degree_min;
    record.out_degree_max = graph.out_degree_max;
    record.isomorphic = graph.isomorphic();
    record.declined = communicator.reason().text();
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
    return record;
}

std::vector<GraphRecord> all_records()
{
    std::vector<GraphRecord> records;
    GraphRecord unknown;
    look_at_registry([&](const RegisteredCalls& calls) {
        for (const auto& [origin, freed] : immortal<AllFreedGraphs>().by_origin)
            records.insert(records.end(), freed.records.begin(), freed.records.end());
        for (const Communicator* communicator : calls.living)
            records.push_back(record_of(*communicator));
        unknown = record_of_unknown(calls.unknown);
    });
    for (GraphRecord& record : records)
        if (record.made_at != nullptr)
            record.call_site = describe(frames_of_the_program(*record.made_at));
    if (!unknown.operations.empty())
        records.push_back(std::move(unknown));
    return records;
}

void keep_records_of_freed() noexcept
{
    at_close(take_freed);
}

} // namespace hopscotch::shim
