// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One list of the members of every record serves all: the JSON report and messages between processes, writing and
// reading. A report has its members by name, a message (CBOR, RFC 8949) by their order.
#include "shim/report/document.hpp"

#include "shim/base/harmless.hpp"
#include "shim/report/report.hpp"
#include "shim/report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace hopscotch::shim
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* message_mark = "HOPS";
constexpr int message_version = 5;
constexpr std::size_t columns = 160; // objects and lists that are longer get a line for each of their values

enum class Form { report, message };

/// Where the members of one record go, or come from.
class Members
{
  public:
    explicit Members(Form form) : form_(form), values_(form == Form::report ? Json::object() : Json::array()) {}
    Members(Form form, const Json& values) : form_(form), source_(&values) {}

    bool reads() const noexcept { return source_ != nullptr; }
    bool in_message() const noexcept { return form_ == Form::message; }

    /// A number, a text or a list of them. What is not there is null in a report.
    template <typename Value>
    void operator()(const char* name, Value& value, bool is_there = true)
    {
        if (!reads())
            put(name, is_there || in_message() ? Json(value) : Json());
        else if (const Json& found = next(name); !found.is_null())
            found.get_to(value);
    }

    /// Anything that has fields().
    template <typename Record>
    void record(const char* name, Record& record, bool is_there = true)
    {
        if (!reads())
            put(name, is_there || in_message() ? written(form_, record) : Json());
        else if (const Json& found = next(name); !found.is_null())
            read(form_, found, record);
    }

    template <typename Record>
    void list(const char* name, std::vector<Record>& records)
    {
        if (reads()) {
            for (const Json& each : next(name))
                read(form_, each, records.emplace_back());
            return;
        }
        Json all = Json::array();
        for (Record& each : records)
            all.push_back(written(form_, each));
        put(name, std::move(all));
    }

    template <typename Record>
    static Json written(Form form, Record& record)
    {
        Members members(form);
        fields(members, record);
        return std::move(members.values_);
    }

    template <typename Record>
    static void read(Form form, const Json& values, Record& record)
    {
        Members members(form, values);
        fields(members, record);
        if (form == Form::message && members.position_ != values.size())
            throw std::invalid_argument("a record has more members than are known");
    }

  private:
    void put(const char* name, Json value)
    {
        if (in_message())
            values_.push_back(std::move(value));
        else
            values_[name] = std::move(value);
    }
    /// Reports of other versions may lack members; messages come from processes of the same version.
    const Json& next(const char* name)
    {
        static const Json& nothing = *new Json; // never destroyed
        if (in_message())
            return source_->at(position_++);
        const auto found = source_->find(name);
        return found == source_->end() ? nothing : *found;
    }

    Form form_;
    const Json* source_ = nullptr; // null: the record is written
    Json values_;
    std::size_t position_ = 0;
};

// ---- the members of every record

struct SpreadMembers {
    std::uint64_t count;
    double total, mean, max, min, variation, squares;
};

void fields(Members& at, SpreadMembers& spread)
{
    if (at.in_message()) {
        at("count", spread.count);
        at("squares", spread.squares);
    } else {
        at("total", spread.total);
        at("variation", spread.variation);
    }
    at("mean", spread.mean);
    at("max", spread.max);
    at("min", spread.min);
}

/// `zeros`: how many values there are if all of them are zero; a report does not say it here.
void spread_member(Members& at, const char* name, Spread& spread, std::uint64_t zeros)
{
    SpreadMembers known{spread.count(), spread.total(),     spread.mean(),   spread.max(),
                        spread.min(),   spread.variation(), spread.squares()};
    at.record(name, known);
    if (!at.reads())
        return;
    if (at.in_message()) {
        spread = Spread::of(known.count, known.mean, known.min, known.max, known.squares);
        return;
    }
    const std::uint64_t count =
        known.mean > 0.0 ? static_cast<std::uint64_t>(std::llround(known.total / known.mean)) : zeros;
    spread = Spread::said(count, known.mean, known.min, known.max, known.variation);
}

/// How many processes took part, and their times.
void time_members(Members& at, Spread& seconds)
{
    std::uint64_t ranks = seconds.count();
    at("ranks", ranks);
    spread_member(at, "time_s", seconds, ranks);
}

struct SiteRecord {
    CallSite place;
    SiteSummary sum;
};

