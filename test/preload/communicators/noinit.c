// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An MPI program that does not start MPI this time: it only makes inquiries that are allowed before MPI_Init.
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int initialized = -1;
    int version;
    int subversion;
    MPI_Initialized(&initialized);
    MPI_Get_version(&version, &subversion);
    printf("noinit: ok, initialized %d\n", initialized);
    return 0;
}
