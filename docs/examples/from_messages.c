/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   The same halo exchange, corners included, by 16 point-to-point messages and by one neighborhood collective, as
   docs/advice.md describes it: both give the same halos.

       mpicc.mpich -O2 docs/examples/from_messages.c -o from_messages
       scripts/hopscotch run mpiexec.mpich -n 9 ./from_messages */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 6, width = n + 2, neighbors = 8, steps = 20 };

static const int offsets[neighbors][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};

// The block for or from a neighbor: a corner, row or column, of the cells or of the halo around them.
static MPI_Datatype part(const int* offset, int halo)
{
    int size[2] = {width, width}, cells[2], start[2];
    for (int k = 0; k < 2; ++k) {
        cells[k] = offset[k] == 0 ? n : 1;
        start[k] = offset[k] > 0 ? n + halo : 1 - (offset[k] < 0 ? halo : 0);
    }
    MPI_Datatype type;
    MPI_Type_create_subarray(2, size, cells, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static void exchange_by_messages(double* cells, const int* to, const int* from, const MPI_Datatype* out,
                                 const MPI_Datatype* in, MPI_Comm grid)
{
    MPI_Request requests[2 * neighbors];
    MPI_Status statuses[2 * neighbors];
    for (int i = 0; i < neighbors; ++i) {
        MPI_Irecv(cells, 1, in[i], from[i], i, grid, &requests[i]);
        MPI_Isend(cells, 1, out[i], to[i], i, grid, &requests[neighbors + i]);
    }
    MPI_Waitall(2 * neighbors, requests, statuses);
}

static MPI_Comm make_graph(const int* to, const int* from, MPI_Comm grid)
{
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(grid, neighbors, from, MPI_UNWEIGHTED, neighbors, to, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    return graph;
}

static void exchange_by_collective(double* cells, const MPI_Datatype* out, const MPI_Datatype* in, MPI_Comm graph)
{
    const int ones[neighbors] = {1, 1, 1, 1, 1, 1, 1, 1};
    const MPI_Aint starts[neighbors] = {0};
    MPI_Neighbor_alltoallw(cells, ones, starts, out, cells, ones, starts, in, graph);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int size, rank, dims[2] = {0, 0}, place[2];
    const int periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, place);

    int to[neighbors], from[neighbors];
    MPI_Datatype out[neighbors], in[neighbors];
    for (int i = 0; i < neighbors; ++i) {
        const int ahead[2] = {place[0] + offsets[i][0], place[1] + offsets[i][1]};
        const int behind[2] = {place[0] - offsets[i][0], place[1] - offsets[i][1]};
        const int opposite[2] = {-offsets[i][0], -offsets[i][1]};
        MPI_Cart_rank(grid, ahead, &to[i]);
        MPI_Cart_rank(grid, behind, &from[i]);
        out[i] = part(offsets[i], 0);
        in[i] = part(opposite, 1);
    }
    MPI_Comm graph = make_graph(to, from, grid);

    int wrong = 0;
    for (int step = 0; step < steps; ++step) {
        double one[width * width], other[width * width];
        for (int i = 0; i < width * width; ++i)
            one[i] = 1000.0 * rank + i + 0.5 * step;
        memcpy(other, one, sizeof one);
        exchange_by_messages(one, to, from, out, in, grid);
        exchange_by_collective(other, out, in, graph);
        wrong += memcmp(one, other, sizeof one) != 0;
    }
    int any = 0;
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_SUM, grid);
    if (rank == 0)
        puts(any == 0 ? "right" : "wrong");
    for (int i = 0; i < neighbors; ++i) {
        MPI_Type_free(&out[i]);
        MPI_Type_free(&in[i]);
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return any == 0 ? 0 : 1;
}
