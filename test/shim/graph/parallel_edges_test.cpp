// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The match between several edges from one process to another and their slots is that of the MPI library.
#include "test/catch.hpp"

#include "shim/graph/parallel_edges.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <algorithm>
#include <mpi.h>
#include <numeric>
#include <tuple>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// Compares each order that was learned with the delivery by the library. Slots of MPI_PROC_NULL neighbors keep a 0.
void compare_orders(const Job& job)
{
    const JobCommunicator comm(job);
    const Detected detected = detect(comm.get());
    const Graph& graph = *detected.graph;
    CHECK(graph.parallel_edges);
    CHECK(graph.edges_for(Matching::alltoall, Completion::blocking).source_order == graph.edges.source_order);
    const std::vector<int> standard = schedules::standard_order(graph.edges, false);
    bool is_standard = true;
    for (const Matching matching : {Matching::alltoall, Matching::alltoallv, Matching::alltoallw})
        for (const Completion completion : {Completion::blocking, Completion::nonblocking})
            is_standard = is_standard && graph.edges_for(matching, completion).source_order == standard;
    CHECK(graph.nonstandard_order == !is_standard);
    const std::size_t most = graph.edges.destinations.size() + graph.edges.sources.size() + 1;
    std::vector<int> sent = graph.edges.destination_order;
    sent.resize(most);
    const std::vector<int> ones(most, 1);
    std::vector<int> places(most);
    std::vector<MPI_Aint> bytes(most);
    for (std::size_t i = 0; i < most; ++i) {
        places[i] = static_cast<int>(i);
        bytes[i] = static_cast<MPI_Aint>(i * sizeof(int));
    }
    const std::vector<MPI_Datatype> types(most, MPI_INT);
    const auto check_order = [&](Matching matching, Completion completion, auto&& exchange) {
        INFO("form " << static_cast<int>(matching) << ", completion " << static_cast<int>(completion));
        std::vector<int> received(most, 0);
        exchange(received.data());
        received.resize(graph.edges.sources.size());
        CHECK(received == graph.edges_for(matching, completion).source_order);
    };
    const auto wait = [](MPI_Request request) { check(MPI_Wait(&request, MPI_STATUS_IGNORE)); };
    check_order(Matching::alltoall, Completion::blocking, [&](int* received) {
        check(MPI_Neighbor_alltoall(sent.data(), 1, MPI_INT, received, 1, MPI_INT, comm.get()));
    });
    check_order(Matching::alltoall, Completion::nonblocking, [&](int* received) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Ineighbor_alltoall(sent.data(), 1, MPI_INT, received, 1, MPI_INT, comm.get(), &request));
        wait(request);
    });
    check_order(Matching::alltoallv, Completion::blocking, [&](int* received) {
        check(MPI_Neighbor_alltoallv(sent.data(), ones.data(), places.data(), MPI_INT, received, ones.data(),
                                     places.data(), MPI_INT, comm.get()));
    });
    check_order(Matching::alltoallv, Completion::nonblocking, [&](int* received) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Ineighbor_alltoallv(sent.data(), ones.data(), places.data(), MPI_INT, received, ones.data(),
                                      places.data(), MPI_INT, comm.get(), &request));
        wait(request);
    });
    if (graph.unequal_degrees)
        return; // MPI_Neighbor_alltoallw of MPICH 4.0.2 hangs
    check_order(Matching::alltoallw, Completion::blocking, [&](int* received) {
        check(MPI_Neighbor_alltoallw(sent.data(), ones.data(), bytes.data(), types.data(), received, ones.data(),
                                     bytes.data(), types.data(), comm.get()));
    });
    check_order(Matching::alltoallw, Completion::nonblocking, [&](int* received) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Ineighbor_alltoallw(sent.data(), ones.data(), bytes.data(), types.data(), received, ones.data(),
                                      bytes.data(), types.data(), comm.get(), &request));
        wait(request);
    });
}

} // namespace

TEST_CASE("The learned order is that of the MPI library's delivery")
{
    std::mt19937 random(seed());
#ifdef OPEN_MPI
    const std::vector<bool> all_periods{true}; // at a border Open MPI 4.1 crashes: docs/libraries.md
#else
    const std::vector<bool> all_periods{true, false};
#endif
    for (const bool periodic : all_periods)
        compare_orders(shuffled_job(schedules::Topology({world().size}, {periodic}),
                                    schedules::Stencil(1, {1, 1, 1, -1, 0, 0}), random));
}

TEST_CASE("Processes without a source or destination learn the order of the others")
{
    if (world().size < 2)
        return;
    Job job;
    for (int rank = 0; rank < world().size; ++rank)
        job.edges.push_back({rank, {}, {}, {}, {}});
    job.edges[0] = {0, {1, 1, 1}, {}, {0, 1, 2}, {}};
    job.edges[1] = {1, {}, {0, 0, 0}, {}, {2, 1, 0}};
    compare_orders(job);
}

namespace
{

int edges_here = 0;         // each process has so many to itself
int reversing_function = 0; // of those below; 0: none

/// Stands for a function of the library.
template <int function, class... Arguments>
int deliver(Arguments... arguments)
{
    const std::tuple<Arguments...> all(arguments...);
    int* const to = static_cast<int*>(std::get<void*>(all));
    std::copy_n(static_cast<const int*>(std::get<const void*>(all)), edges_here, to);
    if (function == reversing_function)
        std::reverse(to, to + edges_here);
    if constexpr (function > 3)
        *std::get<MPI_Request*>(all) = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

} // namespace

TEST_CASE("One kind of call with another order is enough for a graph that is not in the standard order")
{
    const ReplacedFunctions replaced;
    Settings settings;
    settings.one_copy_bytes = 4711; // no graph of another test is kept with them
    next.MPI_Neighbor_alltoall = deliver<1>;
    next.MPI_Neighbor_alltoallv = deliver<2>;
    next.MPI_Neighbor_alltoallw = deliver<3>;
    next.MPI_Ineighbor_alltoall = deliver<4>;
    next.MPI_Ineighbor_alltoallv = deliver<5>;
    next.MPI_Ineighbor_alltoallw = deliver<6>;
    for (reversing_function = 0; reversing_function <= 6; ++reversing_function) {
        edges_here = 2 + reversing_function;
        Job job;
        for (int rank = 0; rank < world().size; ++rank) {
            std::vector<int> order(static_cast<std::size_t>(edges_here));
            std::iota(order.begin(), order.end(), 0);
            const std::vector<int> own(order.size(), rank);
            job.edges.push_back({rank, own, own, order, order});
        }
        INFO("function " << reversing_function);
        CHECK(detect(JobCommunicator(job).get(), settings).graph->nonstandard_order == (reversing_function != 0));
    }
}
