// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The match between several edges from one process to another and their slots is that of the MPI library.
#include "test/catch.hpp"

#include "shim/graph/parallel_edges.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("The learned order is that of the MPI library's delivery")
{
    std::mt19937 random(seed());
    const Job job =
        shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {1, 1, 1, -1, 0, 0}), random);
    const JobCommunicator comm(job);
    const Detected detected = detect(comm.get());
    const Graph& graph = *detected.graph;
    CHECK(graph.parallel_edges);
    std::vector<int> sent;
    for (std::size_t i = 0; i < graph.edges.destinations.size(); ++i)
        sent.push_back(graph.edges.destination_order[i]);
    std::vector<int> received(graph.edges.sources.size(), -1);
    check(MPI_Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm.get()));
    CHECK(received == graph.edges.source_order);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ineighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm.get(), &request));
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(received == graph.edges_for(Matching::alltoall, Completion::nonblocking).source_order);
}
