// The report as one page that loads nothing: tables of the numbers the other formats have.
#include "shim/report.hpp"

#include "shim/settings.hpp"
#include "shim/summary.hpp"

namespace hopscotch::shim
{

namespace
{

const char* const page_start = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hopscotch report</title>
<style>
:root { --ink: #1c2024; --faint: #60666d; --paper: #ffffff; --line: #d9dde2; --band: #f4f6f8; --accent: #0b6e4f; --warn: #9a5b00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7eaee; --faint: #9aa2ab; --paper: #15181c; --line: #343a41; --band: #1d2126; --accent: #4fc79b; --warn: #e0a548; }
}
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
       font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.table { overflow-x: auto; margin-top: .8rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--faint); font-weight: 500; background: var(--band); }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
td.reason { text-align: left; white-space: normal; color: var(--warn); }
code { font: .92em ui-monospace, monospace; }
.next { margin-top: 2rem; padding: .8rem 1rem; border-left: 4px solid var(--accent); background: var(--band); }
</style>
</head>
<body>
)";

std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

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

std::string head(const Report& report)
{
    const JobRecord& job = report.job;
    const Totals sum = totals(report);
    std::string settings;
    for (const auto& [name, value] : job.settings)
        settings += (settings.empty() ? "" : " ") + name + "=" + value;
    return "<h1>Hopscotch report</h1>\n<dl>\n" + item("Command", job.command) +
           item("Job", std::to_string(job.ranks) + " ranks on " + std::to_string(job.nodes) + " nodes, " +
                           duration_text(job.elapsed_seconds)) +
           item("Version", job.version) + item("MPI library", short_library(job.mpi_library)) +
           item("Settings", settings.empty() ? "all default" : settings) + item("Stood down", job.stood_down) +
           item("Partial", job.partial) +
           item("Calls", std::to_string(sum.calls) + ": " + std::to_string(sum.accelerated) + " accelerated, " +
                             std::to_string(sum.native) + " native, " + std::to_string(sum.failed) + " failed") +
           item("Messages", std::to_string(sum.messages) + " instead of " + std::to_string(sum.messages_trivial) +
                                ", one per neighbor") +
           item("Time in calls", duration_text(report.seconds.mean()) + " per rank, " +
                                     duration_text(report.seconds.max()) + " at most") +
           item("Set-up", duration_text(report.setup_seconds.mean()) + " per rank, " +
                              duration_text(report.setup_seconds.max()) + " at most") +
           "</dl>\n";
}

std::string graph_section(const GraphGroup& group)
{
    const GraphSummary& graph = group.sum;
    std::string text = "<h2>";
    if (graph.key == 0) {
        text += "Other communicators</h2>\n<dl>\n";
    } else {
        std::string ids;
        for (const std::uint64_t id : group.ids)
            ids += (ids.empty() ? "" : ", ") + std::to_string(id);
        const std::string degrees =
            graph.out_degree_min == graph.out_degree_max
                ? std::to_string(graph.out_degree_max)
                : std::to_string(graph.out_degree_min) + " to " + std::to_string(graph.out_degree_max);
        text += std::string(group.ids.size() == 1 ? "Graph " : "Graphs ") + ids + "</h2>\n<dl>\n" +
                item("Created by", graph.created_by) + item("Ranks", std::to_string(graph.ranks)) +
                item("Neighbors", degrees);
        std::string call_site;
        for (const std::string& frame : graph.call_site)
            call_site += (call_site.empty() ? "" : " < ") + frame;
        text += item("Created in", call_site);
        if (!graph.dims.empty())
            text += item("Process box", to_string(Box{graph.dims, graph.periodic}) + " (" + graph.found + ")");
        if (graph.isomorphic)
            text += item("Stencil", graph.stencil_name + ", radius " + std::to_string(graph.stencil_radius) +
                                        ": t = " + std::to_string(graph.stencil_neighbors) +
                                        " neighbors, C = " + std::to_string(graph.rounds) +
                                        " rounds, V = " + std::to_string(graph.volume) + " blocks");
        text += item("Declined", graph.declined);
    }
    text += "</dl>\n";
    if (graph.operations.empty())
        return text + "<p>No neighborhood collective was called on it.</p>\n";
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
    }
    text += "</table></div>\n";
    if (graph.trials.empty())
        return text;
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
    std::string text = page_start + head(report) + reason_section(report);
    for (const GraphGroup& group : grouped(report))
        text += graph_section(group);
    return text + "<p class=\"next\"><strong>What to try next:</strong> " + escaped(next_step(report)) +
           "</p>\n</body>\n</html>\n";
}

} // namespace hopscotch::shim
