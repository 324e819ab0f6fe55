// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The report for a terminal: at most about 100 columns, one screen for a program with few kinds of graphs.
#include "shim/report/report.hpp"

#include "shim/base/harmless.hpp"
#include "shim/base/settings.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/summary.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <optional>
#include <sstream>
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
    const std::size_t margin = indent + label_width;
    std::string line = std::string(indent, ' ') + harmless(label);
    line.resize(std::max(line.size(), margin - 1), ' ');
    std::string result;
    for (const std::string& word : unbroken_words(harmless(from_outside))) {
        if (line.size() >= margin && line.size() + 1 + word.size() > columns) {
            result += line + "\n";
            line = std::string(margin - 1, ' ');
        }
        line += " " + word;
    }
    return result + line + "\n";
}

/// Labels and texts of several; those without a text are left out.
std::string fields(std::size_t indent, const std::vector<std::pair<std::string, std::string>>& lines)
{
    std::string text;
    for (const auto& [label, from_outside] : lines)
        if (!from_outside.empty())
            text += field(indent, label, from_outside);
    return text;
}

/// Rows of as many cells, in columns as wide as their widest cell; the first two columns are texts, the others numbers.
std::string table(std::size_t indent, std::vector<std::vector<std::string>> rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (std::vector<std::string>& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = harmless(row[i]);
            widths[i] = std::max(widths[i], row[i].size());
        }
    std::ostringstream text;
    for (const std::vector<std::string>& row : rows) {
        text << std::string(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i)
            text << (i == 0 ? "" : "  ") << (i < 2 ? std::left : std::right) << std::setw(static_cast<int>(widths[i]))
                 << row[i];
        text << "\n";
    }
    return text.str();
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

/// One of those to look at where processes wait for each other.
std::string process_text(const Report& report, const ProcessTime& process, const std::string& waits)
{
    if (report.earliest.rank == report.slowest.rank)
        return "";
    return "rank " + std::to_string(process.rank) + " on " + process.host + ", " + duration_text(process.seconds) +
           " in these calls: " + waits;
}

std::string efficiency_text(const Report& report)
{
    const std::optional<Efficiency> parts = efficiency(report);
    return parts ? percent_text(parts->parallel, 1.0) + " parallel = " + percent_text(parts->load_balance, 1.0) +
                       " load balance * " + percent_text(parts->communication, 1.0) +
                       " communication, with all outside of these calls for useful"
                 : "";
}

std::string settings_text(const JobRecord& job)
{
    std::string text;
    for (const auto& [name, value] : job.settings)
        text += (text.empty() ? "" : " ") + name + "=" + value;
    return text.empty() ? "all default" : text;
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
    return job.network
               ? numbers_of(*job.network) + ", measured (assumed: " + numbers_of(schedules::assumed_network) + ")"
               : "";
}

/// When, where, and as which job of the scheduler.
std::string date_text(const Report& report)
{
    constexpr std::size_t hosts_shown = 4;
    if (report.job.date.empty())
        return "";
    std::string text = report.job.date;
    for (const auto& [what, id] : {std::pair{", job ", report.job.id}, std::pair{", step ", report.job.step},
                                   std::pair{", task of the array ", report.job.array_task}})
        text += id.empty() ? "" : what + id;
    std::size_t shown = 0;
    for (const std::string& host : report.hosts)
        if (shown++ < hosts_shown)
            text += (shown == 1 ? ", on " : ", ") + host;
    if (shown > hosts_shown)
        text += " and " + std::to_string(shown - hosts_shown) + " more";
    return text;
}

std::string job_text(const JobRecord& job)
{
    return counted(job.ranks, "rank") + (job.nodes > 0 ? " on " + counted(job.nodes, "node") : "") + ", " +
           duration_text(job.elapsed_seconds) + (job.launcher.empty() ? "" : ", started by " + job.launcher);
}

std::string calls_text(const Report& report, const Totals& sum)
{
    return std::to_string(sum.calls) + ": " + std::to_string(sum.accelerated) + " " + carried_text(report) + ", " +
           std::to_string(sum.native) + " native" +
           (sum.failed > 0 ? ", " + std::to_string(sum.failed) + " failed" : "");
}

std::string verified_text(const Report& report, const Totals& sum)
{
    return setting(report, "HOPSCOTCH_VERIFY") == "on"
               ? counted(sum.compared, "call") + " compared, " + counted(sum.differences, "difference") +
                     (sum.compared < sum.accelerated ? "; " + std::to_string(sum.accelerated - sum.compared) +
                                                           " more carried by Hopscotch, not compared"
                                                     : "")
               : "";
}

std::string messages_text(const Totals& sum)
{
    return std::to_string(sum.messages) + " instead of " + std::to_string(sum.messages_trivial) +
           ", one per neighbor (" +
           percent_text(static_cast<double>(sum.messages), static_cast<double>(sum.messages_trivial)) + ")";
}

std::string large_blocks_text(const JobRecord& job)
{
    if (!job.copied_twice.empty())
        return "copied twice: " + job.copied_twice;
    if (!job.one_copy)
        return "";
    const std::string from = "copied once from " + bytes_text(job.one_copy->block_bytes) + " on";
    return job.one_copy->call_bytes == 0
               ? from + " (HOPSCOTCH_ONE_COPY)"
               : from + ", in calls of " + bytes_text(job.one_copy->call_bytes) + " and more (beyond a core's cache)";
}

std::string head(const Report& report)
{
    const JobRecord& job = report.job;
    const Totals sum = totals(report);
    std::string text = fields(
        0, {{"command", job.command.substr(0, command_shown) + (job.command.size() > command_shown ? " ..." : "")},
            {"job", job_text(job)},
            {"date", date_text(report)},
            {"mpi", short_library(job.mpi_library)},
            {"settings", settings_text(job)},
            {"stood down", job.stood_down},
            {"partial", job.partial},
            {"network", network_text(job)},
            {"large blocks", large_blocks_text(job)},
            {"calls", calls_text(report, sum)},
            {"verified", verified_text(report, sum)}});
    if (sum.calls > 0)
        text += fields(0, {{"messages", messages_text(sum)},
                           {"time", part_of_run(report.seconds, job) + " ([total] <mean> min max over ranks)"},
                           {"earliest", process_text(report, report.earliest, "it waits longest")},
                           {"slowest", process_text(report, report.slowest, "it waits least, the others wait for it")},
                           {"efficiency", efficiency_text(report)}});
    return text + fields(0, {{"set-up", report.graphs.empty() ? "" : part_of_run(report.setup_seconds, job)},
                             {"bottom line", bottom_line(report)}});
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
    std::string text;
    for (std::size_t i = 0; i < std::min(call_site.size(), frames_shown); ++i)
        text += (i == 0 ? "" : " < ") + call_site[i];
    return text + (call_site.size() > frames_shown ? " < ..." : "");
}

std::string grid_text(const GraphDescription& graph)
{
    const std::map<std::string, std::string> ways = {
        {"parent", ", of the Cartesian communicator"},
        {"hint", ", as given"},
        {"recorded", ", of a grid that the program made or asked for (MPI_Cart_create, MPI_Dims_create)"},
        {"inferred", ", inferred from the neighbors"}};
    const auto way = ways.find(graph.found);
    return graph.dims.empty()
               ? ""
               : to_string(ProcessGrid{graph.dims, graph.periodic}) + (way != ways.end() ? way->second : "");
}

std::string stencil_text(const GraphDescription& graph)
{
    if (!graph.isomorphic)
        return "";
    return graph.stencil_name + ", radius " + std::to_string(graph.stencil_radius) +
           ": t = " + counted(graph.stencil_neighbors, "neighbor") + ", C = " + counted(graph.rounds, "round") +
           ", V = " + counted(graph.volume, "block");
}

std::string edges_text(const EdgeCounts& edges)
{
    if (edges.all == 0)
        return "";
    return std::to_string(edges.now) + " of " + counted(edges.all, "edge") + " (" +
           percent_text(static_cast<double>(edges.now), static_cast<double>(edges.all)) + "), " +
           (edges.mapped < edges.now ? std::to_string(edges.mapped) + " with ranks mapped to nodes"
                                     : "no fewer with ranks mapped to nodes");
}

std::string description(const GraphSummary& graph)
{
    return fields(2, {{"created in", chain(graph.call_site)},
                      {"grid", grid_text(graph)},
                      {"stencil", stencil_text(graph)},
                      {"declined", graph.declined},
                      {"off node", edges_text(graph.edges)},
                      {"ranks", graph.reorder}});
}

std::string short_name(const std::string& function)
{
    return function.rfind("MPI_", 0) == 0 ? function.substr(4) : function;
}

std::string saved_text(const OperationSummary& operation)
{
    const auto saved = static_cast<double>(operation.bytes_saved);
    return bytes_text(operation.bytes_saved) + " (" +
           percent_text(saved, static_cast<double>(operation.payload_bytes) + saved) +
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
    const std::string carried = function + " by " + algorithm + ", ";
    std::string text;
    if (!key.reason.empty())
        text += field(2, algorithm, function + ", " + counted(operation.calls, "call") + ": " + key.reason);
    if (operation.failed > 0)
        text += field(2, "failed", function + ", " + counted(operation.failed, "call") + " by " + key.algorithm);
    if (operation.bytes_saved > 0)
        text += field(2, "saved", carried + saved_text(operation));
    if (operation.block_sizes.size() > 1)
        text += field(2, "blocks", carried + block_sizes_text(operation.block_sizes));
    std::size_t left = sites_shown;
    for (const auto& [place, site] : sites_by_time(operation)) {
        if (left-- == 0)
            return text + field(2, "called in",
                                function + ": " + counted(operation.sites.size() - sites_shown, "other place"));
        text += field(2, "called in",
                      carried + counted(site.calls, "call") + ", " + spread_text(site.seconds) + ": " +
                          (place.empty() ? "a place that could not be found" : chain(place)));
    }
    return text;
}

std::string operations(const GraphSummary& graph)
{
    if (graph.operations.empty())
        return field(2, "calls", "none");
    std::vector<std::vector<std::string>> rows = {{"function", "algorithm", "calls", "per call", "payload", "sent",
                                                   "messages", "trivial", "[total]", "<mean>", "min", "max", "cov"}};
    const std::map<OperationKey, std::string> algorithms = algorithms_in_rows(graph);
    std::string text;
    for (const auto& [key, operation] : graph.operations) {
        const Spread& seconds = operation.seconds;
        rows.push_back({short_name(key.function), algorithms.at(key), std::to_string(operation.calls),
                        duration_text(seconds_per_call(operation)), bytes_text(operation.payload_bytes),
                        bytes_text(operation.bytes), std::to_string(operation.messages),
                        std::to_string(operation.messages_trivial), "[" + duration_text(seconds.total()) + "]",
                        "<" + duration_text(seconds.mean) + ">", duration_text(seconds.min), duration_text(seconds.max),
                        three_digits(seconds.variation())});
        text += remarks(key, operation, algorithms.at(key));
    }
    return table(2, rows) + text;
}

/// What `auto` measured of one operation and size class, with the gain of the choice over native.
std::string trial_text(const std::vector<TrialRecord>& trials)
{
    double native = 0.0;
    double chosen = 0.0;
    double least = trials.front().seconds;
    std::string list;
    for (const TrialRecord& trial : trials) {
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
    return list;
}

std::string trials(const GraphSummary& graph)
{
    std::map<std::pair<std::string, std::uint64_t>, std::vector<TrialRecord>> classes;
    for (const TrialRecord& trial : graph.trials)
        classes[{trial.function, trial.block_bytes_most}].push_back(trial);
    std::string text;
    for (const auto& [what, tried] : classes) {
        const auto& [function, bytes] = what;
        const std::string size = bytes > 0 ? ", blocks up to " + bytes_text(bytes) : "";
        text += field(2, "measured", short_name(function) + size + ": " + trial_text(tried));
    }
    return text;
}

} // namespace

std::string text_report(const Report& report)
{
    std::string text = "hopscotch: report, version " + harmless(report.job.version) + "\n" + head(report);
    for (const ReasonCount& why : reasons(report))
        text += field(0, "native", counted(why.calls, "call") + ": " + why.reason);

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
