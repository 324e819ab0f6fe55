// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A report of known numbers, used by the tests of all forms of the report.
#pragma once

#include "shim/report/statistics.hpp"

namespace hopscotch::shim
{

inline const OperationKey combining{"MPI_Neighbor_alltoall", "combining", ""};
inline const OperationKey native{"MPI_Neighbor_alltoallw", "native", "a datatype with overlapping blocks"};

inline GraphRecord moore(std::uint64_t key, int rank)
{
    GraphRecord graph;
    graph.key = key;
    graph.created_by = "MPI_Dist_graph_create_adjacent";
    graph.call_site = {"setup (halo.c:3)", "main (halo.c:9)"};
    graph.ranks = 27;
    graph.out_degree_min = graph.out_degree_max = 26;
    graph.isomorphic = true;
    graph.dims = {3, 3, 3};
    graph.periodic = {true, true, true};
    graph.wraps = {true, true, true};
    graph.found = "inferred";
    graph.reorder = "ranks stay: no mapping was found that has fewer edges between nodes";
    if (rank == 0)
        graph.edges = {702, 486, 162, 486, 162};
    graph.stencil_name = "moore";
    graph.stencil_radius = 1;
    graph.stencil_neighbors = 26;
    graph.rounds = 6;
    graph.volume = 54;
    graph.phases = 3;
    graph.schedule_groups = "0/1/2";
    graph.setup_seconds = 0.001;
    graph.operations[combining] = {{1000, 0, 456000, 6000, 26000, 0, 0, 1000, 432000}, rank == 0 ? 0.25 : 0.5};
    graph.operations[combining].block_sizes = {{64, 900}, {2047, 100}};
    graph.operations[combining].durations = {{0, 1}, {196608, 599}, {393216, 400}};
    return graph;
}

inline GraphRecord ring(std::uint64_t key)
{
    GraphRecord graph;
    graph.key = key;
    graph.created_by = "MPI_Graph_create";
    graph.ranks = 27;
    graph.out_degree_min = 1;
    graph.out_degree_max = 3;
    graph.declined = "the neighbors fit no process grid";
    return graph;
}

inline Report two_ranks(const std::vector<GraphRecord>& first, const std::vector<GraphRecord>& second)
{
    Report report;
    report.job.version = "0.1.0";
    report.job.mpi_library = "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n"
                             "MPICH Device:\tch4:ofi\n";
    report.job.ranks = 27;
    report.job.nodes = 1;
    report.job.elapsed_seconds = 2.0;
    report.job.command = "./stencil -n 100";
    add(report, first);
    add(report, second);
    return report;
}

inline Report example()
{
    GraphRecord with_native = moore(20, 0);
    with_native.operations[native] = {{5, 0, 80, 10, 10, 0, 0, 5, 80}, 1e-5};
    with_native.trials = {{"MPI_Neighbor_alltoall", 64, "native", 5e-5, false},
                          {"MPI_Neighbor_alltoall", 64, "combining", 1.25e-5, true}};
    Report report = two_ranks({with_native, ring(30)}, {moore(20, 1), ring(30)});
    report.job.settings = {{"HOPSCOTCH_YIELD", "always"}};
    return report;
}

} // namespace hopscotch::shim
