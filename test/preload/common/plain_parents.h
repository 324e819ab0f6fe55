// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Included first with Open MPI from 5.0 on: its MPI_Dist_graph_create_adjacent, given a Cartesian communicator, makes
// one that it takes for Cartesian, too (seen with 5.0.7), and neighborhood collectives on it fail. Programs that are to
// be compared with them give it the same processes without a grid.
#pragma once

#include <mpi.h>

static inline int graph_of_plain_parent(MPI_Comm parent, int indegree, const int sources[], const int source_weights[],
                                        int outdegree, const int destinations[], const int destination_weights[],
                                        MPI_Info info, int reorder, MPI_Comm* graph)
{
    int kind = MPI_UNDEFINED;
    if (parent != MPI_COMM_NULL)
        MPI_Topo_test(parent, &kind);
    if (kind != MPI_CART)
        return MPI_Dist_graph_create_adjacent(parent, indegree, sources, source_weights, outdegree, destinations,
                                              destination_weights, info, reorder, graph);
    MPI_Comm plain;
    MPI_Comm_split(parent, 0, 0, &plain);
    const int code = MPI_Dist_graph_create_adjacent(plain, indegree, sources, source_weights, outdegree, destinations,
                                                    destination_weights, info, reorder, graph);
    MPI_Comm_free(&plain);
    return code;
}

#define MPI_Dist_graph_create_adjacent graph_of_plain_parent
