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

void add_seconds(double& sum, double seconds)
{
    sum += seconds;
}

template <typename Seconds>
void add_seconds(Spread& sum, const Seconds& seconds)
{
    sum.add(seconds);
}

enum class Of { same_processes, other_processes };

void add(std::uint64_t& sum, std::uint64_t value, OverProcesses over_processes, Of of)
{
    const bool largest = of == Of::other_processes && over_processes == OverProcesses::largest;
    sum = largest ? std::max(sum, value) : sum + value;
}

template <typename Sum, typename Other>
void add_operation(Sum& sum, const Other& other, Of of)
{
    for (const CounterField& field : counter_fields)
        add(sum.*field.value, other.*field.value, field.over_processes, of);
    add_seconds(sum.seconds, other.seconds);
    for (const auto& [place, site] : other.sites) {
        auto& sum_of_place = sum.sites[place];
        add(sum_of_place.calls, site.calls, OverProcesses::largest, of);
        add_seconds(sum_of_place.seconds, site.seconds);
    }
}

/// The value of a key, made if need be. `next` goes along: keys that come in the order of the map cost no search.
template <typename Map>
typename Map::mapped_type& follow(Map& map, typename Map::iterator& next, const typename Map::key_type& key)
{
    if (next == map.end() || !(next->first == key))
        next = map.try_emplace(next, key);
    return (next++)->second;
}

/// Completes what is known of a graph by what another process knows of it.
void describe(GraphSummary& graph, const GraphDescription& other)
{
    const bool is_new = graph.setup_seconds.count() == 0;
    if (is_new) {
        static_cast<GraphDescription&>(graph) = other;
        return;
    }
    graph.graphs = std::max(graph.graphs, other.graphs);
    graph.ranks = std::max(graph.ranks, other.ranks);
    graph.out_degree_min = std::min(graph.out_degree_min, other.out_degree_min);
    graph.out_degree_max = std::max(graph.out_degree_max, other.out_degree_max);
    if (graph.call_site.empty())
        graph.call_site = other.call_site;
    if (graph.offsets.empty())
        graph.offsets = other.offsets;
    if (graph.trials.empty())
        graph.trials = other.trials;
}

template <typename Values, typename Others>
void add_operations(Values& values, const Others& others, Of of)
{
    auto next = values.begin();
    for (const auto& [key, other] : others)
        add_operation(follow(values, next, key), other, of);
}

} // namespace

bool alike(const GraphDescription& one, const GraphDescription& other)
{
    return appearance(one) == appearance(other);
}

void fold(GraphRecord& into, const GraphRecord& other)
{
    into.key = std::min(into.key, other.key);
    into.graphs += other.graphs;
    into.setup_seconds += other.setup_seconds;
    if (into.trials.empty())
        into.trials = other.trials;
    add_operations(into.operations, other.operations, Of::same_processes);
}

void Spread::add(double value) noexcept
{
    Spread one;
    one.count_ = 1;
    one.mean_ = one.min_ = one.max_ = value;
    add(one);
}

// Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
void Spread::add(const Spread& other) noexcept
{
    if (other.count_ == 0)
        return;
    if (count_ == 0) {
        *this = other;
        return;
    }
    const auto here = static_cast<double>(count_);
    const auto there = static_cast<double>(other.count_);
    const double difference = other.mean_ - mean_;
    mean_ += difference * there / (here + there);
    squares_ += other.squares_ + difference * difference * here * there / (here + there);
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
    count_ += other.count_;
}

Spread Spread::of(std::uint64_t count, double mean, double min, double max, double squares) noexcept
{
    Spread spread;
    spread.count_ = count;
    spread.mean_ = mean;
    spread.min_ = min;
    spread.max_ = max;
    spread.squares_ = squares;
    return spread;
}

Spread Spread::said(std::uint64_t count, double mean, double min, double max, double variation) noexcept
{
    return of(count, mean, min, max, variation * mean * variation * mean * static_cast<double>(count));
}

double Spread::variation() const noexcept
{
    if (count_ == 0 || mean_ == 0.0)
        return 0.0;
    return std::sqrt(squares_ / static_cast<double>(count_)) / std::abs(mean_);
}

void add(OperationCounters& sum, const OperationCounters& other)
{
    add_operation(sum, other, Of::same_processes);
}

void add(OperationSummary& sum, const OperationSummary& other)
{
    add_operation(sum, other, Of::same_processes);
}

void add(Report& report, const ProcessRecords& records)
{
    ++report.processes;
    double seconds = 0.0;
    double setup_seconds = 0.0;
    auto next = report.graphs.begin();
    for (const GraphRecord& record : records.graphs) {
        GraphSummary& graph = follow(report.graphs, next, record.key);
        describe(graph, record);
        graph.setup_seconds.add(record.setup_seconds);
        add_operations(graph.operations, record.operations, Of::other_processes);
        setup_seconds += record.setup_seconds;
        for (const auto& [operation, counters] : record.operations)
            seconds += counters.seconds;
    }
    report.seconds.add(seconds);
    report.setup_seconds.add(setup_seconds);
}

void add(Report& report, const Report& other)
{
    report.processes += other.processes;
    report.seconds.add(other.seconds);
    report.setup_seconds.add(other.setup_seconds);
    auto next = report.graphs.begin();
    for (const auto& [key, summary] : other.graphs) {
        GraphSummary& graph = follow(report.graphs, next, key);
        describe(graph, summary);
        graph.setup_seconds.add(summary.setup_seconds);
        add_operations(graph.operations, summary.operations, Of::other_processes);
    }
}

} // namespace hopscotch::shim
