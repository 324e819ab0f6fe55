// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Rules and roundings of the report; the texts that are the same in every format are made here.
#include "shim/report/summary.hpp"

#include "schedules/selection/reasons.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// Everything two graphs must share to be shown as one. Requires: the graph stays in its place.
auto group_key(const GraphSummary& graph)
{
    std::vector<OperationKey> operations;
    for (const auto& [key, operation] : graph.operations)
        operations.push_back(key);
    return std::make_tuple(graph.key == 0, appearance(graph), operations);
}

void add_operations(Totals& sum, const GraphSummary& graph)
{
    for (const auto& [key, operation] : graph.operations) {
        for (const CounterField& field : counter_fields)
            sum.*field.value += operation.*field.value;
        (key.algorithm == "native" ? sum.native : sum.accelerated) += operation.calls;
    }
}

/// With one blank between them, and without those that lead to a version number.
std::string words_of(const std::string& line)
{
    std::istringstream words(line);
    std::string text;
    for (std::string word; words >> word;)
        if (word != "Version" && word != "Version:" && word != ":")
            text += (text.empty() ? "" : " ") + word;
    return text;
}

} // namespace

Totals totals(const Report& report)
{
    Totals sum;
    for (const auto& [key, graph] : report.graphs)
        add_operations(sum, graph);
    return sum;
}

Totals totals(const GraphSummary& graph)
{
    Totals sum;
    add_operations(sum, graph);
    return sum;
}

double seconds_of_native(const GraphSummary& graph)
{
    double seconds = 0.0;
    for (const auto& [key, operation] : graph.operations)
        seconds += key.algorithm == "native" ? operation.seconds.total() : 0.0;
    return seconds;
}

double seconds_per_call(const OperationSummary& operation)
{
    const auto calls = static_cast<double>(operation.process_calls);
    return calls > 0.0 ? operation.seconds.total() / calls : 0.0;
}

double GraphGroup::seconds() const
{
    double seconds = 0.0;
    for (const auto& [key, operation] : sum.operations)
        seconds += operation.seconds.total();
    return seconds;
}

std::uint64_t first_id(const Report& report)
{
    return report.graphs.count(0) > 0 ? 0 : 1;
}

std::vector<GraphGroup> grouped(const Report& report)
{
    std::vector<GraphGroup> groups;
    std::map<decltype(group_key(std::declval<const GraphSummary&>())), std::size_t> group_of;
    std::uint64_t id = first_id(report);
    for (const auto& [key, graph] : report.graphs) {
        const auto [found, is_new] = group_of.emplace(group_key(graph), groups.size());
        if (is_new)
            groups.push_back({{}, graph});
        else
            fold(groups[found->second].sum, graph);
        groups[found->second].ids.push_back(id++);
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GraphGroup& a, const GraphGroup& b) { return a.seconds() > b.seconds(); });
    return groups;
}

std::optional<Efficiency> efficiency(const Report& report)
{
    const double run = report.job.elapsed_seconds;
    const double most = run - report.seconds.min;
    const double mean = std::max(run - report.seconds.mean, 0.0);
    if (!report.job.partial.empty() || report.seconds.count == 0 || !std::isfinite(run) || !(most > 0.0))
        return std::nullopt;
    return Efficiency{mean / run, mean / most, most / run};
}

std::vector<ReasonCount> reasons(const Report& report)
{
    std::map<std::string, std::uint64_t> calls;
    for (const auto& [key, graph] : report.graphs) {
        for (const auto& [operation, numbers] : graph.operations) {
            if (operation.algorithm == "native")
                calls[operation.reason.empty() ? std::string(text_of(schedules::reason::not_recorded))
                                               : operation.reason] += numbers.calls;
        }
    }
    std::vector<ReasonCount> sorted;
    for (const auto& [reason, number] : calls)
        sorted.push_back({reason, number});
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const ReasonCount& a, const ReasonCount& b) { return a.calls > b.calls; });
    return sorted;
}

std::string setting(const Report& report, const std::string& name)
{
    for (const auto& [other, value] : report.job.settings) {
        if (name == other)
            return value;
    }
    return "";
}

std::vector<SiteEntry> sites_by_time(const OperationSummary& operation)
{
    std::vector<SiteEntry> sorted(operation.sites.begin(), operation.sites.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const SiteEntry& a, const SiteEntry& b) {
        return a.second.seconds.total() > b.second.seconds.total();
    });
    return sorted;
}

std::string short_library(const std::string& mpi_library)
{
    std::istringstream lines(mpi_library);
    std::string name;
    std::getline(lines, name);
    name = words_of(name.substr(0, name.find(',')));
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t colon = line.find(':'); line.find(" Device") < colon)
            return name + ", " + words_of(line.substr(colon + 1));
    return name;
}

std::string duration_text(double seconds)
{
    const double size = std::abs(seconds);
    if (!(size > 0.0)) // not a number included
        return "0 s";
    if (size < 0.9995e-3)
        return three_digits(seconds * 1e6) + " us";
    if (size < 0.9995)
        return three_digits(seconds * 1e3) + " ms";
    return three_digits(seconds) + " s";
}

std::string bytes_text(std::uint64_t bytes)
{
    if (bytes < 1024)
        return std::to_string(bytes) + " B";
    auto size = static_cast<double>(bytes);
    const char* unit = "";
    for (const char* const next : {"KiB", "MiB", "GiB", "TiB", "PiB"}) {
        if (size < 1024.0)
            break;
        size /= 1024.0;
        unit = next;
    }
    return three_digits(size) + " " + unit;
}

std::string three_digits(double value)
{
    int decimals = 2;
    for (double limit = 9.995; decimals > 0 && std::abs(value) >= limit; limit *= 10.0)
        --decimals;
    char digits[64];
    const std::to_chars_result result =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals);
    return result.ec == std::errc{} ? std::string(digits, result.ptr) : "?";
}

std::string percent_text(double part, double whole)
{
    return whole > 0.0 ? three_digits(100.0 * part / whole) + " %" : "-";
}

} // namespace hopscotch::shim
