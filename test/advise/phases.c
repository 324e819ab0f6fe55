/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A halo dimension by dimension: the columns are awaited before the rows, which hold their corners, are sent. 2-D mesh.
   In the style of CloverLeaf. */
#include "common.h"

static void exchange_chunks(const int dims[2])
{
    const int periods[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        MPI_Request requests[4];
        int count = 0;
        for (int way = -1; way <= 1; way += 2) {
            const int offset[2] = {k == 0 ? way : 0, k == 1 ? way : 0};
            const int peer = at(2, dims, periods, offset);
            if (peer != MPI_PROC_NULL) {
                MPI_Irecv(field[1][2 * k + (way > 0)], 50, MPI_DOUBLE, peer, k, MPI_COMM_WORLD, &requests[count++]);
                MPI_Isend(field[0][2 * k + (way > 0)], 50, MPI_DOUBLE, peer, k, MPI_COMM_WORLD, &requests[count++]);
            }
        }
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[2] = {4, 3};
    for (int step = 0; step < 12; ++step) {
        exchange_chunks(dims);
        compute();
    }
    return end_program(0);
}
