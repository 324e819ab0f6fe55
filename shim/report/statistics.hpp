// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts on every process, and joins the counts of all processes into one report; knows no MPI.
#pragma once

#include "schedules/mapping/remapping.hpp"
#include "schedules/memory/room.hpp"
#include "schedules/plan/cost.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Function names of the program's calling functions, innermost first.
using CallSite = std::vector<std::string>;

/// The same numbers on many processes: their sum, smallest, largest and scatter.
struct Spread {
    std::uint64_t count = 0;
    double mean = 0.0;
    double min = 0.0;
    double max = 0.0;
    double squares = 0.0; // sum of squared differences from the mean

    Spread& operator+=(double value) noexcept;
    Spread& operator+=(const Spread& other) noexcept;

    double total() const noexcept { return mean * static_cast<double>(count); }

    /// Coefficient of variation: standard deviation over mean; 0 if the mean is 0.
    double variation() const noexcept;
};

/// Counters of one MPI function on one graph with one algorithm. A new counter is a line here and one in
/// `counter_fields`. All code that adds, sends, writes and reads counters takes its name and its meaning from there.
struct Counters {
    std::uint64_t calls = 0;
    std::uint64_t failed = 0;           // calls, also counted in `calls`, that returned an error
    std::uint64_t bytes = 0;            // bytes of the messages: blocks and headers, every hop counted
    std::uint64_t messages = 0;         // messages this process sent
    std::uint64_t messages_trivial = 0; // messages the trivial schedule would have sent
    std::uint64_t bytes_saved = 0;      // block bytes not sent since the same message held them already
    std::uint64_t compared = 0;         // calls compared with the MPI library's (HOPSCOTCH_VERIFY)
    std::uint64_t process_calls = 0;    // calls, each counted on every process
    std::uint64_t payload_bytes = 0;    // bytes of blocks sent to other processes, in messages or through memory
    std::uint64_t differences = 0;      // calls, also counted in `compared`, that gave something else
    std::uint64_t staged_calls = 0;     // on each process, with a buffer in the memory of a device that was copied
    std::uint64_t staged_bytes = 0;     // so copied, from the device and to it
    std::uint64_t staged_ns = 0;        // that these copies took
};

/// The result of values from several processes: collective calls count once.
enum class OverProcesses { largest, sum };

struct CounterField {
    const char* name; // in the JSON report
    std::uint64_t Counters::*value;
    OverProcesses over_processes;
};

inline constexpr CounterField counter_fields[] = {
    {"calls", &Counters::calls, OverProcesses::largest},
    {"bytes", &Counters::bytes, OverProcesses::sum},
    {"messages", &Counters::messages, OverProcesses::sum},
    {"messages_trivial", &Counters::messages_trivial, OverProcesses::sum},
    {"failed", &Counters::failed, OverProcesses::largest},
    {"compared", &Counters::compared, OverProcesses::largest},
    {"bytes_saved", &Counters::bytes_saved, OverProcesses::sum},
    {"process_calls", &Counters::process_calls, OverProcesses::sum},
    {"payload_bytes", &Counters::payload_bytes, OverProcesses::sum},
    {"differences", &Counters::differences, OverProcesses::largest},
    {"staged_calls", &Counters::staged_calls, OverProcesses::sum},
    {"staged_bytes", &Counters::staged_bytes, OverProcesses::sum},
    {"staged_ns", &Counters::staged_ns, OverProcesses::sum},
};
static_assert(sizeof(Counters) == std::size(counter_fields) * sizeof(std::uint64_t), "each counter has a row");

/// Calls by size classes: by the size of the largest blocks of a class; 0: a class that has no upper end.
using CallsBySize = std::map<std::uint64_t, std::uint64_t>;

/// Blocking calls by their duration, each counted on every process: by the end of a class in nanoseconds; 0: a class
/// without end.
using CallsByDuration = std::map<std::uint64_t, std::uint64_t>;

/// Calls of one operation from one place of the program. `Time`: the seconds in these calls of one process, or the
/// Spread of those of many.
template <typename Time>
struct SiteNumbers {
    std::uint64_t calls = 0; // over many processes the largest number of one
    Time seconds{};
};

