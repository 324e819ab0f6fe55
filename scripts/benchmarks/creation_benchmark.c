// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Times a graph that is made, called CALLS times and freed, again and again:
//
//   creation_benchmark same|others|cartesian|duplicate blocking|nonblocking CALLS ROUNDS
//
// same: the lists of each round are those of the one before; others: in another order; cartesian: by MPI_Cart_create;
// duplicate: by MPI_Comm_dup. Prints the fastest of seven means, in microseconds.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_neighbors = 6 };

static int rank;
static int size;
static int degree;
static int sources[most_neighbors];
static int destinations[most_neighbors];

static void turn(int* list)
{
    const int first = list[0];
    memmove(list, list + 1, (size_t)(degree - 1) * sizeof *list);
    list[degree - 1] = first;
}

static MPI_Comm make(const char* kind, MPI_Comm original)
{
    MPI_Comm made;
    if (strcmp(kind, "duplicate") == 0) {
        MPI_Comm_dup(original, &made);
    } else if (strcmp(kind, "cartesian") == 0) {
        const int dims[1] = {size}, periods[1] = {1};
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &made);
    } else {
        if (strcmp(kind, "others") == 0) {
            turn(sources);
            turn(destinations);
        }
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, sources, MPI_UNWEIGHTED, degree, destinations,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    }
    return made;
}

static void call(MPI_Comm comm, int blocks)
{
    int out[most_neighbors] = {0}, in[most_neighbors];
    if (blocks) {
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    } else {
        MPI_Request request;
        MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 5) {
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    const int blocks = strcmp(argv[2], "blocking") == 0;
    const int calls = atoi(argv[3]), rounds = atoi(argv[4]);
    degree = size > 2 ? most_neighbors : 2;
    for (int i = 0; i < degree; ++i) {
        destinations[i] = (rank + i + 1) % size;
        sources[i] = (rank + most_neighbors * size - i - 1) % size;
    }
    MPI_Comm original = make("same", MPI_COMM_NULL);
    double fastest = 1e9;
    for (int run = 0; run < 7; ++run) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int round = 0; round < rounds; ++round) {
            MPI_Comm made = make(argv[1], original);
            for (int i = 0; i < calls; ++i)
                call(made, blocks);
            MPI_Comm_free(&made);
        }
        const double mean = (MPI_Wtime() - begin) / rounds;
        fastest = mean < fastest ? mean : fastest;
    }
    if (rank == 0)
        printf("%.1f\n", fastest * 1e6);
    MPI_Comm_free(&original);
    MPI_Finalize();
    return 0;
}
