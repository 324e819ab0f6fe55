// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The report for a terminal: at most about 100 columns, one screen for a program with few kinds of graphs.
#include "shim/report/report.hpp"

#include "schedules/selection/trial.hpp"
#include "shim/base/text.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/lines.hpp"
#include "shim/report/next_step.hpp"
#include "shim/report/summary.hpp"
#include "shim/report/trial_times.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
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
constexpr char column_legend[] =
    "payload: bytes of all blocks; sent: bytes of all messages, forwarded blocks included; without: messages if each "
    "neighbor got one of its own; [total] <mean> min max: time in these calls over ranks; spread: its standard "
    "deviation over its mean";

/// Words between blanks; a text in parentheses is one word if it fits on a line.
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

std::string fields(std::size_t indent, const Lines& lines)
{
    std::string text;
    for (const auto& [label, from_outside] : lines)
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

std::string head(const Report& report)
{
    const std::string& command = report.job.command;
    return field(0, "command", command.substr(0, command_shown) + (command.size() > command_shown ? " ..." : "")) +
           fields(0, job_lines(report)) + field(0, "bottom line", bottom_line(report)) +
           fields(0, native_lines(report));
}

/// "inner < outer < main"; of many functions the innermost.
std::string chain(const CallSite& call_site)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(call_site.size(), frames_shown); ++i)
        text += (i == 0 ? "" : " < ") + call_site[i];
    return text + (call_site.size() > frames_shown ? " < ..." : "");
}

std::string description(const GraphSummary& graph)
{
    return (graph.call_site.empty() ? "" : field(2, "created in", chain(graph.call_site))) +
           fields(2, graph_lines(graph));
}

std::string short_name(const std::string& function)
{
    return function.rfind("MPI_", 0) == 0 ? function.substr(4) : function;
}

/// The algorithm of each operation; if operations differ in the reason only, with a number that their reasons have,
/// too.
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

/// Remarks on an operation beyond its line in the table, under this name of its algorithm.
std::string remarks(const OperationKey& key, const OperationSummary& operation, const std::string& algorithm)
{
    const std::string function = short_name(key.function);
    const std::string carried = function + " by " + algorithm + ", ";
    std::string text;
    if (!key.reason.empty())
        text += field(2, algorithm, function + ", " + counted(operation.calls, "call") + ": " + key.reason);
    if (operation.failed > 0)
        text += field(2, "failed", function + ", " + counted(operation.failed, "call") + " by " + key.algorithm);
    for (const auto& [label, remark] : operation_lines(operation))
        text += field(2, label, carried + remark);
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
                                                   "messages", "without", "[total]", "<mean>", "min", "max", "spread"}};
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

/// The times that `auto` measured for one operation and size class, with the gain of the choice over native.
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
    if (chosen > least && least >= schedules::clearly_faster * chosen)
        list += "; the others were not clearly faster";
    if (const double share = trials.front().others_share; is_disturbed(share))
        list += "; not compared: " + disturbed_text(share);
    else if (native > 0.0 && chosen > 0.0)
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
    const std::vector<GraphGroup> groups = grouped(report);
    const std::size_t shown = std::min(groups.size(), graphs_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        const GraphSummary& graph = groups[i].sum;
        text += "\n" + harmless(title(groups[i])) + "\n" + description(graph) + operations(graph) + trials(graph);
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
    if (shown > 0)
        text += "\n" + field(0, "columns", column_legend);
    text += "\n" + field(0, "what to try next:", next_step(report));
    return text + "hopscotch: end of report\n";
}

} // namespace hopscotch::shim
