// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Exchanges blocks among a part of the processes of a Cartesian communicator, with other ranks than there.
//
//   shown ROWS COLUMNS LEFT_OUT [rank order]
//
// The grid is periodic; each process has up to eight neighbors. LEFT_OUT processes belong to no graph. With "rank
// order" there is no Cartesian communicator: cells are numbered row by row, the last ones are left out.
#include "../../program.h"
#include "exchange.h"

enum { most_processes = 64, most_neighbors = 8 };

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[2] = {argc > 3 ? atoi(argv[1]) : 0, argc > 3 ? atoi(argv[2]) : 0};
    const int left_out = argc > 3 ? atoi(argv[3]) : 0;
    const int in_rank_order = argc > 4;
    const int cells = dims[0] * dims[1];
    if (cells < 9 || cells > most_processes || size != (in_rank_order ? cells - left_out : cells)) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm part = MPI_COMM_WORLD;
    MPI_Comm grid = MPI_COMM_NULL;
    if (!in_rank_order) {
        const int periodic[2] = {1, 1};
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &grid);
        const int shuffled = rank * 7 % size;
        MPI_Comm_split(grid, shuffled < left_out ? MPI_UNDEFINED : 0, rank * 5 % size, &part);
    }
    int wrong = 0;
    if (part != MPI_COMM_NULL) {
        int rank_of_cell[most_processes];
        int cell_of_rank[most_processes];
        int processes;
        MPI_Comm_size(part, &processes);
        MPI_Allgather(&rank, 1, MPI_INT, cell_of_rank, 1, MPI_INT, part);
        memset(rank_of_cell, -1, sizeof rank_of_cell);
        for (int other = 0; other < processes; ++other) {
            rank_of_cell[cell_of_rank[other]] = other;
        }
        int neighbors[most_neighbors];
        int count = 0;
        for (int x = -1; x <= 1; ++x) {
            for (int y = -1; y <= 1; ++y) {
                const int row = (rank / dims[1] + x + dims[0]) % dims[0];
                const int column = (rank % dims[1] + y + dims[1]) % dims[1];
                const int other = rank_of_cell[row * dims[1] + column];
                if ((x != 0 || y != 0) && other >= 0) {
                    neighbors[count++] = other;
                }
            }
        }
        MPI_Comm graph;
        MPI_Dist_graph_create_adjacent(part, count, neighbors, MPI_UNWEIGHTED, count, neighbors, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &graph);
        for (int round = 1; round <= 3; ++round) {
            wrong += exchange_and_check(graph, round, round * round, count, neighbors, count, neighbors);
        }
        MPI_Comm_free(&graph);
    }
    if (!in_rank_order) {
        if (part != MPI_COMM_NULL) {
            MPI_Comm_free(&part);
        }
        MPI_Comm_free(&grid);
    }
    return conclude("shown", wrong);
}
