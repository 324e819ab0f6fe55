// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/report/next_step.hpp"

#include "shim/base/settings.hpp"
#include "shim/report/gain.hpp"
#include "shim/report/summary.hpp"
#include "shim/report/trial_times.hpp"

#include <vector>

namespace hopscotch::shim
{

namespace
{

bool is_unexplained(const GraphGroup& group)
{
    const GraphSummary& graph = group.sum;
    return graph.key != 0 && !graph.isomorphic && graph.dims.empty() && graph.partial.cells.empty() &&
           !graph.operations.empty() && graph.out_degree_max > 1;
}

/// The step for ranks with many neighbors on other nodes; "": there is little to gain.
std::string mapping_step(const GraphGroup& group)
{
    const EdgeCounts& edges = group.sum.edges;
    if (5 * edges.mapped > 4 * edges.now || edges.now == 0)
        return "";
    const std::string gain = "graph " + std::to_string(group.ids.front()) + " would have " +
                             std::to_string(edges.mapped) + " edges between nodes instead of " +
                             std::to_string(edges.now) + ".";
    if (group.sum.reorder == reordering_not_asked_for)
        return "HOPSCOTCH_REORDER=all, if the program keeps no data by the ranks of another communicator: " + gain;
    if (group.sum.reorder.empty())
        return "`hopscotch map REPORT.json`, which orders the ranks of the job: " + gain;
    return "";
}

/// The step for blocks that the MPI library delivers in an order of its own; "": it follows the standard's order.
std::string edge_order_step(const Report& report, const std::vector<GraphGroup>& groups)
{
    if (!setting(report, "HOPSCOTCH_PARALLEL_EDGES").empty())
        return "";
    for (const GraphGroup& group : groups)
        if (group.sum.nonstandard_edge_order && !group.sum.operations.empty())
            return "HOPSCOTCH_PARALLEL_EDGES=standard, if the program expects the order of MPI 4.1, section 8.6: "
                   "graph " +
                   std::to_string(group.ids.front()) +
                   " has several edges with the same ends, whose blocks the MPI library delivers in another order.";
    return "";
}

/// The step after a run that took longer than it would have taken without Hopscotch.
std::string step_after_a_loss(const Report& report)
{
    const auto pays_from = static_cast<std::uint64_t>(gain(report).pays_from_calls);
    if (pays_from > 0 && setting(report, "HOPSCOTCH_TUNING").empty())
        return "a longer run, which saves time from about " + counted(pays_from, "call") +
               " on, or HOPSCOTCH_TUNING=FILE, which spares the next run its trials: this run lost time.";
    if (pays_from > 0)
        return "a longer run, which saves time from about " + counted(pays_from, "call") + " on: this run lost time.";
    return "`hopscotch compare`, which says whether any algorithm is faster; if none is, HOPSCOTCH=off: this run lost "
           "time.";
}

} // namespace

std::string next_step(const Report& report)
{
    const Totals sum = totals(report);
    const std::string algorithm = setting(report, "HOPSCOTCH_ALGORITHM");
    if (!report.job.enabled)
        return "HOPSCOTCH=on: with off every call passed straight through.";
    if (!report.job.stood_down.empty())
        return "`hopscotch doctor`: it says what is missing.";
    if (report.job.launched > report.job.ranks && report.job.ranks == 1)
        return "the launcher that belongs to the MPI library (srun: --mpi=pmi2 or --mpi=pmix): " +
               std::to_string(report.job.launched) + " processes were started, but each is alone.";
    if (report.graphs.empty())
        return "hopscotch advise, which says what MPI_Isend and MPI_Irecv of the program could be (docs/advice.md): "
               "it created no Cartesian or graph communicator, so there is no neighborhood collective to accelerate.";
    if (sum.calls == 0)
        return "hopscotch advise, which says what MPI_Isend and MPI_Irecv of the program could be (docs/advice.md): "
               "no neighborhood collective (MPI_Neighbor_*, MPI_Ineighbor_*) was called.";
    if (sum.failed > 0)
        return "HOPSCOTCH=off: " + counted(sum.failed, "call") +
               " returned an error; that run shows whether they do so without Hopscotch.";
    if (setting(report, "HOPSCOTCH_VERIFY") == "on")
        return "HOPSCOTCH_VERIFY=off: every call was run natively as well, so the times are no measurement.";
    if (sum.native > 0 && algorithm.find("native") != std::string::npos)
        return "HOPSCOTCH_ALGORITHM=auto: " + counted(sum.native, "call") +
               " ran natively under HOPSCOTCH_ALGORITHM=" + algorithm + ".";
    if (algorithm.find("trivial") != std::string::npos)
        return "HOPSCOTCH_ALGORITHM=auto: trivial is the yardstick, not the fastest.";

    const std::vector<GraphGroup> groups = grouped(report); // the one that takes most time first
    for (const GraphGroup& group : groups)
        if (setting(report, "HOPSCOTCH_INFER") == "off" && is_unexplained(group))
            return "HOPSCOTCH_INFER=on: no process grid was looked for that explains graph " +
                   std::to_string(group.ids.front()) + ".";
    for (const GraphGroup& group : groups)
        if (const std::string step = mapping_step(group); !step.empty())
            return step;
    if (report.job.shares_cores)
        return "at most one rank per core: here ranks wait for a core, and times say little of Hopscotch.";
    if (gain(report).verdict == Verdict::slower)
        return step_after_a_loss(report);
    if (!contradictions(report).empty())
        return "`hopscotch compare`: calls took far longer than the trials that chose how they are carried.";
    if (const Gain won = gain(report); won.compared_calls == 0 && won.others_share > 0.0)
        return "cores that nobody else uses, or `hopscotch compare`, which repeats runs: " +
               disturbed_text(won.others_share) + " during the trials of this run.";
    if (gain_text(report).empty() && sum.accelerated > 0)
        return "`hopscotch compare`: this run did not measure what its calls gained.";
    if (const std::string step = edge_order_step(report, groups); !step.empty())
        return step;
    if (sum.native > 0)
        return "nothing: the reasons why " + counted(sum.native, "call") + " ran natively are given above.";
    return "nothing: Hopscotch carried all calls.";
}

} // namespace hopscotch::shim
