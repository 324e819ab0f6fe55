// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes of processes, and the weight of edges between nodes: for programs that compare ranks before and after mapping.
#ifndef NODE_EDGES_H
#define NODE_EDGES_H

#include "../../program.h"

// In all, and of the node with most.
typedef struct {
    long long sum, most;
} NodeEdges;

// For each rank of MPI_COMM_WORLD the first one on its node. Collective: over MPI_COMM_WORLD. The caller frees it.
static inline int* nodes_of_world(void)
{
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    int first = rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    int* all = calloc((size_t)size, sizeof *all);
    MPI_Allgather(&first, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    return all;
}

// The edges that leave the processes of comm: those of this process lead to `targets` and have `weights`; null: each
// weighs 1. Shape: `out` entries each. Collective: over comm.
static inline NodeEdges edges_between_nodes(MPI_Comm comm, const int* node_of_world, int out, const int* targets,
                                            const int* weights)
{
    int processes = 0;
    MPI_Comm_size(comm, &processes);
    int* world_ranks = calloc((size_t)processes, sizeof *world_ranks);
    long long* leaving = calloc((size_t)size, sizeof *leaving); // by node
    MPI_Allgather(&rank, 1, MPI_INT, world_ranks, 1, MPI_INT, comm);
    const int node = node_of_world[rank];
    for (int i = 0; i < out; ++i) {
        if (node_of_world[world_ranks[targets[i]]] != node) {
            leaving[node] += weights != NULL ? weights[i] : 1;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, leaving, size, MPI_LONG_LONG, MPI_SUM, comm);
    NodeEdges edges = {0, 0};
    for (int i = 0; i < size; ++i) {
        edges.sum += leaving[i];
        edges.most = leaving[i] > edges.most ? leaving[i] : edges.most;
    }
    free(leaving);
    free(world_ranks);
    return edges;
}

#endif
