// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes and starts requests of its host. Opened with RTLD_DEEPBIND, it finds the MPI library's own functions.
#include <mpi.h>

int plugin_wait(MPI_Request* request, MPI_Status* status)
{
    return MPI_Wait(request, status);
}

int plugin_test(MPI_Request* request, int* flag, MPI_Status* status)
{
    return MPI_Test(request, flag, status);
}

int plugin_waitall(int count, MPI_Request* requests, MPI_Status* statuses)
{
    return MPI_Waitall(count, requests, statuses);
}

int plugin_waitany(int count, MPI_Request* requests, int* index, MPI_Status* status)
{
    return MPI_Waitany(count, requests, index, status);
}

int plugin_status(MPI_Request request, int* flag, MPI_Status* status)
{
    return MPI_Request_get_status(request, flag, status);
}

int plugin_start(MPI_Request* request)
{
    return MPI_Start(request);
}
