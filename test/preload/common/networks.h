// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random communicators with a topology of every kind, and the neighbor lists of all their processes.
#ifndef NETWORKS_H
#define NETWORKS_H

#include "lists.h"

#include <mpi.h>

//   grid          a distributed graph made from a grid and a stencil: a torus, a mesh or a mixture
//   cartesian    MPI_Cart_create itself, at times for a part of the processes, at times cut by MPI_Cart_sub
//   symmetric    MPI_Graph_create
//   arbitrary    a distributed graph without any structure, at times with MPI_PROC_NULL in the lists
//   described    the same by MPI_Dist_graph_create, each process contributing any of the edges
//   almost       a distributed graph that is almost a stencil on a grid; made only on request
enum Kind { kind_grid, kind_cartesian, kind_symmetric, kind_arbitrary, kind_described, kind_almost };

typedef struct {
    enum Kind kind;
    uint64_t seed;
    int world; // processes that make it
    int size;  // processes in it; world ranks beyond have none, unless it is cut
    int cut;   // dimensions of `whole`, cut to the grid by MPI_Cart_sub; 0: not used
    int whole[most_dimensions];
    int remain[most_dimensions];
    int duplicate;
    int reorder;          // the program allows other ranks
    int weights;          // edges have some
    const MPI_Info* info; // NULL: none; Cartesian ones and those of MPI_Graph_create take none
    Pattern pattern;      // pattern of grid and cartesian
    Lists* lists;         // lists of every rank, no_process for MPI_PROC_NULL; for described only after the creation
    int edges;
    int parallel;   // several edges lead from one process to another
    int unequal;    // some process has not as many sources as destinations
    int whole_seen; // some process of a grid has all neighbors of the stencil
    int one_way;    // some process has no source, or no destination, but MPI_PROC_NULL
    int nulls;      // MPI_PROC_NULL is in the lists of a graph
} Network;

// The same on all processes. `almost`: of that kind, else of any other. Local.
void make_network(uint64_t seed, int world, int almost, Network* network);
void free_network(Network* network);

// A random ordered factorization of `size` into extents, ones included, and random periods.
void random_grid(uint64_t* state, int size, Pattern* pattern);

// Does nothing if the lists are full.
void add_edge(Network* network, int from, int to);

// The network of a pattern. Local.
void make_chosen_network(const Pattern* pattern, int duplicate, Network* network);

// Collective over MPI_COMM_WORLD; MPI_COMM_NULL on processes outside.
MPI_Comm create_communicator(Network* network);

// True if the shim may leave calls to the library under the HOPSCOTCH_ALGORITHM of this run: there may be no edges, no
// memory in common, or no grid that explains the lists for certain, or blocks above HOPSCOTCH_DEVICE.
int may_be_native(const Network* network);

void describe_network(const Network* network, char* text, size_t size);

#endif
