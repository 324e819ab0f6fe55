// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/report/lines.hpp"

#include "shim/base/settings.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/trial_times.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace hopscotch::shim
{

namespace
{

Lines without_empty(Lines lines)
{
    const auto is_empty = [](const auto& line) { return line.second.empty(); };
    lines.erase(std::remove_if(lines.begin(), lines.end(), is_empty), lines.end());
    return lines;
}

/// A number over all processes, and its mean as part of the run.
std::string part_of_run(const Spread& spread, const JobRecord& job)
{
    return spread_text(spread) + ", " + percent_text(spread.mean, job.elapsed_seconds) + " of the run";
}

/// A line about the process with most or with least time in calls. A user looks at the two if processes wait for each
/// other.
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
                       " communication; all time outside of these calls counts as useful"
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

/// The network used by predictions, and the numbers that they assume without a measurement.
std::string network_text(const JobRecord& job)
{
    return job.network
               ? numbers_of(*job.network) + ", measured (assumed: " + numbers_of(schedules::assumed_network) + ")"
               : "";
}

/// Date, place, and job number of the scheduler.
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
    return counted(job.ranks, "rank") + (job.nodes > 0 ? " on " + counted(job.nodes, "node") : "") +
           (job.shares_cores ? ", more than there are cores, " : ", ") + duration_text(job.elapsed_seconds) +
           (job.launcher.empty() ? "" : ", started by " + job.launcher);
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
    if (sum.messages == 0 && sum.messages_trivial == 0)
        return "none: no block goes to another process";
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
    const std::string from =
        "of " + bytes_text(job.one_copy->block_bytes) + " and more go from process to process in one copy";
    if (job.one_copy->tried)
        return from + " where trials found that faster";
    return job.one_copy->call_bytes == 0
               ? from + " (HOPSCOTCH_ONE_COPY)"
               : from + ", in calls of " + bytes_text(job.one_copy->call_bytes) + " and more (beyond a core's cache)";
}

/// The origin of a grid.
std::string way_text(const std::string& found)
{
    const std::map<std::string, std::string> ways = {
        {"parent", ", of the Cartesian communicator"},
        {"hint", ", as given"},
        {"recorded", ", of a grid that the program made or asked for (MPI_Cart_create, MPI_Dims_create)"},
        {"inferred", ", inferred from the neighbors"},
        {"list order", ", inferred from the order of the lists"}};
    const auto way = ways.find(found);
    return way != ways.end() ? way->second : "";
}

std::string grid_text(const GraphDescription& graph)
{
    return graph.dims.empty() ? "" : to_string(ProcessGrid{graph.dims, graph.periodic}) + way_text(graph.found);
}

std::string partial_text(const PartialRecord& partial)
{
    if (partial.cells.empty())
        return "";
    const ProcessGrid grid{partial.cells, std::vector<bool>(partial.cells.size(), true)};
    return to_string(grid) + way_text(partial.found) + ": " + std::to_string(partial.combined_edges) + " of " +
           counted(partial.edges, "edge") + " combined, " + counted(partial.messages, "message") + " instead of " +
           std::to_string(partial.merged_messages);
}

std::string stencil_text(const GraphDescription& graph)
{
    if (!graph.isomorphic)
        return "";
    return graph.stencil_name + ", radius " + std::to_string(graph.stencil_radius) + ": " +
           counted(graph.stencil_neighbors, "neighbor") + "; combining sends " + counted(graph.volume, "block") +
           " in " + counted(graph.rounds, "round");
}

std::string edges_text(const EdgeCounts& edges)
{
    if (edges.all == 0)
        return "";
    return std::to_string(edges.now) + " of " + counted(edges.all, "edge") + " (" +
           percent_text(static_cast<double>(edges.now), static_cast<double>(edges.all)) + "), at most " +
           std::to_string(edges.now_most) + " of one node; " +
           (edges.mapped < edges.now ? std::to_string(edges.mapped) + ", at most " + std::to_string(edges.mapped_most)
                                     : "no fewer") +
           " with ranks mapped to nodes";
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

} // namespace

Lines job_lines(const Report& report)
{
    const JobRecord& job = report.job;
    const Totals sum = totals(report);
    Lines lines = {{"job", job_text(job)},
                   {"date", date_text(report)},
                   {"mpi", short_library(job.mpi_library)},
                   {"settings", settings_text(job)},
                   {"stood down", job.stood_down},
                   {"partial", job.partial},
                   {"network", network_text(job)},
                   {"large blocks", large_blocks_text(job)},
                   {"devices", job.devices},
                   {"calls", calls_text(report, sum)},
                   {"verified", verified_text(report, sum)}};
    const Lines of_calls = {{"messages", messages_text(sum)},
                            {"time", part_of_run(report.seconds, job) + " ([total] <mean> min max over ranks)"},
                            {"earliest", process_text(report, report.earliest, "it waits longest")},
                            {"slowest", process_text(report, report.slowest, "it waits least, the others wait for it")},
                            {"efficiency", efficiency_text(report)}};
    if (sum.calls > 0)
        lines.insert(lines.end(), of_calls.begin(), of_calls.end());
    lines.emplace_back("set-up", report.graphs.empty() ? "" : part_of_run(report.setup_seconds, job));
    return without_empty(lines);
}

Lines native_lines(const Report& report)
{
    Lines lines;
    if (report.job.shares_cores && totals(report).calls > 0)
        lines.emplace_back("doubtful", "all times: ranks outnumber the cores of their node and wait for a core most of "
                                       "the time; with a core for each rank the times are others.");
    if (const Gain won = gain(report); won.others_share > 0.0)
        lines.emplace_back("doubtful", "trials: " + disturbed_text(won.others_share) +
                                           " meanwhile, so they are not compared with native calls.");
    for (const std::string& contradiction : contradictions(report))
        lines.emplace_back("doubtful", contradiction);
    for (const ReasonCount& why : reasons(report))
        lines.emplace_back("native", counted(why.calls, "call") + ": " + why.reason);
    return lines;
}

Lines lines_of(const Report& report)
{
    Lines lines = job_lines(report);
    for (auto& line : native_lines(report))
        lines.push_back(std::move(line));
    return lines;
}

std::string title(const GraphGroup& group)
{
    const GraphSummary& graph = group.sum;
    if (graph.key == 0)
        return "other communicators: calls on communicators Hopscotch does not know";
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
    return text;
}

Lines graph_lines(const GraphSummary& graph)
{
    return without_empty({{"grid", grid_text(graph)},
                          {"stencil", stencil_text(graph)},
                          {"declined", graph.declined},
                          {"partly", partial_text(graph.partial)},
                          {"off node", edges_text(graph.edges)},
                          {"ranks", graph.reorder}});
}

Lines operation_lines(const OperationSummary& operation)
{
    return without_empty({{"saved", saved_text(operation)},
                          {"staged", staged_text(operation)},
                          {"blocks", operation.block_sizes.size() > 1 ? block_sizes_text(operation.block_sizes) : ""}});
}

std::string spread_text(const Spread& spread)
{
    return "[" + duration_text(spread.total()) + "] <" + duration_text(spread.mean) + "> " + duration_text(spread.min) +
           " " + duration_text(spread.max);
}

std::string saved_text(const Counters& counters)
{
    const auto saved = static_cast<double>(counters.bytes_saved);
    if (counters.bytes_saved == 0)
        return "";
    return bytes_text(counters.bytes_saved) + " (" +
           percent_text(saved, static_cast<double>(counters.payload_bytes) + saved) +
           ") that blocks of one message have in common";
}

std::string staged_text(const Counters& counters)
{
    if (counters.staged_calls == 0)
        return "";
    return counted(counters.staged_calls, "call") +
           " of processes with a buffer in the memory of a device: " + bytes_text(counters.staged_bytes) +
           " copied in " + duration_text(static_cast<double>(counters.staged_ns) * 1e-9);
}

} // namespace hopscotch::shim
