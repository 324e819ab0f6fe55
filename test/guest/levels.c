// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that controls profilers by MPI_Pcontrol, with levels of all kinds, and prints the returned values.
#include "../program.h"

static void exchange(MPI_Comm ring, int level)
{
    const int out[2] = {rank, rank + level};
    int in[2] = {-1, -1};
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    printf("rank %d, level %d: %d, received %d\n", rank, level, MPI_Pcontrol(level, "region", 7, 2.5), in[0] + in[1]);
}

int main(int argc, char** argv)
{
    MPI_Comm ring;
    begin_program(&argc, &argv);
    int list[2];
    MPI_Pcontrol(0);
    make_ring(MPI_COMM_WORLD, list, &ring);
    const int levels[] = {1, 2, 0, -1, 99, 2147483647, 1};
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; ++i) {
        exchange(ring, levels[i]);
    }
    MPI_Pcontrol(argc > 1 ? 0 : 1);
    MPI_Comm_free(&ring);
    return end_program(0);
}