/// Counters of one operation on one graph, and the time inside these calls.
template <typename Time>
struct OperationNumbers : Counters {
    Time seconds{};
    std::map<CallSite, SiteNumbers<Time>> sites = {}; // empty unless stack traces are taken at each call
    CallsBySize block_sizes = {};
    CallsByDuration durations = {};
};
using OperationCounters = OperationNumbers<double>; // written only by the thread inside that collective call
using OperationSummary = OperationNumbers<Spread>;

/// The operation that is counted: the MPI function ("MPI_Neighbor_alltoall"), the algorithm, and the reason why it was
/// not accelerated ("" if it was).
struct OperationKey {
    std::string function;
    std::string algorithm;
    std::string reason;

    bool operator<(const OperationKey& other) const
    {
        return std::tie(function, algorithm, reason) < std::tie(other.function, other.algorithm, other.reason);
    }
};

/// The measurement of one candidate in a trial of `auto`; agreed, so the same on all processes of the graph.
struct TrialRecord {
    std::string function;               // see OperationKey
    std::uint64_t block_bytes_most = 0; // upper end of the size class; 0: all sizes are one class
    std::string algorithm;
    double seconds = 0.0; // per call, of the slowest process
    bool chosen = false;
    double others_share = -1.0; // of the cores' time, taken by others during the trial, from 0 to 1; -1: not known
};

/// The time of one exchange by itself, repeated as MPI ends; agreed, so the same on all processes of the graph.
struct AloneRecord {
    std::string function;          // nonblocking or persistent
    std::string algorithm;         // the algorithm of the program's calls
    std::uint64_t block_bytes = 0; // bytes of the largest block
    std::uint64_t exchanges = 0;   // that were measured, of each
    double seconds = 0.0;          // median over batches, of the slowest process
    double native_seconds = 0.0;   // the same for the MPI library's function
    double others_share = -1.0;    // see TrialRecord
};

using schedules::EdgeCounts;

/// A grid that explains part of a graph. Numbers are those of all its processes in one alltoall.
struct PartialRecord {
    std::vector<int> cells; // along each dimension; some may be empty
    std::string found;      // see GraphDescription, or "list order"
    std::int64_t edges = 0;
    std::int64_t combined_edges = 0;
    std::int64_t messages = 0;
    std::int64_t merged_messages = 0; // were nothing combined
};

/// The description of a graph communicator besides its counters; the same on all its processes except for the members
/// that say otherwise.
struct GraphDescription {
    std::uint64_t key = 0;    // agreed by its processes, distinct within the job; orders the report.
                              // 0: not one graph but all communicators the shim does not know
    std::string created_by;   // the MPI function that made it; "unknown" for key 0
    std::uint64_t graphs = 1; // number of graphs described: graphs that are alike and freed are kept as one
    CallSite call_site;       // filled by the lowest rank of the graph only
    int ranks = 0;
    int out_degree_min = 0, out_degree_max = 0; // over the processes of the graph
    bool isomorphic = false;
    std::string declined; // reason why only direct messages or the native call are possible; "" if isomorphic
    std::vector<int> dims;
    std::vector<bool> periodic;
    std::vector<bool> wraps; // dimensions with schedules that go over their ends: the periodic ones, and some of two
                             // processes, for which it makes no difference
    std::string found;       // "parent", "hint", "recorded", "inferred", "" without a grid
    std::string stencil_name;
    int stencil_radius = 0;
    int stencil_neighbors = 0;
    std::vector<int> offsets; // offsets of the stencil, one after the other; filled like call_site; empty if there are
                              // too many
    int rounds = 0;
    int volume = 0;
    int phases = 0;
    std::string schedule_groups; // of dimensions, in the form of HOPSCOTCH_COMBINING
    PartialRecord partial;       // no cells if nothing explains the graph in part
    EdgeCounts edges;            // filled like call_site; of graphs shown as one those of the first
    std::string reorder;         // result of the program's permission to reorder ranks; "" if it gave none
    std::vector<TrialRecord> trials;
    std::vector<AloneRecord> alone;      // filled like call_site
    bool nonstandard_edge_order = false; // on some process, and of graphs shown as one on some
};

