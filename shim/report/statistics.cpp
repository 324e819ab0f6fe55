// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Adding up: each record finds its place in the report and is merged there.
#include "shim/report/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace hopscotch::shim
{

namespace
{

enum class Of { same_processes, other_processes };

void add(std::uint64_t& sum, std::uint64_t value, OverProcesses over_processes, Of of)
{
    const bool largest = of == Of::other_processes && over_processes == OverProcesses::largest;
    sum = largest ? std::max(sum, value) : sum + value;
}

template <typename Sum, typename Time>
void add_operation(OperationNumbers<Sum>& sum, const OperationNumbers<Time>& other, Of of)
{
    for (const CounterField& field : counter_fields)
        add(sum.*field.value, other.*field.value, field.over_processes, of);
    sum.seconds += other.seconds;
    static_assert(sizeof(SiteNumbers<double>) == 2 * sizeof(double), "each number of a place is added");
    for (const auto& [place, site] : other.sites) {
        auto& sum_of_place = sum.sites[place];
        add(sum_of_place.calls, site.calls, OverProcesses::largest, of);
        sum_of_place.seconds += site.seconds;
    }
    for (const auto& [bytes, calls] : other.block_sizes)
        add(sum.block_sizes[bytes], calls, OverProcesses::largest, of);
    for (const auto& [end, calls] : other.durations)
        sum.durations[end] += calls;
}

/// Completes the description of a graph by that of another process.
void describe(GraphSummary& graph, const GraphDescription& other)
{
    const bool is_new = graph.setup_seconds.count == 0;
    if (is_new) {
        static_cast<GraphDescription&>(graph) = other;
        return;
    }
    graph.graphs = std::max(graph.graphs, other.graphs);
    graph.nonstandard_edge_order |= other.nonstandard_edge_order;
    graph.ranks = std::max(graph.ranks, other.ranks);
    graph.out_degree_min = std::min(graph.out_degree_min, other.out_degree_min);
    graph.out_degree_max = std::max(graph.out_degree_max, other.out_degree_max);
    if (graph.call_site.empty())
        graph.call_site = other.call_site;
    if (graph.offsets.empty())
        graph.offsets = other.offsets;
    if (graph.edges.all == 0)
        graph.edges = other.edges;
    if (graph.trials.empty())
        graph.trials = other.trials;
    if (graph.alone.empty())
        graph.alone = other.alone;
}

/// For each function and size class the first trial stays.
void add_trials(std::vector<TrialRecord>& trials, const std::vector<TrialRecord>& others)
{
    const auto first = static_cast<std::ptrdiff_t>(trials.size());
    for (const TrialRecord& other : others) {
        const auto is_there = [&other](const TrialRecord& one) {
            return one.function == other.function && one.block_bytes_most == other.block_bytes_most;
        };
        if (std::none_of(trials.begin(), trials.begin() + first, is_there))
            trials.push_back(other);
    }
}

void keep(ProcessTime& kept, const ProcessTime& other, bool rather)
{
    if (other.rank >= 0 && (kept.rank < 0 || rather))
        kept = other;
}

template <typename Time>
void add_graph(Report& report, const GraphNumbers<Time>& graph)
{
    GraphSummary& sum = report.graphs[graph.key];
    describe(sum, graph);
    sum.setup_seconds += graph.setup_seconds;
    for (const auto& [key, operation] : graph.operations)
        add_operation(sum.operations[key], operation, Of::other_processes);
}

} // namespace

template <typename Time>
void fold(GraphNumbers<Time>& into, const GraphNumbers<Time>& other)
{
    into.key = std::min(into.key, other.key);
    into.graphs += other.graphs;
    into.nonstandard_edge_order |= other.nonstandard_edge_order;
    into.setup_seconds += other.setup_seconds;
    add_trials(into.trials, other.trials);
    if (into.alone.empty())
        into.alone = other.alone;
    for (const auto& [key, operation] : other.operations)
        add_operation(into.operations[key], operation, Of::same_processes);
}
template void fold(GraphNumbers<double>& into, const GraphNumbers<double>& other);
template void fold(GraphNumbers<Spread>& into, const GraphNumbers<Spread>& other);

Spread& Spread::operator+=(double value) noexcept
{
    return *this += Spread{1, value, value, value, 0.0};
}

// Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
Spread& Spread::operator+=(const Spread& other) noexcept
{
    if (other.count == 0)
        return *this;
    if (count == 0)
        return *this = other;
    const auto here = static_cast<double>(count);
    const auto there = static_cast<double>(other.count);
    const double difference = other.mean - mean;
    mean += difference * there / (here + there);
    squares += other.squares + difference * difference * here * there / (here + there);
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    count += other.count;
    return *this;
}

double Spread::variation() const noexcept
{
    if (count == 0 || mean == 0.0)
        return 0.0;
    return std::sqrt(squares / static_cast<double>(count)) / std::abs(mean);
}

void add(OperationCounters& sum, const OperationCounters& other)
{
    add_operation(sum, other, Of::same_processes);
}

void add(Report& report, const std::vector<GraphRecord>& records)
{
    ++report.processes;
    double seconds = 0.0;
    double setup_seconds = 0.0;
    for (const GraphRecord& record : records) {
        add_graph(report, record);
        setup_seconds += record.setup_seconds;
        for (const auto& [operation, counters] : record.operations)
            seconds += counters.seconds;
    }
    report.seconds += seconds;
    report.setup_seconds += setup_seconds;
}

void add(Report& report, const Report& other)
{
    report.processes += other.processes;
    report.seconds += other.seconds;
    report.setup_seconds += other.setup_seconds;
    keep(report.earliest, other.earliest, other.earliest.seconds > report.earliest.seconds);
    keep(report.slowest, other.slowest, other.slowest.seconds < report.slowest.seconds);
    report.hosts.insert(other.hosts.begin(), other.hosts.end());
    for (const auto& [key, graph] : other.graphs)
        add_graph(report, graph);
    report.job.shares_cores = report.job.shares_cores || other.job.shares_cores;
    if (report.job.copied_twice.empty())
        report.job.copied_twice = other.job.copied_twice;
}

} // namespace hopscotch::shim
