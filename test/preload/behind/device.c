// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim: an MPI library that says it takes buffers in the memory of a device, of CUDA or of
// DEVICE_KIND. On rank DEVICE_RANK alone if that is set. With DEVICE_OLD it is older than MPI 4 and, like MPICH 3.4,
// ends the program at the question.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int takes(const char* kind)
{
    if (getenv("DEVICE_OLD") != NULL)
        abort();
    const char* wanted = getenv("DEVICE_RANK");
    const char* own = getenv("PMI_RANK");
    const char* told = getenv("DEVICE_KIND");
    return strcmp(told != NULL ? told : "cuda", kind) == 0 &&
           (wanted == NULL || (own != NULL && strcmp(wanted, own) == 0));
}

#define ANSWER(kind)                                                                                                   \
    int MPIX_Query_##kind##_support(void);                                                                             \
    int MPIX_Query_##kind##_support(void)                                                                              \
    {                                                                                                                  \
        return takes(#kind);                                                                                           \
    }
ANSWER(cuda)
ANSWER(hip)
ANSWER(rocm)
ANSWER(ze)

int PMPI_Get_version(int* version, int* subversion)
{
    *version = getenv("DEVICE_OLD") != NULL ? 3 : 4;
    *subversion = getenv("DEVICE_OLD") != NULL ? 1 : 0;
    return MPI_SUCCESS;
}
