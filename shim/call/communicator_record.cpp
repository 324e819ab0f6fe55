// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells the report about a communicator.
#include "shim/call/communicator_record.hpp"

#include "schedules/remapping.hpp"
#include "shim/base/clock.hpp"
#include "shim/report/frame_names.hpp"

namespace hopscotch::shim
{

namespace
{

constexpr int most_offsets_reported = 1000;
constexpr std::int64_t most_edges_counted = 1 << 22; // within 0.3 s

/// As a report has it: 0 where a class has no upper end.
std::uint64_t block_bytes_most(std::size_t high)
{
    return high == schedules::every_size().high ? 0 : high;
}

OperationCounters in_seconds(const SelectionEntry& entry)
{
    OperationCounters result;
    static_cast<Counters&>(result) = entry.counters;
    result.process_calls = result.calls;
    result.block_sizes[block_bytes_most(entry.choice.sizes.high)] = result.calls;
    result.seconds = seconds(entry.counters.ticks + entry.ticks_of_requests);
    for (const auto& [place, site] : entry.sites) {
        SiteNumbers<double>& sum = result.sites[describe(*place)];
        sum.calls += site.calls;
        sum.seconds += seconds(site.ticks);
    }
    return result;
}

void add_trials(GraphRecord& record, const Trials& trials)
{
    for (const auto& [key, of_call] : trials) {
        const Trial& trial = of_call.trial;
        if (!trial.decided() || trial.candidates().size() == 1)
            continue;
        for (const Trial::Candidate& candidate : trial.candidates())
            record.trials.push_back({name(of_call.call), block_bytes_most(key.high), name(candidate.choice.algorithm),
                                     candidate.seconds, &candidate.choice == &trial.best()});
    }
}

EdgeCounts edges_of(const GraphRecord& record)
{
    const schedules::Topology grid(record.dims, record.wraps);
    const schedules::Stencil stencil(grid.dimensions(), record.offsets);
    if (std::int64_t{grid.size()} * stencil.size() > most_edges_counted)
        return {};
    const schedules::Remapping remapping = schedules::best_remapping(grid, stencil, *record.nodes);
    return {schedules::edges_in_all(grid, stencil), remapping.now.sum, remapping.now.most, remapping.mapped.sum,
            remapping.mapped.most};
}

} // namespace

void complete(GraphRecord& record)
{
    if (record.made_at != nullptr)
        record.call_site = describe(*record.made_at);
    if (record.nodes != nullptr)
        record.edges = edges_of(record);
}

GraphRecord record_of(const Communicator& communicator)
{
    const Graph& graph = communicator.graph();
    GraphRecord record;
    record.key = communicator.key();
    record.created_by = name(graph.created_by);
    if (graph.edges.rank == 0)
        record.made_at = graph.call_site;
    record.ranks = graph.ranks;
    record.out_degree_min = graph.out_degree_min;
    record.out_degree_max = graph.out_degree_max;
    record.isomorphic = graph.isomorphic();
    record.declined = communicator.reason();
    record.setup_seconds = seconds(communicator.setup_ticks());
    record.reorder = graph.reorder;
    if (record.isomorphic) {
        record.dims = graph.topology.dims();
        record.periodic = graph.periodic;
        record.wraps = graph.topology.periods();
        record.found = graph.found;
        record.stencil_name = schedules::name(graph.stencil);
        record.stencil_radius = schedules::radius(graph.stencil);
        record.stencil_neighbors = graph.stencil.size();
        record.rounds = schedules::rounds(graph.stencil);
        record.volume = schedules::alltoall_volume(graph.stencil);
        if (graph.edges.rank == 0 && graph.stencil.size() <= most_offsets_reported) {
            record.offsets = graph.stencil.shifts();
            if (communicator.group() != nullptr && communicator.group()->nodes() > 1)
                record.nodes = communicator.group()->share_node_map();
        }
    }
    if (graph.edges.rank == 0)
        add_trials(record, communicator.selection().trials());
    for (const auto& entry : communicator.selection().entries())
        if (entry->counters.calls > 0)
            add(record.operations[{name(entry->call), name(entry->choice.algorithm), entry->choice.reason}],
                in_seconds(*entry)); // one line for blocks of all sizes
    return record;
}

} // namespace hopscotch::shim
