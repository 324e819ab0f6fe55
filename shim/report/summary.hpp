// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums a report up: totals, graphs that are alike, reasons of calls that were not accelerated.
#pragma once

#include "shim/report/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Sums over all graphs. Collective calls count once, for any number of processes.
struct Totals : Counters {
    std::uint64_t accelerated = 0; // calls carried by another algorithm than "native"
    std::uint64_t native = 0;      // the others: calls = accelerated + native
};
Totals totals(const Report& report);
Totals totals(const GraphSummary& graph);

/// In native calls, over all processes.
double seconds_of_native(const GraphSummary& graph);

/// The mean time of one process in one call; 0 for a report that does not tell.
double seconds_per_call(const OperationSummary& operation);

/// Graphs that differ in nothing but their numbers, as one: calls, bytes and messages are sums, and there is one time
/// per process and graph that has an id of its own.
struct GraphGroup {
    std::vector<std::uint64_t> ids; // in increasing order; as the JSON report counts them
    GraphSummary sum;

    double seconds() const; // in calls, over all processes
};

/// All graphs in groups of those alike; the group with most time in calls first, then by the lowest id.
std::vector<GraphGroup> grouped(const Report& report);

/// Graphs have numbers in reports: 1, 2, ... in the order of the keys, after 0 for the key 0. The first of them.
std::uint64_t first_id(const Report& report);

/// Shares of the processes' time, from 0 to 1, by DLB's definitions (TALP). All that is not in the calls of a report
/// counts as useful, calls of other MPI functions too.
struct Efficiency {
    double parallel = 0.0;      // mean useful time over time of the run: load balance * communication
    double load_balance = 0.0;  // mean useful time over that of the process with most
    double communication = 0.0; // that of the process with most over time of the run
};

/// The parallel efficiency of the job; nothing if not all processes are counted, or there was no time.
std::optional<Efficiency> efficiency(const Report& report);

/// The reasons of calls that were not accelerated, over all graphs, most calls first.
struct ReasonCount {
    std::string reason;
    std::uint64_t calls = 0;
};
std::vector<ReasonCount> reasons(const Report& report);

/// The places an operation was called from, the one with most time first.
using SiteEntry = std::pair<CallSite, SiteNumbers<Spread>>;
std::vector<SiteEntry> sites_by_time(const OperationSummary& operation);

/// Name, version and device of the MPI library, from the text of MPI_Get_library_version: "MPICH 4.0.2, ch4:ofi".
std::string short_library(const std::string& mpi_library);

/// The value of a setting; "" for the default.
std::string setting(const Report& report, const std::string& name);

/// For people: "12.3 us", "4.56 MiB", "26 %" - three digits; "1 call", "2 calls".
std::string duration_text(double seconds);
std::string bytes_text(std::uint64_t bytes);
std::string three_digits(double value);              // without a unit: "4.17"
std::string percent_text(double part, double whole); // "-" of nothing
template <typename Number>
std::string counted(Number number, const std::string& noun)
{
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

} // namespace hopscotch::shim
