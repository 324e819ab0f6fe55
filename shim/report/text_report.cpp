// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The report for a terminal: at most about 100 columns, one screen for a program with few kinds of graphs.
#include "shim/report/report.hpp"

#include "shim/base/harmless.hpp"
#include "shim/base/settings.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/summary.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

/// Words between blanks; what stands in parentheses is one word if it fits on a line.
std::vector<std::string> unbroken_words(const std::string& text)
{
    constexpr std::size_t most = columns - 2 * label_width;
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = text.find(' ', begin);
        if (text[begin] == '(')
            if (const std::size_t closing = text.find(')', begin);
                closing != std::string::npos && closing < begin + most)
                end = text.find(' ', closing);
        end = std::min(end, text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

/// "  label       text": words beyond the width go on below the text.
std::string field(std::size_t indent, const std::string& label, const std::string& from_outside)
{
    std::string line(indent, ' ');
    line += harmless(label);
    const std::size_t margin = indent + label_width;
    line.resize(std::max(line.size() + 1, margin), ' ');
    std::string result;
    bool first = true;
    for (const std::string& word : unbroken_words(harmless(from_outside))) {
        if (!first && line.size() + 1 + word.size() > columns) {
            result += line + "\n";
            line = std::string(margin, ' ') + word;
        } else {
            line += (first ? "" : " ") + word;
        }
        first = false;
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
    return "[" + duration_text(spread.total()) + "] <" + duration_text(spread.mean) + "> " + duration_text(spread.min) +
           " " + duration_text(spread.max);
}

/// A number of all processes, and what part of the run its mean is.
std::string part_of_run(const Spread& spread, const JobRecord& job)
{
    return spread_text(spread) + ", " + percent_text(spread.mean, job.elapsed_seconds) + " of the run";
}

/// Whom to look at where processes wait for each other.
std::string balance_text(const Report& report)
{
    const auto of = [](const ProcessTime& process) {
        return "rank " + std::to_string(process.rank) + " on " + process.host + ", " + duration_text(process.seconds) +
               " in these calls: ";
    };
    std::string text;
    if (report.earliest.rank != report.slowest.rank)
        text = field(0, "earliest", of(report.earliest) + "it waits longest") +
               field(0, "slowest", of(report.slowest) + "it waits least, the others wait for it");
    if (const auto parts = efficiency(report))
        text += field(0, "efficiency",
                      percent_text(parts->parallel, 1.0) + " parallel = " + percent_text(parts->load_balance, 1.0) +
                          " load balance * " + percent_text(parts->communication, 1.0) +
                          " communication, with all outside of these calls for useful");
    return text;
}

std::string settings_text(const JobRecord& job)
{
    std::string text;
    for (const auto& [name, value] : job.settings)
        text += (text.empty() ? "" : " ") + name + "=" + value;
    return text.empty() ? "all default" : text;
}

/// A field that is left out where it says nothing.
std::string field_if(const std::string& label, const std::string& text)
{
    return text.empty() ? "" : field(0, label, text);
}

std::string numbers_of(const schedules::Network& network)
{
    return duration_text(network.latency) + " latency, " + duration_text(network.send_overhead) + " to send, " +
           duration_text(network.receive_overhead) + " to receive, " + three_digits(1e-9 / network.gap_per_byte) +
           " GB/s";
}

/// What predictions went by, and what they would have without having measured.
std::string network_text(const JobRecord& job)
{
    return job.network ? field(0, "network",
                               numbers_of(*job.network) +
                                   ", measured (assumed: " + numbers_of(schedules::assumed_network) + ")")
                       : "";
}

/// When, where, and as which job of the scheduler.
std::string date_text(const Report& report)
{
    constexpr std::size_t hosts_shown = 4;
    std::string text = report.job.date + (report.job.id.empty() ? "" : ", job " + report.job.id);
    std::size_t shown = 0;
    for (const std::string& host : report.hosts)
        if (shown++ < hosts_shown)
            text += (shown == 1 ? ", on " : ", ") + host;
    if (shown > hosts_shown)
        text += " and " + std::to_string(shown - hosts_shown) + " more";
    return text;
}

std::string head(const Report& report)
{
    const JobRecord& job = report.job;
    const Totals sum = totals(report);
    std::string command = job.command;
    if (command.size() > command_shown)
        command = command.substr(0, command_shown) + " ...";
    std::string text = field_if("command", command);
    text +=
        field(0, "job",
              counted(job.ranks, "rank") + (job.nodes > 0 ? " on " + counted(job.nodes, "node") : "") + ", " +
                  duration_text(job.elapsed_seconds) + (job.launcher.empty() ? "" : ", started by " + job.launcher));
    text += field_if("date", job.date.empty() ? "" : date_text(report));
    text += field(0, "mpi", short_library(job.mpi_library));
    text += field(0, "settings", settings_text(job));
    text += field_if("stood down", job.stood_down) + field_if("partial", job.partial);
    text += network_text(job) +
            field_if("large blocks", job.copied_twice.empty() ? "" : "copied twice: " + job.copied_twice);
    text += field(0, "calls",
                  std::to_string(sum.calls) + ": " + std::to_string(sum.accelerated) + " " + carried_text(report) +
                      ", " + std::to_string(sum.native) + " native" +
                      (sum.failed > 0 ? ", " + std::to_string(sum.failed) + " failed" : ""));
    if (setting(report, "HOPSCOTCH_VERIFY") == "on")
        text += field(0, "compared",
                      std::to_string(sum.compared) + " of " + counted(sum.accelerated, "accelerated call") +
                          " with the MPI library's (HOPSCOTCH_VERIFY)");
    if (sum.calls > 0) {
        const std::string part =
            percent_text(static_cast<double>(sum.messages), static_cast<double>(sum.messages_trivial));
        text += field(0, "messages",
                      std::to_string(sum.messages) + " instead of " + std::to_string(sum.messages_trivial) +
                          ", one per neighbor (" + part + ")");
        text += field(0, "time", part_of_run(report.seconds, job) + " ([total] <mean> min max over ranks)");
        text += balance_text(report);
    }
    if (!report.graphs.empty())
        text += field(0, "set-up", part_of_run(report.setup_seconds, job));
    text += field(0, "bottom line", bottom_line(report));
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
    text += ": " + graph.created_by + ", " + counted(graph.ranks, "rank") + ", ";
    if (graph.out_degree_min != graph.out_degree_max)
        text += std::to_string(graph.out_degree_min) + " to ";
    text += counted(graph.out_degree_max, "neighbor");
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

std::string stencil_text(const GraphDescription& graph)
{
    return graph.stencil_name + ", radius " + std::to_string(graph.stencil_radius) +
           ": t = " + counted(graph.stencil_neighbors, "neighbor") + ", C = " + counted(graph.rounds, "round") +
           ", V = " + counted(graph.volume, "block");
}

std::string edges_text(const EdgeCounts& edges)
{
    return std::to_string(edges.now) + " of " + counted(static_cast<std::uint64_t>(edges.all), "edge") + " (" +
           percent_text(static_cast<double>(edges.now), static_cast<double>(edges.all)) + "), " +
           (edges.mapped < edges.now ? std::to_string(edges.mapped) + " with ranks mapped to nodes"
                                     : "no fewer with ranks mapped to nodes");
}

std::string description(const GraphSummary& graph)
{
    std::string text;
    if (!graph.call_site.empty())
        text += field(2, "created in", chain(graph.call_site));
    if (!graph.dims.empty()) {
        const std::string found =
            graph.found == "parent" ? ", of the Cartesian communicator"
            : graph.found == "hint" ? ", as given"
            : graph.found == "recorded"
                ? ", of a grid that the program made or asked for (MPI_Cart_create, MPI_Dims_create)"
            : graph.found == "inferred" ? ", inferred from the neighbors"
                                        : "";
        text += field(2, "grid", to_string(ProcessGrid{graph.dims, graph.periodic}) + found);
    }
    if (graph.isomorphic)
        text += field(2, "stencil", stencil_text(graph));
    if (!graph.declined.empty())
        text += field(2, "declined", graph.declined);
    if (graph.edges.all > 0)
        text += field(2, "off node", edges_text(graph.edges));
    if (!graph.reorder.empty())
        text += field(2, "ranks", graph.reorder);
    return text;
}

std::string short_name(const std::string& function)
{
    return function.rfind("MPI_", 0) == 0 ? function.substr(4) : function;
}

/// Of one process in one call, on average; 0 of a report that does not tell.
double seconds_per_call(const OperationSummary& operation)
{
    const auto calls = static_cast<double>(operation.process_calls);
    return calls > 0.0 ? operation.seconds.total() / calls : 0.0;
}

std::string saved_text(const OperationSummary& operation)
{
    const auto saved = static_cast<double>(operation.bytes_saved);
    return bytes_text(operation.bytes_saved) + " (" +
           percent_text(saved, static_cast<double>(operation.bytes) + saved) +
           ") that blocks of one message have in common";
}

/// "5 calls up to 64 B, 7 calls up to 2.00 KiB"
std::string block_sizes_text(const CallsBySize& sizes)
{
    std::string text;
    for (const auto& [bytes, calls] : sizes)
        text += (text.empty() ? "" : ", ") + counted(calls, "call") +
                (bytes > 0 ? " up to " + bytes_text(bytes) : " up to any size");
    return text;
}

/// The algorithm of each operation; where they differ in the reason only, with a number that its reason has, too.
std::map<OperationKey, std::string> algorithms_in_rows(const GraphSummary& graph)
{
    const auto row = [](const OperationKey& key) { return std::pair(key.function, key.algorithm); };
    std::map<std::pair<std::string, std::string>, int> rows;
    for (const auto& [key, operation] : graph.operations)
        ++rows[row(key)];
    std::map<std::pair<std::string, std::string>, int> numbers;
    std::map<OperationKey, std::string> names;
    for (const auto& [key, operation] : graph.operations)
        names[key] =
            key.algorithm + (rows[row(key)] > 1 ? " (" + std::to_string(++numbers[row(key)]) + ")" : std::string());
    return names;
}

/// What is to be said of an operation beyond its line in the table, where its algorithm is called so.
std::string remarks(const OperationKey& key, const OperationSummary& operation, const std::string& algorithm)
{
    const std::string function = short_name(key.function);
    std::string text;
    if (!key.reason.empty())
        text += field(2, algorithm, function + ", " + counted(operation.calls, "call") + ": " + key.reason);
    if (operation.failed > 0)
        text += field(2, "failed", function + ", " + counted(operation.failed, "call") + " by " + key.algorithm);
    if (operation.bytes_saved > 0)
        text += field(2, "saved", function + " by " + algorithm + ", " + saved_text(operation));
    if (operation.block_sizes.size() > 1)
        text += field(2, "blocks", function + " by " + algorithm + ", " + block_sizes_text(operation.block_sizes));
    std::size_t left = sites_shown;
    for (const auto& [place, site] : sites_by_time(operation)) {
        if (left-- == 0)
            return text + field(2, "called in",
                                function + ": " + counted(operation.sites.size() - sites_shown, "other place"));
        text += field(2, "called in",
                      function + " by " + algorithm + ", " + counted(site.calls, "call") + ", " +
                          spread_text(site.seconds) + ": " + chain(place));
    }
    return text;
}

std::string operations(const GraphSummary& graph)
{
    if (graph.operations.empty())
        return field(2, "calls", "none");
    std::vector<std::vector<std::string>> rows = {{"function", "algorithm", "calls", "per call", "sent", "messages",
                                                   "trivial", "[total]", "<mean>", "min", "max", "cov"}};
    const std::map<OperationKey, std::string> algorithms = algorithms_in_rows(graph);
    std::string text;
    for (const auto& [key, operation] : graph.operations) {
        const Spread& seconds = operation.seconds;
        rows.push_back({short_name(key.function), algorithms.at(key), std::to_string(operation.calls),
                        duration_text(seconds_per_call(operation)), bytes_text(operation.bytes),
                        std::to_string(operation.messages), std::to_string(operation.messages_trivial),
                        "[" + duration_text(seconds.total()) + "]", "<" + duration_text(seconds.mean) + ">",
                        duration_text(seconds.min), duration_text(seconds.max), three_digits(seconds.variation())});
        text += remarks(key, operation, algorithms.at(key));
    }
    return table(2, rows) + text;
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
        double least = first.seconds;
        std::string list;
        for (; end < graph.trials.size() && graph.trials[end].function == first.function &&
               graph.trials[end].block_bytes_most == first.block_bytes_most;
             ++end) {
            const TrialRecord& trial = graph.trials[end];
            list += (list.empty() ? "" : ", ") + trial.algorithm + " " + duration_text(trial.seconds) +
                    (trial.chosen ? " (chosen)" : "");
            least = std::min(least, trial.seconds);
            if (trial.algorithm == "native")
                native = trial.seconds;
            if (trial.chosen)
                chosen = trial.seconds;
        }
        if (chosen > least)
            list += "; no other was so much faster that it could not be chance";
        if (native > 0.0 && chosen > 0.0)
            list += "; " + three_digits(native / chosen) + " times as fast as native";
        const std::string size =
            first.block_bytes_most > 0 ? ", blocks up to " + bytes_text(first.block_bytes_most) : std::string();
        text += field(2, "measured", short_name(first.function) + size + ": " + list);
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
            text += field(0, "native", counted(why[i].calls, "call") + ": " + why[i].reason);
        else
            left_out += why[i].calls;
    }
    if (left_out > 0)
        text +=
            field(0, "native", counted(left_out, "call") + ": " + counted(why.size() - reasons_shown, "other reason"));

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
        text += "\n" + counted(graphs, "graph") + " with less time left out, [" + duration_text(seconds) +
                "] in all; HOPSCOTCH_REPORT=FILE.json has them.\n";
    }
    text += "\n" + field(0, "what to try next:", next_step(report));
    return text + "hopscotch: end of report\n";
}

} // namespace hopscotch::shim
