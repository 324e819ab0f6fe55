// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A library whose destructor calls MPI_Finalize.
#include <mpi.h>
#include <stdio.h>

__attribute__((destructor)) static void finalize(void)
{
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return;
    MPI_Finalize();
    printf("finalized by a library\n");
}
