// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The communicators of one process and the windows over them, with the neighbors of those that have a topology. Tables
// of fixed sizes. The caller holds the lock of the record.
#pragma once

#include "shim/mpi/next.hpp"

#include <vector>

namespace hopscotch::shim
{

enum class Direction : unsigned char { out, in };

/// The ranks that a process may send to and receive from by the topology of a communicator, increasing.
struct TopologyNeighbors {
    std::vector<int> destinations;
    std::vector<int> sources;

    bool operator==(const TopologyNeighbors& other) const
    {
        return destinations == other.destinations && sources == other.sources;
    }
};

/// A communicator as it was when it was first used.
struct CommunicatorRecord {
    MPI_Comm handle{};
    bool used = false;
    bool freed = false;
    bool inter = false;
    int size = 0;
    int rank = 0;  // of this process
    int first = 0; // world ranks of its first, middle and last process: whoever has the same ones is the same
    int middle = 0;
    int last = 0;
    int topology = 0;                             // as MPI_Topo_test says
    const TopologyNeighbors* neighbors = nullptr; // null: there is no topology, or it is not known
    int dimensions = 0;                           // of a Cartesian communicator
    int dims[8] = {};
    int periods[8] = {};

    /// True if the topology has an edge between this process and the other one, in that direction, or there is none to
    /// go by.
    bool leads_to(int peer, Direction direction) const;
};

/// The number of a communicator. The last one is for all that found no room.
int communicator_of(MPI_Comm comm);
const CommunicatorRecord& communicator_record(int index);
void forget_communicator(MPI_Comm comm) noexcept;

/// False without room for it: then nothing is known of the window.
bool keep_window(MPI_Win window, MPI_Comm comm);

/// The number of the communicator that a window was made over; -1: not known.
int communicator_of_window(MPI_Win window) noexcept;
void forget_window(MPI_Win window) noexcept;

/// -1: it is in no process of MPI_COMM_WORLD.
int world_rank_of(MPI_Comm comm, bool inter, int rank);

} // namespace hopscotch::shim