/// One graph, with the time that the library has spent at the creation of the communicator.
template <typename Time>
struct GraphNumbers : GraphDescription {
    Time setup_seconds{};
    std::map<OperationKey, OperationNumbers<Time>> operations;
};
using GraphSummary = GraphNumbers<Spread>;

/// The record of one process for one graph communicator.
struct GraphRecord : GraphNumbers<double> {
    /// The addresses of the call site. Their names take milliseconds, so they are looked up only for a report.
    const std::vector<void*>* made_at = nullptr;
};

/// The values that graphs share if a report shows them as one, and if one record stands for them: all but keys,
/// counters and trials.
inline auto appearance(const GraphDescription& graph)
{
    return std::tie(graph.created_by, graph.call_site, graph.ranks, graph.out_degree_min, graph.out_degree_max,
                    graph.isomorphic, graph.declined, graph.dims, graph.periodic, graph.wraps, graph.found,
                    graph.stencil_name, graph.stencil_radius, graph.stencil_neighbors, graph.offsets, graph.rounds,
                    graph.volume, graph.schedule_groups, graph.partial.cells, graph.partial.messages, graph.reorder);
}

/// The record of the job as a whole; filled by the process that writes the report.
struct JobRecord {
    std::string version;     // version of Hopscotch
    std::string mpi_library; // text of MPI_Get_library_version
    int ranks = 0;
    int nodes = 0;
    double elapsed_seconds = 0.0; // from MPI_Init to the report
    std::string date;             // date of the report, in UTC, ISO 8601
    std::string id;               // from the scheduler; "" without
    std::string step, array_task; // step and array task of the job, from the scheduler; "" without
    std::string launcher;         // "" if it is not known
    int launched = 0;             // processes that the launcher started, by its own count; 0 if it does not tell
    std::string command;          // arguments separated by blanks
    std::vector<std::pair<std::string, std::string>> settings; // those that differ from the default
    bool enabled = true;                                       // HOPSCOTCH=off is false
    std::string stood_down;                    // reason why nothing could be accelerated in this job at all ("" if it
                                               // could)
    std::string partial;                       // reason why counts of some processes are missing ("" if all are there)
    std::optional<schedules::Network> network; // the network, if it was measured between nodes
    bool shares_cores = false;                 // on some node there are more ranks than cores
    std::string copied_twice;                  // reason why large blocks are copied twice on some node ("" if they are
                                               // not, or need not be)
    std::string devices;                       // run-time libraries of devices that the writing process has loaded, in
                                               // words
    std::optional<schedules::OneCopyLimits> one_copy; // limits of blocks that are copied once
};

/// A process, and its time in all calls.
struct ProcessTime {
    int rank = -1; // -1: none
    std::string host;
    double seconds = 0.0;
};

/// The data of a report.
struct Report {
    JobRecord job;
    std::uint64_t processes = 0; // number of processes with records
    std::set<std::string> hosts; // hosts of these processes
    Spread seconds;              // in all calls; one value per process, as for set-up
    Spread setup_seconds;
    ProcessTime earliest; // with most time in calls: it waits for the others
    ProcessTime slowest;  // with least
    std::map<std::uint64_t, GraphSummary> graphs;
};

/// Adds calls that the same process has made, or the same processes: the numbers are sums.
void add(OperationCounters& sum, const OperationCounters& other);

/// Adds the counters of a graph alike. The smaller key stays, so that the order of calls does not matter.
template <typename Time>
void fold(GraphNumbers<Time>& into, const GraphNumbers<Time>& other);

/// Adds the counts of one process, in any order but with every key once, or of several that were added up elsewhere;
/// the job stays as it is in `report`, but for shares_cores and copied_twice, which are of any node.
void add(Report& report, const std::vector<GraphRecord>& records);
void add(Report& report, const Report& other);

} // namespace hopscotch::shim
