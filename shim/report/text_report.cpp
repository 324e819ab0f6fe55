// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The report for a terminal: at most about 100 columns, one screen for a program with few kinds of graphs.
#include "shim/report/report.hpp"

#include "shim/base/harmless.hpp"
#include "shim/base/settings.hpp"
#include "shim/report/summary.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t columns = 100;
constexpr std::size_t label_width = 13;
constexpr std::size_t graphs_shown = 6;
constexpr std::size_t reasons_shown = 6;
constexpr std::size_t frames_shown = 4;
constexpr std::size_t sites_shown = 5;
constexpr std::size_t command_shown = 4 * columns;

/// "  label       text": words beyond the width go on below the text.
std::string field(std::size_t indent, const std::string& label, const std::string& from_outside)
{
    const std::string text = harmless(from_outside);
    std::string line(indent, ' ');
    line += harmless(label);
    const std::size_t margin = indent + label_width;
    line.resize(std::max(line.size() + 1, margin), ' ');
    std::string result;
    std::size_t begin = 0;
    bool first = true;
    while (begin < text.size()) {
        std::size_t end = text.find(' ', begin);
        end = end == std::string::npos ? text.size() : end;
        const std::string word = text.substr(begin, end - begin);
        if (!first && line.size() + 1 + word.size() > columns) {
            result += line + "\n";
            line = std::string(margin, ' ') + word;
        } else {
            line += (first ? "" : " ") + word;
        }
        first = false;
        begin = end + 1;
    }
    return result + line + "\n";
}

