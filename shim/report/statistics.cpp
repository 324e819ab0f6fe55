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

void add(OperationSummary& summary, const OperationCounters& counters)
{
    summary.calls = std::max(summary.calls, counters.calls);
    summary.failed = std::max(summary.failed, counters.failed);
    summary.compared = std::max(summary.compared, counters.compared);
    summary.bytes += counters.bytes;
    summary.bytes_saved += counters.bytes_saved;
    summary.messages += counters.messages;
    summary.messages_trivial += counters.messages_trivial;
    summary.seconds.add(counters.seconds);
    for (const auto& [place, site] : counters.sites) {
        SiteSummary& sum = summary.sites[place];
        sum.calls = std::max(sum.calls, site.calls);
        sum.seconds.add(site.seconds);
    }
}

void add(OperationSummary& summary, const OperationSummary& other)
{
    summary.calls = std::max(summary.calls, other.calls);
    summary.failed = std::max(summary.failed, other.failed);
    summary.compared = std::max(summary.compared, other.compared);
    summary.bytes += other.bytes;
    summary.bytes_saved += other.bytes_saved;
    summary.messages += other.messages;
    summary.messages_trivial += other.messages_trivial;
    summary.seconds.add(other.seconds);
    for (const auto& [place, site] : other.sites) {
        SiteSummary& sum = summary.sites[place];
        sum.calls = std::max(sum.calls, site.calls);
        sum.seconds.add(site.seconds);
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
void add_operations(Values& values, const Others& others)
{
    auto next = values.begin();
    for (const auto& [key, other] : others)
        add(follow(values, next, key), other);
}

} // namespace

bool alike(const GraphDescription& one, const GraphDescription& other)
{
    const auto appearance = [](const GraphDescription& graph) {
        return std::tie(graph.created_by, graph.call_site, graph.ranks, graph.out_degree_min, graph.out_degree_max,
                        graph.isomorphic, graph.declined, graph.dims, graph.periodic, graph.found, graph.stencil_name,
                        graph.stencil_radius, graph.stencil_neighbors, graph.offsets, graph.rounds, graph.volume);
    };
    return appearance(one) == appearance(other);
}

void fold(GraphRecord& into, const GraphRecord& other)
{
    into.key = std::min(into.key, other.key);
    into.graphs += other.graphs;
    into.setup_seconds += other.setup_seconds;
    if (into.trials.empty())
        into.trials = other.trials;
    add_operations(into.operations, other.operations);
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

Spread Spread::of(std::uint64_t count, double mean, double min, double max, double variation) noexcept
{
    Spread spread;
    spread.count_ = count;
    spread.mean_ = mean;
    spread.min_ = min;
    spread.max_ = max;
    spread.squares_ = variation * mean * variation * mean * static_cast<double>(count);
    return spread;
}

double Spread::variation() const noexcept
{
    if (count_ == 0 || mean_ == 0.0)
        return 0.0;
    return std::sqrt(squares_ / static_cast<double>(count_)) / std::abs(mean_);
}

void add(OperationCounters& sum, const OperationCounters& other)
{
    sum.calls += other.calls;
    sum.failed += other.failed;
    sum.compared += other.compared;
    sum.bytes += other.bytes;
    sum.bytes_saved += other.bytes_saved;
    sum.messages += other.messages;
    sum.messages_trivial += other.messages_trivial;
    sum.seconds += other.seconds;
    for (const auto& [place, site] : other.sites) {
        SiteCounters& sum_of_place = sum.sites[place];
        sum_of_place.calls += site.calls;
        sum_of_place.seconds += site.seconds;
    }
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
        add_operations(graph.operations, record.operations);
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
        add_operations(graph.operations, summary.operations);
    }
}

} // namespace hopscotch::shim