void fields(Members& at, SiteRecord& site)
{
    at("call_site", site.place);
    at("calls", site.sum.calls);
    time_members(at, site.sum.seconds);
}

struct OperationRecord {
    OperationKey key;
    OperationSummary sum;
};

void fields(Members& at, OperationRecord& operation)
{
    at("function", operation.key.function);
    at("algorithm", operation.key.algorithm);
    at("reason", operation.key.reason, !operation.key.reason.empty());
    for (const CounterField& counter : counter_fields)
        at(counter.name, operation.sum.*counter.value);
    time_members(at, operation.sum.seconds);
    std::vector<SiteRecord> sites;
    for (const auto& [place, sum] : sites_by_time(operation.sum))
        sites.push_back({*place, *sum});
    at.list("call_sites", sites);
    for (SiteRecord& site : sites)
        operation.sum.sites[std::move(site.place)] = site.sum;
}

void fields(Members& at, TrialRecord& trial)
{
    at("function", trial.function);
    at("block_bytes_most", trial.block_bytes_most);
    at("algorithm", trial.algorithm);
    at("time_s", trial.seconds);
    at("chosen", trial.chosen);
}

struct Neighbors {
    GraphDescription& graph;
};

void fields(Members& at, Neighbors& of)
{
    at("min", of.graph.out_degree_min);
    at("max", of.graph.out_degree_max);
}

struct GridOf {
    GraphDescription& graph;
};

void fields(Members& at, GridOf& of)
{
    at("dims", of.graph.dims);
    at("periodic", of.graph.periodic);
    at("found", of.graph.found, !of.graph.found.empty());
}

struct StencilOf {
    GraphDescription& graph;
};

void fields(Members& at, StencilOf& of)
{
    at("name", of.graph.stencil_name);
    at("radius", of.graph.stencil_radius);
    at("neighbors", of.graph.stencil_neighbors);
    std::vector<std::vector<int>> offsets;
    const auto dimensions = static_cast<std::ptrdiff_t>(of.graph.dims.size());
    std::vector<int>& shifts = of.graph.offsets;
    for (auto next = shifts.begin(); dimensions > 0 && shifts.end() - next >= dimensions; next += dimensions)
        offsets.emplace_back(next, next + dimensions);
    at("offsets", offsets, !offsets.empty());
    if (at.reads())
        for (const std::vector<int>& offset : offsets)
            shifts.insert(shifts.end(), offset.begin(), offset.end());
}

void fields(Members& at, GraphSummary& graph)
{
    at("id", graph.key);
    at("created_by", graph.created_by);
    at("call_site", graph.call_site);
    at("ranks", graph.ranks);
    Neighbors neighbors{graph};
    at.record("neighbors", neighbors);
    at("isomorphic", graph.isomorphic);
    at("declined", graph.declined, !graph.declined.empty());
    GridOf grid{graph};
    at.record("grid", grid, !graph.dims.empty());
    StencilOf stencil{graph};
    at.record("stencil", stencil, graph.isomorphic);
    at("rounds", graph.rounds, graph.isomorphic);
    at("volume", graph.volume, graph.isomorphic);
    std::vector<OperationRecord> operations;
    for (const auto& [key, sum] : graph.operations)
        operations.push_back({key, sum});
    at.list("operations", operations);
    for (OperationRecord& operation : operations)
        graph.operations[operation.key] = std::move(operation.sum);
    at("graphs", graph.graphs);
    spread_member(at, "setup_s", graph.setup_seconds, static_cast<std::uint64_t>(std::max(graph.ranks, 0)));
    at.list("trials", graph.trials);
}

struct TotalsOf {
    Report& report;
    Totals sum;
};

void fields(Members& at, TotalsOf& of)
{
    for (const CounterField& counter : counter_fields)
        at(counter.name, of.sum.*counter.value);
    at("accelerated", of.sum.accelerated);
    at("native", of.sum.native);
    double seconds = of.report.seconds.total();
    double setup_seconds = of.report.setup_seconds.total();
    at("time_s", seconds);
    at("setup_s", setup_seconds);
    spread_member(at, "time_by_rank_s", of.report.seconds, of.report.processes);
    spread_member(at, "setup_by_rank_s", of.report.setup_seconds, of.report.processes);
}

