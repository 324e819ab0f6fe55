// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pcontrol at every level a profiling library may know, between collectives: no result changes.
#include "exchange.h"

#include <mpi.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int lists[2];
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, lists, &graph);
    const int levels[] = {0, 1, 2, 0, 0, 1, 99, -1, 1};
    int wrong = 0;
    for (int i = 0; i < (int)(sizeof levels / sizeof levels[0]); ++i) {
        MPI_Pcontrol(levels[i]);
        wrong += exchange_and_check(graph, i, 1 + i, 2, lists, 2, lists);
    }
    MPI_Comm_free(&graph);
    const int status = conclude("pcontrol", wrong);
    MPI_Finalize();
    return status;
}
