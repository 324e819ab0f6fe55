// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim, under the name of a device's run-time library: an MPI library that says it takes
// buffers in the memory of a device. On rank DEVICE_RANK alone where that is set.
#include <stdlib.h>
#include <string.h>

int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void)
{
    const char* wanted = getenv("DEVICE_RANK");
    const char* own = getenv("PMI_RANK");
    return wanted == NULL || (own != NULL && strcmp(wanted, own) == 0);
}
