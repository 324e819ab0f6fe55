// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The record of each process as rank 0 receives it: numbers only, sent without conversion.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

inline constexpr double in_a_second = 1e9; // nanoseconds

struct SeenSite {
    std::int64_t function;
    std::int64_t object; // hash of the file's name; 0: the program itself
    std::int64_t offset; // of the return address in the object
    std::int64_t caller_object;
    std::int64_t caller_offset; // of the caller of the function around it; 0: not told apart
    std::int64_t calls;
    std::int64_t nanoseconds;
    std::int64_t wait_nanoseconds;
    std::int64_t start_nanoseconds;
    std::int64_t waited_at; // index of another site of the process, or -1
    std::int64_t started_at;
    std::int64_t overlaps;
    std::int64_t first;     // the first site of the exchange in which it posted
    std::int64_t other_way; // a site of it with messages in the other direction
    std::int64_t wildcards;
};

/// Messages between a site and a peer.
struct SeenPeer {
    std::int64_t site; // index among those of the process
    std::int64_t communicator;
    std::int64_t incoming;
    std::int64_t peer;
    std::int64_t world_peer; // -1: of another group
    std::int64_t messages;
    std::int64_t exchanges;
    std::int64_t bytes; // of all messages; of incoming ones as much as there was room for
    std::int64_t least;
    std::int64_t most;
    std::int64_t count; // elements of the last message
    std::int64_t size;  // of an element
    std::int64_t off_topology;
    std::int64_t first_epoch; // numbers of exchanges of the process
    std::int64_t last_epoch;
    std::int64_t phase; // of the last message: receives are waited for between two phases
    char type[32];      // name of a datatype of MPI's own
};

enum class SeenTopology : std::int64_t { none, cartesian, graph, distributed_graph };

struct SeenCommunicator {
    static constexpr int most_dimensions = 8;

    std::int64_t size;
    std::int64_t rank;
    std::int64_t first; // world ranks
    std::int64_t middle;
    std::int64_t last;
    std::int64_t topology; // a SeenTopology
    std::int64_t dimensions;
    std::int64_t dims[most_dimensions];
    std::int64_t periods[most_dimensions];
};

struct SeenProcess {
    std::int64_t rank = 0;
    std::int64_t host = 0;  // hash of its name
    std::int64_t cores = 0; // of the host
    std::int64_t elapsed_nanoseconds = 0;
    std::int64_t left_out = 0;
    std::vector<SeenSite> sites;
    std::vector<SeenPeer> peers;
    std::vector<SeenCommunicator> communicators;
};

/// The record of this process. `elapsed`: seconds since MPI_Init.
SeenProcess seen_here(int rank, double elapsed);

/// The records of all processes by rank, on rank 0; elsewhere nothing. Collective: over `comm`, a communicator of ours
/// with the ranks of MPI_COMM_WORLD.
std::vector<SeenProcess> gathered(const SeenProcess& own, MPI_Comm comm);

} // namespace hopscotch::shim
