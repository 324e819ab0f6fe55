// What is counted on every process, and how the counts of all processes become one report; knows no MPI.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hopscotch::shim
{

/// Counters of one MPI function on one graph carried one way. Only the thread inside that collective call writes them.
struct OperationCounters {
    std::uint64_t calls = 0;
    std::uint64_t failed = 0;            // calls that returned an error
    std::uint64_t bytes = 0;             // block bytes this process sent to other processes, every hop counted
    std::uint64_t messages = 0;          // messages this process sent
    std::uint64_t messages_trivial = 0;  // messages the trivial schedule would have sent
    double seconds = 0.0;                // time inside the call
};

/// Which counters: the MPI function ("MPI_Neighbor_alltoall"), the algorithm, and why it was not accelerated ("" if it was).
struct OperationKey {
    std::string function;
    std::string algorithm;
    std::string reason;

    bool operator<(const OperationKey& other) const
    {
        return std::tie(function, algorithm, reason) < std::tie(other.function, other.algorithm, other.reason);
    }
};

/// What one process knows of one graph communicator. Fields other than the operations, `neighbors` and `setup_seconds`
/// are the same on all its processes.
struct GraphRecord {
    std::uint64_t key = 0;              // agreed by its processes, distinct within the job; orders the report
    std::string created_by;             // the MPI function that made it
    std::vector<std::string> call_site; // innermost first; filled by the lowest rank of the graph only
    int ranks = 0;
    int out_degree_min = 0, out_degree_max = 0; // over the processes of the graph
    bool isomorphic = false;
    std::string declined; // why nothing but direct messages or the native call is possible; "" if isomorphic
    std::vector<int> dims;
    std::vector<bool> periodic;
    std::string found; // "parent", "hint", "recorded", "inferred", "" when there is no box
    std::string stencil_name;
    int stencil_radius = 0;
    int stencil_neighbors = 0;
    int rounds = 0;
    int volume = 0;
    double setup_seconds = 0.0; // spent by the shim when the communicator was created
    std::map<OperationKey, OperationCounters> operations;
};
