// SPDX-License-Identifier: BSD-3-Clause
// A program that ends without MPI_Finalize, and with an exit code of its own, or by MPI_Abort.
//
//   no_finalize [exit code [abort [rank that calls MPI_Abort]]]
#include "exchange.h"

#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    const int code = argc > 1 ? atoi(argv[1]) : 0;
    int size;
    int rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int lists[2] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, lists, MPI_UNWEIGHTED, 2, lists, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    const int wrong = exchange_and_check(graph, 1, 3, 2, lists, 2, lists);
    const int status = conclude("no_finalize", wrong);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 2 && rank == (argc > 3 ? atoi(argv[3]) : 0)) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    if (argc > 2) {
        MPI_Barrier(MPI_COMM_WORLD); // ended from outside
    }
    exit(status != 0 ? 77 : code);
}
