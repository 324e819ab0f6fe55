/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   No halo: rank 0 hands out tasks to whoever asks, by MPI_ANY_SOURCE. */
#include "common.h"

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int task = 0;
    if (rank == 0) {
        for (int open = size - 1; open > 0;) {
            int result;
            MPI_Status status;
            MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            const int next = task < 200 ? task++ : -1;
            open -= next < 0;
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
        }
    } else {
        while (task >= 0) {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compute();
        }
    }
    return end_program(0);
}
