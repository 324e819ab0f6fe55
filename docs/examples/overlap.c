/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A halo that travels while the process computes: MPI_Ineighbor_alltoallv on a graph of two neighbors, whose blocks
   have different lengths.

       mpicc.mpich -O2 docs/examples/overlap.c -o overlap
       scripts/hopscotch run mpiexec.mpich -n 4 ./overlap */
#include <mpi.h>
#include <stdio.h>

enum { to_left = 20, to_right = 50, inner = 10000 };

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int size, rank, wrong = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int neighbors[2] = {(rank + size - 1) % size, (rank + 1) % size};
    const int out_counts[2] = {to_left, to_right}, out_at[2] = {0, to_left};
    const int in_counts[2] = {to_right, to_left}, in_at[2] = {0, to_right}; /* from the left, from the right */
    const int sources[2] = {neighbors[0], neighbors[1]};
    MPI_Comm line;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &line);
    int out[to_left + to_right], in[to_right + to_left];
    double sum = 0;
    for (int step = 0; step < 100; ++step) {
        for (int i = 0; i < to_left + to_right; ++i) {
            out[i] = 1000 * rank + step;
        }
        MPI_Request request;
        MPI_Ineighbor_alltoallv(out, out_counts, out_at, MPI_INT, in, in_counts, in_at, MPI_INT, line, &request);
        for (int i = 0; i < inner; ++i) { /* needs no halo */
            sum += 1.0 / (i + 1 + step);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += size > 2 && (in[0] != 1000 * neighbors[0] + step || in[to_right] != 1000 * neighbors[1] + step);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(wrong == 0 && sum > 0 ? "right" : "wrong");
    }
    MPI_Comm_free(&line);
    MPI_Finalize();
    return wrong != 0;
}
