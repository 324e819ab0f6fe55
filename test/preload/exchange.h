// SPDX-License-Identifier: BSD-3-Clause
// What the small programs share: one checked round of both regular operations on any graph communicator.
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <mpi.h>

// Calls MPI_Neighbor_alltoall and MPI_Neighbor_allgather with `cells` cells (below 1000) per block; the lists are those
// the graph was made of. `round` tells the data of one round from that of another.
// Returns the number of wrong blocks of this process. Collective over the graph.
int exchange_and_check(MPI_Comm graph, int round, int cells, int sources, const int* source, int destinations,
                       const int* destination);

// Prints what was wrong in one slot; returns 1.
int complain(int rank, const char* function, int slot, int from, long long got);

// Ends a program: rank 0 prints one line, the result is 1 on all processes when any block was wrong on any.
// Collective over MPI_COMM_WORLD.
int conclude(const char* program, int wrong);

#endif
