// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The members of the JSON report in the order docs/usage.md lists them.
#include "scripts/read_report.hpp"

#include "scripts/json_value.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hopscotch::tool
{

namespace
{

shim::Spread spread(const JsonValue& value, std::uint64_t count)
{
    return shim::Spread::of(count, value["mean"].number(), value["min"].number(), value["max"].number(),
                            value["variation"].number());
}

/// How many values a spread is of; `otherwise` where all of them are zero.
std::uint64_t values_of(const JsonValue& value, std::uint64_t otherwise)
{
    const double mean = value["mean"].number();
    return mean > 0.0 ? static_cast<std::uint64_t>(std::llround(value["total"].number() / mean)) : otherwise;
}

shim::CallSite call_site(const JsonValue& value)
{
    shim::CallSite place;
    for (const JsonValue& function : value.elements())
        place.push_back(function.text());
    return place;
}

shim::OperationSummary operation(const JsonValue& value)
{
    shim::OperationSummary sum;
    sum.calls = value["calls"].count();
    sum.failed = value["failed"].count();
    sum.compared = value["compared"].count();
    sum.bytes = value["bytes"].count();
    sum.bytes_saved = value["bytes_saved"].count();
    sum.messages = value["messages"].count();
    sum.messages_trivial = value["messages_trivial"].count();
    sum.seconds = spread(value["time_s"], value["ranks"].count());
    for (const JsonValue& site : value["call_sites"].elements())
        sum.sites[call_site(site["call_site"])] = {site["calls"].count(),
                                                   spread(site["time_s"], site["ranks"].count())};
    return sum;
}

shim::GraphSummary graph(const JsonValue& value)
{
    shim::GraphSummary sum;
    sum.key = value["id"].count();
    sum.created_by = value["created_by"].text();
    sum.graphs = std::max<std::uint64_t>(value["graphs"].count(), 1);
    sum.call_site = call_site(value["call_site"]);
    sum.ranks = value["ranks"].integer();
    sum.out_degree_min = value["neighbors"]["min"].integer();
    sum.out_degree_max = value["neighbors"]["max"].integer();
    sum.isomorphic = value["isomorphic"].boolean();
    sum.declined = value["declined"].text();
    for (const JsonValue& size : value["grid"]["dims"].elements())
        sum.dims.push_back(std::max(size.integer(), 1));
    for (const JsonValue& periodic : value["grid"]["periodic"].elements())
        sum.periodic.push_back(periodic.boolean());
    sum.periodic.resize(sum.dims.size());
    sum.found = value["grid"]["found"].text();
    sum.stencil_name = value["stencil"]["name"].text();
    sum.stencil_radius = value["stencil"]["radius"].integer();
    sum.stencil_neighbors = value["stencil"]["neighbors"].integer();
    for (const JsonValue& offset : value["stencil"]["offsets"].elements())
        for (const JsonValue& shift : offset.elements())
            sum.offsets.push_back(shift.integer());
    sum.rounds = value["rounds"].integer();
    sum.volume = value["volume"].integer();
    sum.setup_seconds = spread(value["setup_s"], values_of(value["setup_s"], static_cast<std::uint64_t>(sum.ranks)));
    for (const JsonValue& trial : value["trials"].elements())
        sum.trials.push_back({trial["function"].text(), trial["block_bytes_most"].count(), trial["algorithm"].text(),
                              trial["time_s"].number(), trial["chosen"].boolean()});
    for (const JsonValue& each : value["operations"].elements())
        sum.operations[{each["function"].text(), each["algorithm"].text(), each["reason"].text()}] = operation(each);
    return sum;
}

} // namespace

shim::Report read_report(const std::string& json)
{
    const JsonValue value = JsonValue::parse(json);
    if (value["schema"].integer() != 1)
        throw std::invalid_argument("this is no Hopscotch report of schema 1");
    shim::Report report;
    report.job.version = value["version"].text();
    report.job.mpi_library = value["mpi_library"].text();
    report.job.ranks = value["ranks"].integer();
    report.job.nodes = value["nodes"].integer();
    report.job.elapsed_seconds = value["elapsed_s"].number();
    report.job.command = value["command"].text();
    for (const auto& [name, setting] : value["settings"].members())
        report.job.settings.emplace_back(name, setting.text());
    report.job.enabled = value["enabled"].kind() != JsonValue::Kind::boolean || value["enabled"].boolean();
    report.job.partial = value["partial"].text();
    report.job.stood_down = value["stood_down"].text();
    report.processes = value["processes"].count();
    const JsonValue& totals = value["totals"];
    report.seconds = spread(totals["time_by_rank_s"], report.processes);
    report.setup_seconds = spread(totals["setup_by_rank_s"], report.processes);
    for (const JsonValue& each : value["graphs"].elements()) {
        shim::GraphSummary sum = graph(each);
        report.graphs.insert_or_assign(sum.key, std::move(sum));
    }
    return report;
}

} // namespace hopscotch::tool
