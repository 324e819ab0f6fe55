// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One list of the members of every record serves all: the JSON report and messages between processes (CBOR, RFC 8949),
// writing and reading.
#include "shim/report/report.hpp"

#include "shim/report/gain.hpp"
#include "shim/report/lines.hpp"
#include "shim/report/members.hpp"
#include "shim/report/next_step.hpp"
#include "shim/report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace hopscotch::shim
{

constexpr const char* message_mark = "HOPS";
constexpr int message_version = 12;

// ---- the members of every record

/// `zeros`: the number of values if all of them are zero, since a report does not give it here.
static void spread_member(Members& at, const char* name, Spread& spread, std::uint64_t zeros)
{
    double total = spread.total();
    double variation = spread.variation();
    at.inside(name, [&](Members& in) {
        if (in.in_message()) {
            in("count", spread.count);
            in("squares", spread.squares);
        } else {
            in("total", total);
            in("variation", variation);
        }
        in("mean", spread.mean);
        in("max", spread.max);
        in("min", spread.min);
        in.shown("text", spread_text(spread));
    });
    if (at.reads() && !at.in_message()) {
        spread.count = spread.mean > 0.0 ? static_cast<std::uint64_t>(std::llround(total / spread.mean)) : zeros;
        spread.squares = variation * spread.mean * variation * spread.mean * static_cast<double>(spread.count);
    }
}

/// Records of keys and values with the members of fields().
template <typename Key, typename Value>
static void map_member(Members& at, const char* name, std::map<Key, Value>& map)
{
    std::vector<std::pair<Key, Value>> entries(map.begin(), map.end());
    at.list(name, entries);
    map.insert(entries.begin(), entries.end());
}

/// The number of processes that took part, and their times.
static void time_members(Members& at, Spread& seconds)
{
    std::uint64_t ranks = seconds.count;
    at("ranks", ranks);
    spread_member(at, "time_s", seconds, ranks);
}

static void fields(Members& at, SiteEntry& entry)
{
    auto& [place, site] = entry;
    at("call_site", place);
    at("calls", site.calls);
    time_members(at, site.seconds);
}

static void fields(Members& at, std::pair<std::uint64_t, std::uint64_t>& calls_of_size)
{
    at("block_bytes_most", calls_of_size.first);
    at("calls", calls_of_size.second);
}

struct DurationCalls {
    std::uint64_t end_ns = 0;
    std::uint64_t calls = 0;
};

static void fields(Members& at, DurationCalls& entry)
{
    constexpr double longest = 1e6;
    double end = static_cast<double>(entry.end_ns) / 1e9;
    at("time_s_most", end);
    at("calls", entry.calls);
    at.shown("time_s_most_text", entry.end_ns > 0 ? duration_text(end) : "any time");
    if (at.reads())
        entry.end_ns = static_cast<std::uint64_t>(std::llround(std::clamp(end, 0.0, longest) * 1e9));
}

/// In messages a list of numbers: ends and calls in turn.
static void durations_member(Members& at, CallsByDuration& durations)
{
    std::vector<DurationCalls> entries;
    std::vector<std::uint64_t> numbers;
    for (const auto& [end, calls] : durations) {
        entries.push_back({end, calls});
        numbers.insert(numbers.end(), {end, calls});
    }
    if (at.in_message())
        at("durations", numbers, !numbers.empty());
    else
        at.list("durations", entries);
    for (std::size_t i = 1; at.reads() && i < numbers.size(); i += 2)
        durations[numbers[i - 1]] = numbers[i];
    for (const DurationCalls& entry : entries)
        durations[entry.end_ns] = entry.calls;
}

/// The name of an algorithm, and behind it the groups of dimensions that it names, if it does.
static void algorithm_members(Members& at, std::string& name)
{
    const std::size_t end = std::min(name.find(' '), name.size());
    std::string algorithm = name.substr(0, end);
    std::string groups = name.substr(std::min(end + 1, name.size()));
    at("algorithm", algorithm);
    at("groups", groups, !groups.empty());
    if (at.reads())
        name = groups.empty() ? algorithm : algorithm + ' ' + groups;
}

static void fields(Members& at, std::pair<OperationKey, OperationSummary>& entry)
{
    auto& [key, operation] = entry;
    at("function", key.function);
    algorithm_members(at, key.algorithm);
    at("reason", key.reason, !key.reason.empty());
    for (const CounterField& counter : counter_fields) {
        if (at.in_message() && !at.reads() && operation.*counter.value == 0)
            continue; // the number stays in a report that does not give it
        if (at.reads() && !at.in_message() && counter.value == &Counters::payload_bytes)
            operation.payload_bytes = operation.bytes; // for a version that did not distinguish them
        at(counter.name, operation.*counter.value);
    }
    time_members(at, operation.seconds);
    std::vector<SiteEntry> sites = sites_by_time(operation);
    at.list("call_sites", sites);
    operation.sites.insert(sites.begin(), sites.end());
    map_member(at, "block_sizes", operation.block_sizes);
    durations_member(at, operation.durations);
    at.shown("per_call_text", duration_text(seconds_per_call(operation)));
    at.shown("bytes_text", bytes_text(operation.bytes));
    at.shown("payload_bytes_text", bytes_text(operation.payload_bytes));
    at.shown("lines", operation_lines(operation));
}

static void fields(Members& at, AloneRecord& alone)
{
    at("function", alone.function);
    algorithm_members(at, alone.algorithm);
    at("block_bytes", alone.block_bytes);
    at("exchanges", alone.exchanges);
    at("time_s", alone.seconds);
    at("native_time_s", alone.native_seconds);
    at("others_share", alone.others_share, alone.others_share >= 0.0);
    at.shown("block_bytes_text", bytes_text(alone.block_bytes));
    at.shown("time_s_text", duration_text(alone.seconds));
    at.shown("native_time_s_text", duration_text(alone.native_seconds));
}

static void fields(Members& at, TrialRecord& trial)
{
    at("function", trial.function);
    at("block_bytes_most", trial.block_bytes_most);
    algorithm_members(at, trial.algorithm);
    at("time_s", trial.seconds);
    at("chosen", trial.chosen);
    at("others_share", trial.others_share, trial.others_share >= 0.0);
    at.shown("block_bytes_most_text", trial.block_bytes_most > 0 ? bytes_text(trial.block_bytes_most) : "any size");
    at.shown("time_s_text", duration_text(trial.seconds));
}

/// The offsets of a stencil: in memory one after the other, in a report each by itself.
static void offsets_member(Members& at, GraphDescription& graph)
{
    std::vector<std::vector<int>> offsets;
    const auto dimensions = static_cast<std::ptrdiff_t>(graph.dims.size());
    std::vector<int>& shifts = graph.offsets;
    for (auto next = shifts.begin(); dimensions > 0 && shifts.end() - next >= dimensions; next += dimensions)
        offsets.emplace_back(next, next + dimensions);
    at("offsets", offsets, !offsets.empty());
    if (at.reads())
        for (const std::vector<int>& offset : offsets)
            shifts.insert(shifts.end(), offset.begin(), offset.end());
}

static void fields(Members& at, GraphSummary& graph)
{
    at("id", graph.key);
    at("created_by", graph.created_by);
    at("call_site", graph.call_site);
    at("ranks", graph.ranks);
    at.inside("neighbors", [&graph](Members& in) {
        in("min", graph.out_degree_min);
        in("max", graph.out_degree_max);
    });
    at("isomorphic", graph.isomorphic);
    at("declined", graph.declined, !graph.declined.empty());
    const auto grid = [&graph](Members& in) {
        in("dims", graph.dims);
        in("periodic", graph.periodic);
        in("wraps", graph.wraps);
        in("found", graph.found, !graph.found.empty());
    };
    const auto stencil = [&graph](Members& in) {
        in("name", graph.stencil_name);
        in("radius", graph.stencil_radius);
        in("neighbors", graph.stencil_neighbors);
        offsets_member(in, graph);
    };
    at.inside("grid", grid, !graph.dims.empty());
    at.inside("stencil", stencil, graph.isomorphic);
    at("rounds", graph.rounds, graph.isomorphic);
    at("volume", graph.volume, graph.isomorphic);
    at("phases", graph.phases, graph.isomorphic);
    at("groups", graph.schedule_groups, graph.isomorphic);
    const auto partial = [&graph](Members& in) {
        in("cells", graph.partial.cells);
        in("found", graph.partial.found);
        in("edges", graph.partial.edges);
        in("combined_edges", graph.partial.combined_edges);
        in("messages", graph.partial.messages);
        in("merged_messages", graph.partial.merged_messages);
    };
    at.inside("partial", partial, !graph.partial.cells.empty());
    const auto edges = [&graph](Members& in) {
        static_assert(sizeof(EdgeCounts) == 5 * sizeof(std::int64_t), "each count has a line");
        in("all", graph.edges.all);
        in("now", graph.edges.now);
        in("now_most", graph.edges.now_most);
        in("mapped", graph.edges.mapped);
        in("mapped_most", graph.edges.mapped_most);
    };
    at.inside("edges_between_nodes", edges, graph.edges.all > 0);
    at("reorder", graph.reorder, !graph.reorder.empty());
    at("nonstandard_edge_order", graph.nonstandard_edge_order);
    map_member(at, "operations", graph.operations);
    at("graphs", graph.graphs);
    spread_member(at, "setup_s", graph.setup_seconds, static_cast<std::uint64_t>(std::max(graph.ranks, 0)));
    at.list("trials", graph.trials);
    at.list("alone", graph.alone);
}

/// A section of text and page. Graphs that are alike have their sum there, in the form of a graph; others have none.
static void fields(Members& at, GraphGroup& group)
{
    const Totals sum = totals(group.sum);
    at("ids", group.ids);
    at.shown("title", title(group));
    at.shown("lines", graph_lines(group.sum));
    for (const CounterField& counter : counter_fields)
        at.shown(counter.name, sum.*counter.value);
    at.shown("time_s", group.seconds());
    at.shown("native_time_s", seconds_of_native(group.sum));
    at.shown("bytes_text", bytes_text(sum.bytes));
    at.shown("payload_bytes_text", bytes_text(sum.payload_bytes));
    at.shown("time_s_text", duration_text(group.seconds()));
    at.shown("native_time_s_text", duration_text(seconds_of_native(group.sum)));
    group.sum.key = group.ids.front();
    at.inside(
        "sum", [&group](Members& in) { fields(in, group.sum); }, group.ids.size() > 1);
}

/// The sums are for readers of a report; the spreads are all that is read.
static void totals_member(Members& at, Report& report)
{
    Totals sum = totals(report);
    double seconds = report.seconds.total();
    double setup_seconds = report.setup_seconds.total();
    at.inside("totals", [&](Members& in) {
        for (const CounterField& counter : counter_fields)
            in(counter.name, sum.*counter.value);
        in("accelerated", sum.accelerated);
        in("native", sum.native);
        in("time_s", seconds);
        in("setup_s", setup_seconds);
        spread_member(in, "time_by_rank_s", report.seconds, report.processes);
        spread_member(in, "setup_by_rank_s", report.setup_seconds, report.processes);
        in.shown("bytes_text", bytes_text(sum.bytes));
        in.shown("payload_bytes_text", bytes_text(sum.payload_bytes));
        in.shown("bytes_saved_text", saved_text(sum));
        in.shown("time_share_text", percent_text(report.seconds.mean, report.job.elapsed_seconds));
    });
}

static void fields(Members& at, JobRecord& job)
{
    at("version", job.version);
    std::string library = short_library(job.mpi_library);
    at("mpi_library", library);
    job.mpi_library = at.reads() ? library : job.mpi_library; // for a version that wrote no more
    at("mpi_library_text", job.mpi_library);
    at("command", job.command);
    at("ranks", job.ranks);
    at("nodes", job.nodes);
    at("elapsed_s", job.elapsed_seconds);
    at("date", job.date, !job.date.empty());
    at("job_id", job.id, !job.id.empty());
    at("step_id", job.step, !job.step.empty());
    at("array_task", job.array_task, !job.array_task.empty());
    at("launcher", job.launcher, !job.launcher.empty());
    at("launched", job.launched, job.launched > 0);
    at("enabled", job.enabled);
    at("partial", job.partial, !job.partial.empty());
    at("stood_down", job.stood_down, !job.stood_down.empty());
    at("shares_cores", job.shares_cores);
    at("copied_twice", job.copied_twice, !job.copied_twice.empty());
    at("devices", job.devices, !job.devices.empty());
    schedules::OneCopyLimits limits = job.one_copy.value_or(schedules::OneCopyLimits{});
    const auto one_copy_members = [&](Members& in) {
        in("block_bytes", limits.block_bytes);
        in("call_bytes", limits.call_bytes);
        in("tried", limits.tried);
        job.one_copy = limits;
    };
    at.inside("one_copy", one_copy_members, job.one_copy.has_value());
    schedules::Network network = job.network.value_or(schedules::assumed_network);
    const auto network_members = [&](Members& in) {
        in("latency_s", network.latency);
        in("send_overhead_s", network.send_overhead);
        in("receive_overhead_s", network.receive_overhead);
        in("gap_s_per_byte", network.gap_per_byte);
        job.network = network;
    };
    at.inside("network", network_members, job.network.has_value());
    Json settings = Json::object();
    for (const auto& [name, value] : job.settings)
        settings[name] = value;
    at("settings", settings);
    job.settings.clear();
    for (const auto& [name, value] : settings.items())
        job.settings.emplace_back(name, value.get<std::string>());
}

static void process_member(Members& at, const char* name, ProcessTime& process)
{
    const auto members = [&process](Members& in) {
        in("rank", process.rank);
        in("host", process.host);
        in("time_s", process.seconds);
    };
    at.inside(name, members, process.rank >= 0);
}

/// Conclusions for readers of a report.
static void conclusion_members(Members& at, const Report& report)
{
    at.shown("next_step", next_step(report));
    at.shown("bottom_line", bottom_line(report));
    Gain won = gain(report);
    auto pays_from_calls = static_cast<std::uint64_t>(won.pays_from_calls);
    at.inside("gain", [&](Members& in) {
        in.shown("verdict", name(won.verdict));
        const bool compared = won.verdict != Verdict::not_compared;
        in("saved_s", won.saved_seconds, compared);
        in("calls_s", won.calls_seconds, compared);
        in("trials_s", won.trials_seconds, compared);
        in.shown("setup_s", report.setup_seconds.max);
        in("pays_from_calls", pays_from_calls, pays_from_calls > 0);
        in("least_s", won.least_seconds);
        in("most_s", won.most_seconds);
        in("compared_calls", won.compared_calls);
        in("compared_share", won.compared_share);
        in("others_share", won.others_share, won.others_share > 0.0);
        in("doubt", won.doubt, !won.doubt.empty());
        in.shown("text", gain_text(report));
    });
    const std::optional<Efficiency> known = efficiency(report);
    Efficiency parts = known.value_or(Efficiency{});
    const auto efficiency_members = [&parts](Members& in) {
        in("parallel", parts.parallel);
        in("load_balance", parts.load_balance);
        in("communication", parts.communication);
    };
    at.inside("efficiency", efficiency_members, known.has_value());
    at.shown("lines", lines_of(report));
    std::vector<GraphGroup> groups = grouped(report);
    at.list("groups", groups);
}

static void fields(Members& at, Report& report)
{
    int schema = at.reads() ? 0 : 1;
    at("schema", schema);
    if (schema != 1)
        throw std::invalid_argument("this is no Hopscotch report of schema 1");
    if (!at.in_message()) {
        fields(at, report.job);
    } else {
        at("shares_cores", report.job.shares_cores);
        at("copied_twice", report.job.copied_twice, !report.job.copied_twice.empty());
    }
    at("processes", report.processes);
    at("hosts", report.hosts);
    std::vector<GraphSummary> graphs;
    std::uint64_t id = first_id(report);
    for (const auto& [key, graph] : report.graphs) {
        graphs.push_back(graph);
        graphs.back().key = at.in_message() ? key : id++;
    }
    at.list("graphs", graphs);
    totals_member(at, report);
    process_member(at, "earliest", report.earliest);
    process_member(at, "slowest", report.slowest);
    if (!at.in_message() && !at.reads())
        conclusion_members(at, report);
    if (at.reads())
        for (GraphSummary& graph : graphs)
            report.graphs.insert_or_assign(graph.key, std::move(graph));
}

static Json written(Form form, Report report)
{
    return Members::written(form, [&report](Members& at) { fields(at, report); });
}

static Report read(Form form, const Json& values)
{
    Report report;
    Members::read(form, values, [&report](Members& at) { fields(at, report); });
    return report;
}

// ---- texts and bytes

/// The document may contain anything.
static void make_sound(Report& report)
{
    for (auto& [key, graph] : report.graphs) {
        graph.graphs = std::max<std::uint64_t>(graph.graphs, 1);
        for (int& size : graph.dims)
            size = std::max(size, 1);
        graph.periodic.resize(graph.dims.size());
        if (graph.wraps.empty())
            graph.wraps = graph.periodic; // for a version that did not distinguish them
        graph.wraps.resize(graph.dims.size());
    }
}

std::string serialize(const Report& report)
{
    std::string bytes;
    Json::to_cbor(Json{message_mark, message_version, written(Form::message, report)}, bytes);
    return bytes;
}

Report parse_report(std::string_view bytes)
{
    try {
        const Json message = Json::from_cbor(bytes.begin(), bytes.end());
        if (message.at(0) != message_mark || message.at(1) != message_version)
            throw std::invalid_argument("these bytes are no report of another process, or of another version");
        return read(Form::message, message.at(2));
    } catch (const Json::exception& error) {
        throw std::invalid_argument(std::string("a damaged report of another process: ") + error.what());
    }
}

std::string json_report(const Report& report)
{
    // The text has no character that a terminal would obey; bytes that are not UTF-8 become U+FFFD, and numbers that
    // are not finite become null.
    return written(Form::report, report).dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

Report read_report(const std::string& json)
{
    try {
        Report report = read(Form::report, Json::parse(json));
        make_sound(report);
        return report;
    } catch (const Json::exception&) {
        throw std::invalid_argument("no JSON report of Hopscotch, or one with a member of another type");
    }
}

} // namespace hopscotch::shim
