/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   How long a call of MPI_Irecv, MPI_Isend and MPI_Waitall takes, in exchanges of one process with itself: to be run
   with and without the advice. With any argument threads may call MPI at once. */
#include "common.h"

/* Nanoseconds a call; the best of many samples. */
static double best(int messages, int exchanges)
{
    char in[8], out[8] = {0};
    MPI_Request requests[64];
    double shortest = 1;
    for (int sample = 0; sample < 60; ++sample) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < exchanges; ++i) {
            for (int k = 0; k < messages; ++k) {
                MPI_Irecv(in, 8, MPI_CHAR, 0, k, MPI_COMM_SELF, &requests[k]);
            }
            for (int k = 0; k < messages; ++k) {
                MPI_Isend(out, 8, MPI_CHAR, 0, k, MPI_COMM_SELF, &requests[messages + k]);
            }
            MPI_Waitall(2 * messages, requests, MPI_STATUSES_IGNORE);
        }
        const double seconds = (MPI_Wtime() - begin) / exchanges;
        shortest = seconds < shortest ? seconds : shortest;
    }
    return 1e9 * shortest / (2 * messages + 1);
}

int main(int argc, char** argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    printf("nanoseconds a call: %.1f with 2 messages, %.1f with 52\n", best(1, 2000), best(26, 500));
    return end_program(0);
}
