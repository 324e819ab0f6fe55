// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What is known of a collective on a graph before any call.
#include "test/catch.hpp"

#include "shim/selection/choice.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// A torus of 3 x 3 processes, each with neighbors in these directions.
Graph torus(std::vector<int> shifts)
{
    Graph graph;
    graph.ranks = 9;
    graph.topology = schedules::Topology({3, 3}, {true, true});
    graph.stencil = schedules::sorted(schedules::Stencil(2, std::move(shifts)));
    graph.out_degree_min = graph.out_degree_max = graph.in_degree_min = graph.in_degree_max = graph.stencil.size();
    return graph;
}

} // namespace

TEST_CASE("Collectives have one size or many, one block or one for each")
{
    CHECK(is_allgather(Collective::allgather));
    CHECK(is_allgather(Collective::allgatherv));
    CHECK(is_allgather(Collective::global_allgather));
    CHECK_FALSE(is_allgather(Collective::alltoallw));
    CHECK(is_regular(Collective::alltoall));
    CHECK(is_regular(Collective::allgather));
    CHECK_FALSE(is_regular(Collective::alltoallv));
    CHECK_FALSE(is_regular(Collective::allgatherv));
    CHECK(forwards(Algorithm::combining));
    CHECK(forwards(Algorithm::aggregated));
    CHECK_FALSE(forwards(Algorithm::shared));
}

TEST_CASE("All processes know the size of regular blocks where chains of neighbors connect them")
{
    const Graph connected = torus({0, 1, 1, 0});
    CHECK(knows_block_size(connected, Collective::alltoall));
    CHECK_FALSE(knows_block_size(connected, Collective::alltoallv));
    CHECK(shares_block_size(connected, Collective::alltoall, Algorithm::combining));
    const Graph rows = torus({0, 1, 0, -1}); // nobody passes a size on to another row
    CHECK_FALSE(knows_block_size(rows, Collective::alltoall));
    CHECK_FALSE(shares_block_size(rows, Collective::alltoall, Algorithm::combining));
    CHECK(shares_block_size(rows, Collective::alltoall, Algorithm::merged));
    CHECK(knows_block_size(rows, Collective::global_allgather));
    Graph idle = torus({0, 1, 1, 0});
    idle.in_degree_min = idle.out_degree_min = 0;
    CHECK_FALSE(shares_block_size(idle, Collective::alltoall, Algorithm::merged));
}

TEST_CASE("The MPI library is no measure where it would deliver other blocks")
{
    Settings settings;
    Graph graph = torus({0, 1, 1, 0});
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoallw));
    graph.unequal_degrees = true;
    CHECK(library_differs(graph, settings, Collective::alltoallw));
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoallv));
    graph.parallel_edges = true;
    CHECK_FALSE(library_differs(graph, settings, Collective::alltoall));
    settings.parallel_edges = ParallelEdges::standard;
    CHECK(library_differs(graph, settings, Collective::alltoall));
    CHECK_FALSE(library_differs(graph, settings, Collective::global_allgather));
}
