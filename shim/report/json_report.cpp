// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The report for programs: the members the schema names first, in its order, then those that are extra.
#include "shim/report/report.hpp"

#include "shim/report/json.hpp"
#include "shim/report/summary.hpp"

namespace hopscotch::shim
{

namespace
{

using Layout = JsonWriter::Layout;

void write_spread(JsonWriter& json, std::string_view name, const Spread& spread)
{
    json.key(name);
    json.begin_object(Layout::one_line);
    json.member("total", spread.total());
    json.member("mean", spread.mean());
    json.member("max", spread.max());
    json.member("min", spread.min());
    json.member("variation", spread.variation());
    json.end_object();
}

void write_grid(JsonWriter& json, const GraphSummary& graph)
{
    json.key("grid");
    if (graph.dims.empty()) {
        json.null();
        return;
    }
    json.begin_object(Layout::one_line);
    json.key("dims");
    json.begin_array();
    for (const int size : graph.dims)
        json.value(size);
    json.end_array();
    json.key("periodic");
    json.begin_array();
    for (const bool periodic : graph.periodic)
        json.value(periodic);
    json.end_array();
    json.member_or_null("found", graph.found);
    json.end_object();
}

void write_offsets(JsonWriter& json, const GraphSummary& graph)
{
    const std::size_t dimensions = graph.dims.size();
    json.key("offsets");
    if (graph.offsets.empty() || dimensions == 0) {
        json.null();
        return;
    }
    json.begin_array();
    for (std::size_t i = 0; i + dimensions <= graph.offsets.size(); i += dimensions) {
        json.begin_array();
        for (std::size_t k = 0; k < dimensions; ++k)
            json.value(graph.offsets[i + k]);
        json.end_array();
    }
    json.end_array();
}

void write_stencil(JsonWriter& json, const GraphSummary& graph)
{
    json.key("stencil");
    if (!graph.isomorphic) {
        json.null();
        json.key("rounds");
        json.null();
        json.key("volume");
        json.null();
        return;
    }
    json.begin_object(Layout::one_line);
    json.member("name", graph.stencil_name);
    json.member("radius", graph.stencil_radius);
    json.member("neighbors", graph.stencil_neighbors);
    write_offsets(json, graph);
    json.end_object();
    json.member("rounds", graph.rounds);
    json.member("volume", graph.volume);
}

void write_call_site(JsonWriter& json, const CallSite& place)
{
    json.key("call_site");
    json.begin_array();
    for (const std::string& function : place)
        json.value(function);
    json.end_array();
}

void write_operation(JsonWriter& json, const OperationKey& key, const OperationSummary& operation)
{
    json.begin_object();
    json.member("function", key.function);
    json.member("algorithm", key.algorithm);
    json.member("calls", operation.calls);
    json.member("bytes", operation.bytes);
    json.member("messages", operation.messages);
    json.member("messages_trivial", operation.messages_trivial);
    write_spread(json, "time_s", operation.seconds);
    json.member_or_null("reason", key.reason);
    json.member("failed", operation.failed);
    json.member("compared", operation.compared);
    json.member("ranks", operation.seconds.count());
    json.member("bytes_saved", operation.bytes_saved);
    json.key("call_sites");
    json.begin_array();
    for (const auto& [place, site] : sites_by_time(operation)) {
        json.begin_object();
        write_call_site(json, *place);
        json.member("calls", site->calls);
        write_spread(json, "time_s", site->seconds);
        json.member("ranks", site->seconds.count());
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_graph(JsonWriter& json, std::uint64_t id, const GraphSummary& graph)
{
    json.begin_object();
    json.member("id", id);
    json.member("created_by", graph.created_by);
    write_call_site(json, graph.call_site);
    json.member("ranks", graph.ranks);
    json.key("neighbors");
    json.begin_object(Layout::one_line);
    json.member("min", graph.out_degree_min);
    json.member("max", graph.out_degree_max);
    json.end_object();
    json.member("isomorphic", graph.isomorphic);
    json.member_or_null("declined", graph.declined);
    write_grid(json, graph);
    write_stencil(json, graph);
    json.key("operations");
    json.begin_array();
    for (const auto& [key, operation] : graph.operations)
        write_operation(json, key, operation);
    json.end_array();
    json.member("graphs", graph.graphs);
    write_spread(json, "setup_s", graph.setup_seconds);
    json.key("trials");
    json.begin_array();
    for (const TrialRecord& trial : graph.trials) {
        json.begin_object(Layout::one_line);
        json.member("function", trial.function);
        json.member("block_bytes_most", trial.block_bytes_most);
        json.member("algorithm", trial.algorithm);
        json.member("time_s", trial.seconds);
        json.member("chosen", trial.chosen);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_totals(JsonWriter& json, const Report& report)
{
    const Totals sum = totals(report);
    json.key("totals");
    json.begin_object();
    json.member("calls", sum.calls);
    json.member("accelerated", sum.accelerated);
    json.member("native", sum.native);
    json.member("messages", sum.messages);
    json.member("messages_trivial", sum.messages_trivial);
    json.member("time_s", report.seconds.total());
    json.member("setup_s", report.setup_seconds.total());
    json.member("failed", sum.failed);
    json.member("compared", sum.compared);
    json.member("bytes", sum.bytes);
    json.member("bytes_saved", sum.bytes_saved);
    write_spread(json, "time_by_rank_s", report.seconds);
    write_spread(json, "setup_by_rank_s", report.setup_seconds);
    json.end_object();
}

} // namespace

std::string json_report(const Report& report)
{
    const JobRecord& job = report.job;
    JsonWriter json;
    json.begin_object();
    json.member("schema", 1);
    json.member("version", job.version);
    json.member("mpi_library", short_library(job.mpi_library));
    json.member("ranks", job.ranks);
    json.member("nodes", job.nodes);
    json.member("elapsed_s", job.elapsed_seconds);
    json.key("settings");
    json.begin_object();
    for (const auto& [name, value] : job.settings)
        json.member(name, value);
    json.end_object();
    json.key("graphs");
    json.begin_array();
    const std::vector<std::uint64_t> ids = graph_ids(report);
    std::size_t i = 0;
    for (const auto& [key, graph] : report.graphs)
        write_graph(json, ids[i++], graph);
    json.end_array();
    write_totals(json, report);
    json.member("command", job.command);
    json.member("enabled", job.enabled);
    json.member("processes", report.processes);
    json.member_or_null("partial", job.partial);
    json.member_or_null("stood_down", job.stood_down);
    json.member("next_step", next_step(report));
    json.end_object();
    return json.text();
}

} // namespace hopscotch::shim
