// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The report as one page that loads nothing: the numbers the other formats have, as tables, charts and drawings.
#include "shim/report/report.hpp"

#include "shim/base/settings.hpp"
#include "shim/report/html_charts.hpp"
#include "shim/report/html_drawings.hpp"
#include "shim/report/html_style.hpp"
#include "shim/report/summary.hpp"
#include "shim/report/svg.hpp"

#include <algorithm>
#include <stdexcept>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t graphs_drawn = 20;

std::string item(const std::string& name, const std::string& text)
{
    return text.empty() ? "" : "<dt>" + name + "</dt><dd>" + escaped(text) + "</dd>\n";
}

std::string cell(const std::string& text)
{
    return "<td>" + escaped(text) + "</td>";
}

std::string times(const Spread& spread)
{
    return cell(duration_text(spread.total())) + cell(duration_text(spread.mean())) +
           cell(duration_text(spread.min())) + cell(duration_text(spread.max())) + cell(ratio_text(spread.variation()));
}

std::string tile(const std::string& number, const std::string& text)
{
    return "<div class=\"tile\"><b>" + escaped(number) + "</b><span>" + escaped(text) + "</span></div>\n";
}

std::string spread_text(const Spread& spread)
{
    return duration_text(spread.total()) + " over all ranks; per rank mean " + duration_text(spread.mean()) + ", min " +
           duration_text(spread.min()) + ", max " + duration_text(spread.max());
}

std::string tiles(const Report& report)
{
    const Totals sum = totals(report);
    if (sum.calls == 0)
        return "";
    const auto messages = static_cast<double>(sum.messages);
    const auto messages_trivial = static_cast<double>(sum.messages_trivial);
    return "<div class=\"tiles\">\n" +
           tile(std::to_string(sum.accelerated) + " of " + std::to_string(sum.calls), "calls accelerated") +
           tile(percent_text(messages, messages_trivial), "of the messages one per neighbor would be") +
           tile(percent_text(report.seconds.mean(), report.job.elapsed_seconds), "of the run in these calls") +
           tile(duration_text(report.setup_seconds.mean()), "set-up per rank") + "</div>\n";
}

std::string head(const Report& report)
{
    const JobRecord& job = report.job;
    const Totals sum = totals(report);
    const std::string nodes =
        job.nodes > 0 ? " on " + std::to_string(job.nodes) + (job.nodes == 1 ? " node" : " nodes") : ""; // not known
    return "<h1>Hopscotch report</h1>\n<p class=\"command\">" + escaped(job.command) + "</p>\n" + tiles(report) +
           "<dl>\n" +
           item("Job", std::to_string(job.ranks) + (job.ranks == 1 ? " rank" : " ranks") + nodes + ", " +
                           duration_text(job.elapsed_seconds)) +
           item("Version", job.version) + item("MPI library", short_library(job.mpi_library)) +
           item("Settings", settings_text(job)) + item("Stood down", job.stood_down) + item("Partial", job.partial) +
           item("Calls", std::to_string(sum.calls) + ": " + std::to_string(sum.accelerated) + " accelerated, " +
                             std::to_string(sum.native) + " native, " + std::to_string(sum.failed) + " failed") +
           item("Compared", comparison(report)) +
           item("Messages", std::to_string(sum.messages) + " instead of " + std::to_string(sum.messages_trivial) +
                                ", one per neighbor") +
           item("Sent", bytes_text(sum.bytes)) + item("Time in calls", spread_text(report.seconds)) +
           item("Set-up", spread_text(report.setup_seconds)) + "</dl>\n";
}

std::string titled(const char* title, const std::string& drawing)
{
    return drawing.empty() ? "" : std::string("<div class=\"drawing\"><h3>") + title + "</h3>" + drawing + "</div>\n";
}

std::string overview(const std::vector<GraphGroup>& groups)
{
    const std::string time = time_chart(groups);
    if (time.empty())
        return "";
    const auto called = static_cast<std::size_t>(std::count_if(
        groups.begin(), groups.end(), [](const GraphGroup& group) { return !group.sum.operations.empty(); }));
    const std::string which = called <= bars_shown
                                  ? ""
                                  : "<p>The " + std::to_string(bars_shown) + " kinds of graphs with most time, of " +
                                        std::to_string(called) + ".</p>\n";
    return "<h2>Graphs</h2>\n" + which + titled("Time in calls, summed over ranks", time) +
           titled("Messages", message_chart(groups)) +
           "<p class=\"key\"><i class=\"sent\" style=\"background: var(--accent)\"></i>by Hopscotch"
           "<i style=\"background: var(--gray)\"></i>native, or what one message per neighbor would be</p>\n";
}

/// Empty where something cannot be drawn: the numbers are the report, drawings are not worth losing it.
std::string pictures(const GraphSummary& graph)
{
    if (!graph.isomorphic)
        return "";
    try {
        return "<div class=\"pictures\">\n" + titled("Process grid", grid_drawing(graph)) +
               titled("Stencil, stronger color: fewer hops", stencil_drawing(graph)) +
               titled("Combining alltoall, blocks per message", schedule_drawing(graph)) +
               titled("Predicted time of one alltoall (1.5 us per message, 10 GB/s)", cutoff_chart(graph)) + "</div>\n";
    } catch (const std::exception&) {
        return "";
    }
}

