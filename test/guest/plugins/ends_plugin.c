// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A library whose destructor calls MPI_Finalize, and its constructor MPI_Init if ENDS_INIT=library.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void init(void)
{
    const char* const early = getenv("ENDS_INIT");
    if (early != NULL && strcmp(early, "library") == 0)
        MPI_Init(NULL, NULL);
}

__attribute__((destructor)) static void finalize(void)
{
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return;
    MPI_Finalize();
    static const char line[] = "finalized by a library\n";
    const ssize_t written = write(STDOUT_FILENO, line, sizeof line - 1); // output is no more gathered here
    (void)written;
}
