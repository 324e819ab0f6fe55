// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes neighborhood calls; one process is late at one of them: requests_late calls
#include "../program.h"

#include <unistd.h>

int main(int argc, char** argv)
{
    int sent[4], received[4], sum = 0;
    const int calls = argc > 1 ? atoi(argv[1]) : 20;
    begin_program(&argc, &argv);
    const int dims[2] = {2, size / 2}, periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    for (int call = 0; call < calls; ++call) {
        for (int i = 0; i < 4; ++i)
            sent[i] = call + 1;
        if (rank == size - 1 && call == 10)
            usleep(1400000); // the others wait for longer than a second
        if (call % 3 == 0) {
            MPI_Request request;
            MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, grid, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, grid);
        }
        for (int i = 0; i < 4; ++i)
            sum += received[i];
    }
    printf("rank %d: sum %d\n", rank, sum);
    return end_program(0);
}