std::string sites(const OperationSummary& operation)
{
    std::string text;
    for (const auto& [place, site] : sites_by_time(operation)) {
        std::string chain;
        for (const std::string& function : *place)
            chain += (chain.empty() ? "" : " < ") + function;
        text += "<tr><td class=\"site\" colspan=\"2\">called in " +
                escaped(chain.empty() ? "a place that could not be found" : chain) + "</td>" +
                cell(std::to_string(site->calls)) + "<td colspan=\"4\"></td>" + times(site->seconds) + "</tr>\n";
    }
    return text;
}

std::string graph_section(const GraphGroup& group, bool drawn)
{
    const GraphSummary& graph = group.sum;
    std::string text = "<h2>";
    if (graph.key == 0) {
        text += "Other communicators</h2>\n<dl>\n";
    } else {
        const std::string degrees =
            graph.out_degree_min == graph.out_degree_max
                ? std::to_string(graph.out_degree_max)
                : std::to_string(graph.out_degree_min) + " to " + std::to_string(graph.out_degree_max);
        text += std::string(group.ids.size() == 1 ? "Graph " : "Graphs ") + numbers(group) + "</h2>\n<dl>\n" +
                item("Created by", graph.created_by) + item("Ranks", std::to_string(graph.ranks)) +
                item("Neighbors", degrees);
        if (graph.graphs > 1)
            text += item("Graphs like this",
                         std::to_string(graph.graphs) + "; calls, bytes, messages and times are their sums");
        std::string call_site;
        for (const std::string& frame : graph.call_site)
            call_site += (call_site.empty() ? "" : " < ") + frame;
        text += item("Created in", call_site);
        if (!graph.dims.empty())
            text += item("Process grid", to_string(ProcessGrid{graph.dims, graph.periodic}) + " (" + graph.found + ")");
        if (graph.isomorphic)
            text += item("Stencil", stencil_text(graph));
    }
    text += item("Declined", graph.declined) + item("Set-up", spread_text(graph.setup_seconds)) + "</dl>\n";
    if (graph.operations.empty())
        return text + "<p>No neighborhood collective was called on it.</p>\n";
    if (drawn)
        text += pictures(graph);
    text += "<div "
            "class=\"table\"><table>\n<tr><th>Function</th><th>Algorithm</th><th>Calls</th><th>Failed</th><th>Sent</th>"
            "<th>Messages</th><th>One per neighbor</th><th>Time, total</th><th>Mean</th><th>Min</th><th>Max</th>"
            "<th>Variation</th></tr>\n";
    for (const auto& [key, operation] : graph.operations) {
        text += "<tr>" + cell(key.function) + cell(key.algorithm) + cell(std::to_string(operation.calls)) +
                cell(std::to_string(operation.failed)) + cell(bytes_text(operation.bytes)) +
                cell(std::to_string(operation.messages)) + cell(std::to_string(operation.messages_trivial)) +
                times(operation.seconds) + "</tr>\n";
        if (!key.reason.empty())
            text += "<tr><td></td><td class=\"reason\" colspan=\"11\">" + escaped(key.reason) + "</td></tr>\n";
        if (operation.bytes_saved > 0)
            text += "<tr><td></td><td class=\"reason\" colspan=\"11\">Saved " + saved_text(operation) + "</td></tr>\n";
        text += sites(operation);
    }
    text += "</table></div>\n";
    if (graph.trials.empty())
        return text;
    text += titled("Measured before choosing, time per call of the slowest rank", trials_chart(graph));
    text += "<div class=\"table\"><table>\n<tr><th>Measured</th><th>Algorithm</th><th>Blocks up to</th><th>Time per "
            "call</th>"
            "<th>Chosen</th></tr>\n";
    for (const TrialRecord& trial : graph.trials) {
        text += "<tr>" + cell(trial.function) + cell(trial.algorithm) +
                cell(trial.block_bytes_most > 0 ? bytes_text(trial.block_bytes_most) : "any size") +
                cell(duration_text(trial.seconds)) + cell(trial.chosen ? "yes" : "") + "</tr>\n";
    }
    return text + "</table></div>\n";
}

std::string reason_section(const Report& report)
{
    const std::vector<ReasonCount> why = reasons(report);
    if (why.empty())
        return "";
    std::string text = "<h2>Not accelerated</h2>\n<dl>\n";
    for (const ReasonCount& reason : why)
        text += item(std::to_string(reason.calls) + (reason.calls == 1 ? " call" : " calls"), reason.reason);
    return text + "</dl>\n";
}

} // namespace

std::string html_report(const Report& report)
{
    const std::vector<GraphGroup> groups = grouped(report);
    std::string text = page_start + head(report) + reason_section(report) + overview(groups);
    std::size_t shown = 0;
    for (const GraphGroup& group : groups)
        text += graph_section(group, shown++ < graphs_drawn);
    return text + "<p class=\"next\"><strong>What to try next:</strong> " + escaped(next_step(report)) +
           "</p>\n</body>\n</html>\n";
}

} // namespace hopscotch::shim