void fields(Members& at, JobRecord& job)
{
    at("version", job.version);
    job.mpi_library = short_library(job.mpi_library);
    at("mpi_library", job.mpi_library);
    at("command", job.command);
    at("ranks", job.ranks);
    at("nodes", job.nodes);
    at("elapsed_s", job.elapsed_seconds);
    at("enabled", job.enabled);
    at("partial", job.partial, !job.partial.empty());
    at("stood_down", job.stood_down, !job.stood_down.empty());
    Json settings = Json::object();
    for (const auto& [name, value] : job.settings)
        settings[name] = value;
    at("settings", settings);
    job.settings.clear();
    for (const auto& [name, value] : settings.items())
        job.settings.emplace_back(name, value.get<std::string>());
}

void fields(Members& at, Report& report)
{
    int schema = at.reads() ? 0 : 1;
    at("schema", schema);
    if (schema != 1)
        throw std::invalid_argument("this is no Hopscotch report of schema 1");
    if (!at.in_message())
        fields(at, report.job);
    at("processes", report.processes);
    std::vector<GraphSummary> graphs;
    const std::vector<std::uint64_t> ids = graph_ids(report);
    for (const auto& [key, graph] : report.graphs) {
        graphs.push_back(graph);
        graphs.back().key = at.in_message() ? key : ids[graphs.size() - 1];
    }
    at.list("graphs", graphs);
    TotalsOf sums{report, totals(report)};
    at.record("totals", sums);
    if (!at.in_message()) {
        std::string step = at.reads() ? "" : next_step(report);
        at("next_step", step);
    }
    if (at.reads())
        for (GraphSummary& graph : graphs)
            report.graphs.insert_or_assign(graph.key, std::move(graph));
}

// ---- texts and bytes

/// What is read may be of any kind and size.
void make_sound(Report& report)
{
    for (auto& [key, graph] : report.graphs) {
        graph.graphs = std::max<std::uint64_t>(graph.graphs, 1);
        for (int& size : graph.dims)
            size = std::max(size, 1);
        graph.periodic.resize(graph.dims.size());
    }
}

/// The same text in UTF-8, as harmless() would have it but for control characters.
std::string valid(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        result += length == 0 ? "\xef\xbf\xbd" : std::string(text.substr(0, length));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

void make_valid(Json& value)
{
    if (value.is_string())
        value = valid(value.get_ref<const std::string&>());
    else if (value.is_structured())
        for (Json& each : value)
            make_valid(each);
}

/// Without a character that a terminal would obey; numbers that are not finite are null.
std::string one_line(const Json& value)
{
    return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string lines(const Json& value, std::size_t indent)
{
    std::string line = one_line(value);
    if (!value.is_structured() || line.size() + indent <= columns)
        return line;
    std::string text;
    for (const auto& [name, each] : value.items())
        text += (text.empty() ? "" : ",") + ("\n" + std::string(indent + 2, ' ')) +
                (value.is_object() ? one_line(name) + ": " : "") + lines(each, indent + 2);
    return line.front() + text + "\n" + std::string(indent, ' ') + line.back();
}

} // namespace

std::string serialize(const Report& report)
{
    Report copy = report;
    std::string bytes;
    Json::to_cbor(Json{message_mark, message_version, Members::written(Form::message, copy)}, bytes);
    return bytes;
}

Report parse_report(std::string_view bytes)
{
    try {
        const Json message = Json::from_cbor(bytes.begin(), bytes.end());
        if (message.at(0) != message_mark || message.at(1) != message_version)
            throw std::invalid_argument("these bytes are no report of another process, or of another version");
        Report report;
        Members::read(Form::message, message.at(2), report);
        return report;
    } catch (const Json::exception& error) {
        throw std::invalid_argument(std::string("a damaged report of another process: ") + error.what());
    }
}

std::string json_report(const Report& report)
{
    Report copy = report;
    Json document = Members::written(Form::report, copy);
    make_valid(document);
    return lines(document, 0) + "\n";
}

Report read_report(const std::string& json)
{
    try {
        Report report;
        Members::read(Form::report, Json::parse(json), report);
        make_sound(report);
        return report;
    } catch (const Json::exception& error) {
        throw std::invalid_argument(std::string("not a report: ") + error.what());
    }
}

} // namespace hopscotch::shim
