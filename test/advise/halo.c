/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   The stencil code of docs/advice.md: a periodic box, 27 points with weights of their own, a halo of one cell. By
   default the halo is exchanged by MPI_Irecv, MPI_Isend and MPI_Waitall, as it was written first; with -c by one
   neighborhood collective, as the advice says. Both print the same checksum.

     mpiexec -n 8 halo [-c] [-n cells per side and process] [-i iterations] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_neighbors = 26 };

static int side = 4, iterations = 100, collective = 0;
static int dims[3], neighbors[most_neighbors];
static int offsets[most_neighbors][3];
static int out_at[most_neighbors], in_at[most_neighbors]; /* where the block of each neighbor lies */
static int peer_count, peers[most_neighbors], counts[most_neighbors], displacements[most_neighbors];
static MPI_Comm grid, halo;
static double seconds; /* of all exchanges, without packing */

static size_t cell(int x, int y, int z)
{
    return ((size_t)x * (size_t)(side + 2) + (size_t)y) * (size_t)(side + 2) + (size_t)z;
}

/* Copies the cells that face a neighbor: of the interior into a block, or from a block into the halo. */
static void copy_layer(double* cells, const int* offset, int is_halo, double* block)
{
    int first[3], last[3];
    for (int k = 0; k < 3; ++k) {
        const int inside = offset[k] < 0 ? 1 : side;
        first[k] = offset[k] == 0 ? 1 : is_halo ? inside + offset[k] : inside;
        last[k] = offset[k] == 0 ? side : first[k];
    }
    for (int x = first[0]; x <= last[0]; ++x) {
        for (int y = first[1]; y <= last[1]; ++y) {
            for (int z = first[2]; z <= last[2]; ++z, ++block) {
                if (is_halo) {
                    cells[cell(x, y, z)] = *block;
                } else {
                    *block = cells[cell(x, y, z)];
                }
            }
        }
    }
}

/* Blocks for one process stand together: along a dimension of one or two processes several directions lead to it. What
   travels in direction i comes from the side 25 - i, so that the blocks from a process stand in the opposite order. */
static void order_blocks(void)
{
    for (int i = 0, at = 0; i < most_neighbors; ++i) {
        int is_new = 1;
        for (int j = 0; j < i; ++j) {
            is_new = is_new && neighbors[j] != neighbors[i];
        }
        if (!is_new) {
            continue;
        }
        int count = 0;
        for (int j = 0; j < most_neighbors; ++j) {
            if (neighbors[j] == neighbors[i]) {
                out_at[j] = at + side * side * count++;
            }
        }
        for (int j = 0, last = count; j < most_neighbors; ++j) {
            if (neighbors[j] == neighbors[i]) {
                in_at[j] = at + side * side * --last;
            }
        }
        peers[peer_count] = neighbors[i];
        counts[peer_count] = side * side * count;
        displacements[peer_count++] = at;
        at += side * side * count;
    }
}

static void make_halo(void)
{
    MPI_Dist_graph_create_adjacent(grid, peer_count, peers, MPI_UNWEIGHTED, peer_count, peers, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &halo);
}

static void make_grid(void)
{
    const int periods[3] = {1, 1, 1};
    int size, rank, here[3];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 3, here);
    for (int i = 0; i < most_neighbors; ++i) {
        const int point = i < most_neighbors / 2 ? i : i + 1;
        int there[3];
        for (int k = 0, rest = point; k < 3; ++k, rest /= 3) {
            offsets[i][k] = rest % 3 - 1;
            there[k] = here[k] + offsets[i][k];
        }
        MPI_Cart_rank(grid, there, &neighbors[i]);
    }
}

/* Blocks have one size, that of a face. */
static void exchange_messages(const double* out, double* in)
{
    MPI_Request requests[2 * most_neighbors];
    for (int i = 0; i < most_neighbors; ++i) {
        MPI_Irecv(in + in_at[i], side * side, MPI_DOUBLE, neighbors[i], most_neighbors - 1 - i, grid, &requests[i]);
    }
    for (int i = 0; i < most_neighbors; ++i) {
        MPI_Isend(out + out_at[i], side * side, MPI_DOUBLE, neighbors[i], i, grid, &requests[most_neighbors + i]);
    }
    MPI_Waitall(2 * most_neighbors, requests, MPI_STATUSES_IGNORE);
}

static void exchange_halo(double* cells, double* out, double* in)
{
    for (int i = 0; i < most_neighbors; ++i) {
        copy_layer(cells, offsets[i], 0, out + out_at[i]);
    }
    const double begin = MPI_Wtime();
    if (collective) {
        MPI_Neighbor_alltoallv(out, counts, displacements, MPI_DOUBLE, in, counts, displacements, MPI_DOUBLE, halo);
    } else {
        exchange_messages(out, in);
    }
    seconds += MPI_Wtime() - begin;
    for (int i = 0; i < most_neighbors; ++i) {
        copy_layer(cells, offsets[i], 1, in + in_at[i]);
    }
}

static void relax(const double* from, double* to)
{
    for (int x = 1; x <= side; ++x) {
        for (int y = 1; y <= side; ++y) {
            for (int z = 1; z <= side; ++z) {
                double sum = 0;
                for (int i = 0; i < most_neighbors; ++i) {
                    sum += (i + 1) * from[cell(x + offsets[i][0], y + offsets[i][1], z + offsets[i][2])];
                }
                to[cell(x, y, z)] = 0.5 * from[cell(x, y, z)] + 0.5 / 351 * sum;
            }
        }
    }
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int option;
    while ((option = getopt(argc, argv, "cn:i:")) != -1) {
        collective = option == 'c' ? 1 : collective;
        side = option == 'n' ? atoi(optarg) : side;
        iterations = option == 'i' ? atoi(optarg) : iterations;
    }
    make_grid();
    order_blocks();
    if (collective) {
        make_halo();
    }
    const size_t cells = cell(side + 2, 0, 0);
    double* from = calloc(cells, sizeof *from);
    double* to = calloc(cells, sizeof *to);
    double* out = calloc((size_t)most_neighbors * (size_t)(side * side), sizeof *out);
    double* in = calloc((size_t)most_neighbors * (size_t)(side * side), sizeof *in);
    int rank;
    MPI_Comm_rank(grid, &rank);
    for (size_t i = 0; i < cells; ++i) {
        from[i] = (double)((i * 7919 + (size_t)rank * 104729) % 1000);
    }
    for (int iteration = 0; iteration < iterations; ++iteration) {
        exchange_halo(from, out, in);
        relax(from, to);
        double* swap = from;
        from = to;
        to = swap;
    }
    double sum = 0, total = 0;
    for (size_t i = cell(1, 1, 1); i < cell(side, side, side + 1); ++i) {
        sum += from[i] * (double)(i % 97 + (size_t)rank);
    }
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
    if (rank == 0) {
        printf("checksum: %.12g\n", total);
        printf("time: %.3f us for each exchange\n", 1e6 * seconds / (iterations > 0 ? iterations : 1));
    }
    free(from);
    free(to);
    free(out);
    free(in);
    if (collective) {
        MPI_Comm_free(&halo);
    }
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
