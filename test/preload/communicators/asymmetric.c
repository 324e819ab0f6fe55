// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A graph of MPI_Graph_create with edges from each process to the next one only. MPI allows this, though no
// neighborhood collective may be called on it: so none is. The report must show Hopscotch's view of it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int* index = malloc((size_t)size * sizeof *index);
    int* edges = malloc((size_t)size * sizeof *edges);
    if (index == NULL || edges == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    for (int i = 0; i < size; ++i) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Comm ring;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &ring);
    MPI_Comm_free(&ring);
    free(index);
    free(edges);
    if (rank == 0) {
        puts("asymmetric: ok");
    }
    MPI_Finalize();
    return 0;
}
