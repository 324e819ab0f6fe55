// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators that one process could not make are given back by all.
#include "test/catch.hpp"

#include "shim/call/reordering.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/sparse/sparse_communicator.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>
#include <vector>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

Functions library; // the functions of the MPI library
int living;        // communicators made since, less those freed

/// While it lives graphs cannot be made on the last process, and all communicators are counted.
struct NoGraphs {
    NoGraphs()
    {
        type_map(MPI_INT); // the proof of the first type makes a communicator
        library = next;
        living = 0;
        next.Comm_free = [](MPI_Comm* comm) { return --living, library.Comm_free(comm); };
        next.Comm_create_group = [](MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
            return ++living, library.Comm_create_group(comm, group, tag, made);
        };
        next.Comm_split = [](MPI_Comm comm, int color, int key, MPI_Comm* made) {
            return ++living, library.Comm_split(comm, color, key, made);
        };
        next.Dist_graph_create_adjacent = [](MPI_Comm comm, int in, const int* from, const int* in_weights, int out,
                                             const int* to, const int* out_weights, MPI_Info info, int reorder,
                                             MPI_Comm* made) {
            const int code = library.Dist_graph_create_adjacent(comm, in, from, in_weights, out, to, out_weights, info,
                                                                reorder, made);
            if (world().rank + 1 < world().size)
                return ++living, code;
            library.Comm_free(made);
            return int{MPI_ERR_OTHER};
        };
        mutable_runtime().active = true;
    }
    ~NoGraphs()
    {
        next = library;
        mutable_runtime().active = false;
    }
};

} // namespace

TEST_CASE("A graph for MPI_Alltoallv that one process could not make is freed on all, and the calls are passed on")
{
    if (world().size < 3)
        return;
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    const auto size = static_cast<std::size_t>(world().size);
    const std::vector<int> places(size, 0);
    std::vector<int> counts(size, 0);
    std::vector<int> from(size, 0);
    counts[static_cast<std::size_t>((world().rank + 1) % world().size)] = 1;
    from[(static_cast<std::size_t>(world().rank) + size - 1) % size] = 1;
    int buffer[2] = {};
    const BlockArguments send(buffer, counts.data(), places.data(), MPI_INT);
    const BlockArguments receive(buffer + 1, from.data(), places.data(), MPI_INT);
    {
        const NoGraphs no_graphs;
        SparseCommunicator* const known = SparseCommunicator::find(comm);
        REQUIRE(known != nullptr);
        known->look(send, receive);
        CHECK_FALSE(known->agree(comm, send, receive, Completion::persistent, false));
        CHECK(known->graph() == nullptr);
        CHECK(known->graph_handle() == MPI_COMM_NULL);
        CHECK(living == 0);
    }
    check(MPI_Comm_free(&comm));
}

TEST_CASE("A communicator with other ranks that one process could not make is freed on all")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    const NoGraphs no_graphs;
    CollectiveConsensus consensus(comm.get());
    CHECK(made_again(consensus, world().rank, world().rank, MPI_INFO_NULL) == MPI_COMM_NULL);
    CHECK(living == 0);
}
