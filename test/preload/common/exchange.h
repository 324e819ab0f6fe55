// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shared by the small programs: one checked round of both regular operations on any graph.
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <mpi.h>

// Calls MPI_Neighbor_alltoall and MPI_Neighbor_allgather with `cells` cells (below 1000) per block; the lists are those
// the graph was made of. `round` tells the data of one round from that of another.
// Returns the number of wrong blocks of this process. Collective over the graph.
int exchange_and_check(MPI_Comm graph, int round, int cells, int sources, const int* source, int destinations,
                       const int* destination);

// Starts a nonblocking exchange on a ring. Rank 0 sends two numbers to each neighbor, which expects one: their requests
// end with MPI_ERR_TRUNCATE. One at a time. Collective over the graph.
void start_mismatch(MPI_Comm ring, MPI_Request* request);

// Sets an info key by a word of the command line, KEY=VALUE; with "odd:" before it on the last process of
// MPI_COMM_WORLD alone. Another word ends the job.
void set_key(const char* program, MPI_Info info, const char* word);

// Prints the fault of one slot; returns 1.
int complain(int rank, const char* function, int slot, int from, long long got);

#endif