/// Rows of cells in columns as wide as their widest cell; the first two columns are texts, the others numbers.
std::string table(std::size_t indent, std::vector<std::vector<std::string>> rows)
{
    for (std::vector<std::string>& row : rows)
        for (std::string& cell : row)
            cell = harmless(cell);
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            line += (i == 0 ? "" : "  ") + (i < 2 ? row[i] + padding : padding + row[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string spread_text(const Spread& spread)
{
    return "[" + duration_text(spread.total()) + "] <" + duration_text(spread.mean()) + "> " +
           duration_text(spread.min()) + " " + duration_text(spread.max());
}

std::string plural(std::uint64_t number, const std::string& noun)
{
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string head(const Report& report)
{
    const JobRecord& job = report.job;
    const Totals sum = totals(report);
    std::string text;
    if (!job.command.empty())
        text += field(0, "command",
                      job.command.size() > command_shown ? job.command.substr(0, command_shown) + " ..." : job.command);
    text += field(0, "job",
                  plural(static_cast<std::uint64_t>(std::max(job.ranks, 0)), "rank") +
                      (job.nodes > 0 ? " on " + plural(static_cast<std::uint64_t>(job.nodes), "node") : "") + ", " +
                      duration_text(job.elapsed_seconds));
    text += field(0, "mpi", short_library(job.mpi_library));
    text += field(0, "settings", settings_text(job));
    if (!job.stood_down.empty())
        text += field(0, "stood down", job.stood_down);
    if (!job.partial.empty())
        text += field(0, "partial", job.partial);
    text += field(0, "calls",
                  std::to_string(sum.calls) + ": " + std::to_string(sum.accelerated) + " accelerated, " +
                      std::to_string(sum.native) + " native" +
                      (sum.failed > 0 ? ", " + std::to_string(sum.failed) + " failed" : ""));
    if (!comparison(report).empty())
        text += field(0, "compared", comparison(report));
    if (sum.calls > 0) {
        text +=
            field(0, "messages",
                  std::to_string(sum.messages) + " instead of " + std::to_string(sum.messages_trivial) +
                      ", one per neighbor (" +
                      percent_text(static_cast<double>(sum.messages), static_cast<double>(sum.messages_trivial)) + ")");
        text += field(0, "time",
                      spread_text(report.seconds) + ", " + percent_text(report.seconds.mean(), job.elapsed_seconds) +
                          " of the run ([total] <mean> min max over ranks)");
    }
    if (!report.graphs.empty())
        text += field(0, "set-up",
                      spread_text(report.setup_seconds) + ", " +
                          percent_text(report.setup_seconds.mean(), job.elapsed_seconds) + " of the run");
    return text;
}

std::string title(const GraphGroup& group)
{
    const GraphSummary& graph = group.sum;
    if (graph.key == 0)
        return "other communicators: calls on communicators Hopscotch does not know\n";
    std::string text = group.ids.size() == 1 ? "graph " : "graphs ";
    for (std::size_t i = 0; i < group.ids.size(); ++i) {
        if (i == 5 && group.ids.size() > 6) {
            text += " ... " + std::to_string(group.ids.back());
            break;
        }
        text += (i == 0 ? "" : ", ") + std::to_string(group.ids[i]);
    }
    text +=
        ": " + graph.created_by + ", " + plural(static_cast<std::uint64_t>(std::max(graph.ranks, 0)), "rank") + ", ";
    if (graph.out_degree_min != graph.out_degree_max)
        text += std::to_string(graph.out_degree_min) + " to ";
    text += plural(static_cast<std::uint64_t>(std::max(graph.out_degree_max, 0)), "neighbor");
    if (graph.graphs > 1)
        text += " (" + std::to_string(graph.graphs) + " graphs like this, numbers are sums)";
    return harmless(text) + "\n";
}

/// "inner < outer < main"; of many functions the innermost.
std::string chain(const CallSite& call_site)
{
    if (call_site.empty())
        return "a place that could not be found";
    std::string text;
    for (std::size_t i = 0; i < std::min(call_site.size(), frames_shown); ++i)
        text += (i == 0 ? "" : " < ") + call_site[i];
    return text + (call_site.size() > frames_shown ? " < ..." : "");
}

std::string description(const GraphSummary& graph)
{
    std::string text;
    if (!graph.call_site.empty())
        text += field(2, "created in", chain(graph.call_site));
    if (!graph.dims.empty()) {
        const std::string found = graph.found == "parent"     ? ", of the Cartesian communicator"
                                  : graph.found == "hint"     ? ", as given"
                                  : graph.found == "recorded" ? ", of another communicator of the program"
                                  : graph.found == "inferred" ? ", inferred from the neighbors"
                                                              : "";
        text += field(2, "grid", to_string(ProcessGrid{graph.dims, graph.periodic}) + found);
    }
    if (graph.isomorphic)
        text += field(2, "stencil", stencil_text(graph));
    if (!graph.declined.empty())
        text += field(2, "declined", graph.declined);
    return text;
}

std::string operations(const GraphSummary& graph)
{
    if (graph.operations.empty())
        return field(2, "calls", "none");
    std::vector<std::vector<std::string>> rows = {
        {"function", "algorithm", "calls", "sent", "messages", "trivial", "[total]", "<mean>", "min", "max", "cov"}};
    for (const auto& [key, operation] : graph.operations) {
        const std::string function = key.function.rfind("MPI_", 0) == 0 ? key.function.substr(4) : key.function;
        rows.push_back({function, key.algorithm, std::to_string(operation.calls), bytes_text(operation.bytes),
                        std::to_string(operation.messages), std::to_string(operation.messages_trivial),
                        "[" + duration_text(operation.seconds.total()) + "]",
                        "<" + duration_text(operation.seconds.mean()) + ">", duration_text(operation.seconds.min()),
                        duration_text(operation.seconds.max()), ratio_text(operation.seconds.variation())});
    }
    std::string text = table(2, rows);
    for (const auto& [key, operation] : graph.operations) {
        const std::string function = key.function.rfind("MPI_", 0) == 0 ? key.function.substr(4) : key.function;
        if (!key.reason.empty())
            text += field(2, key.algorithm, function + ", " + plural(operation.calls, "call") + ": " + key.reason);
        if (operation.failed > 0)
            text += field(2, "failed", function + ", " + plural(operation.failed, "call") + " by " + key.algorithm);
        if (operation.bytes_saved > 0)
            text += field(2, "saved", function + " by " + key.algorithm + ", " + saved_text(operation));
        std::size_t left = sites_shown;
        for (const auto& [place, site] : sites_by_time(operation)) {
            if (left-- == 0) {
                text += field(2, "called in",
                              function + ": " + plural(operation.sites.size() - sites_shown, "other place"));
                break;
            }
            text += field(2, "called in",
                          function + " by " + key.algorithm + ", " + plural(site->calls, "call") + ", " +
                              spread_text(site->seconds) + ": " + chain(*place));
        }
    }
    return text;
}

/// What `auto` measured, one line per operation and size class, with the gain of the choice over native.
std::string trials(const GraphSummary& graph)
{
    std::string text;
    for (std::size_t begin = 0; begin < graph.trials.size();) {
        const TrialRecord& first = graph.trials[begin];
        std::size_t end = begin;
        double native = 0.0;
        double chosen = 0.0;
        std::string list;
        for (; end < graph.trials.size() && graph.trials[end].function == first.function &&
               graph.trials[end].block_bytes_most == first.block_bytes_most;
             ++end) {
            const TrialRecord& trial = graph.trials[end];
            list += (list.empty() ? "" : ", ") + trial.algorithm + " " + duration_text(trial.seconds) +
                    (trial.chosen ? " (chosen)" : "");
            if (trial.algorithm == "native")
                native = trial.seconds;
            if (trial.chosen)
                chosen = trial.seconds;
        }
        if (native > 0.0 && chosen > 0.0)
            list += "; " + ratio_text(native / chosen) + " times as fast as native";
        const std::string function = first.function.rfind("MPI_", 0) == 0 ? first.function.substr(4) : first.function;
        const std::string size =
            first.block_bytes_most > 0 ? ", blocks up to " + bytes_text(first.block_bytes_most) : std::string();
        text += field(2, "measured", function + size + ": " + list);
        begin = end;
    }
    return text;
}

} // namespace

std::string text_report(const Report& report)
{
    std::string text = "hopscotch: report, version " + harmless(report.job.version) + "\n" + head(report);

    const std::vector<ReasonCount> why = reasons(report);
    std::uint64_t left_out = 0;
    for (std::size_t i = 0; i < why.size(); ++i) {
        if (i < reasons_shown)
            text += field(0, "native", plural(why[i].calls, "call") + ": " + why[i].reason);
        else
            left_out += why[i].calls;
    }
    if (left_out > 0)
        text +=
            field(0, "native", plural(left_out, "call") + ": " + plural(why.size() - reasons_shown, "other reason"));

    const std::vector<GraphGroup> groups = grouped(report);
    const std::size_t shown = std::min(groups.size(), graphs_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        const GraphSummary& graph = groups[i].sum;
        text += "\n" + title(groups[i]) + description(graph) + operations(graph) + trials(graph);
    }
    if (groups.size() > shown) {
        std::uint64_t graphs = 0;
        double seconds = 0.0;
        for (std::size_t i = shown; i < groups.size(); ++i) {
            graphs += groups[i].sum.graphs;
            seconds += groups[i].seconds();
        }
        text += "\n" + plural(graphs, "graph") + " with less time left out, [" + duration_text(seconds) +
                "] in all; HOPSCOTCH_REPORT=FILE.json has them.\n";
    }
    text += "\n" + field(0, "what to try next:", next_step(report));
    return text + "hopscotch: end of report\n";
}

} // namespace hopscotch::shim
