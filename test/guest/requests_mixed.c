// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes neighborhood collectives in one array with other requests of all kinds, and prints the received data:
// requests_mixed waitall|waitany|waitsome|testall|testany|testsome
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { rounds = 20, kinds = 8 };

static int no_status(void* state, MPI_Status* status)
{
    MPI_Status_set_elements(status, MPI_INT, 7);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    return MPI_SUCCESS;
}

static int no_free(void* state)
{
    return MPI_SUCCESS;
}

static int no_cancel(void* state, int complete)
{
    return MPI_SUCCESS;
}

static void complete(const char* how, MPI_Request* requests, MPI_Status* statuses)
{
    int flag = 0, index = 0, count = 0, indices[kinds];
    MPI_Status some[kinds];
    if (strcmp(how, "waitall") == 0) {
        MPI_Waitall(kinds, requests, statuses);
    } else if (strcmp(how, "testall") == 0) {
        while (flag == 0)
            MPI_Testall(kinds, requests, &flag, statuses);
    } else if (strstr(how, "any") != NULL) {
        while (index != MPI_UNDEFINED) {
            MPI_Status status;
            flag = 1;
            if (strcmp(how, "waitany") == 0)
                MPI_Waitany(kinds, requests, &index, &status);
            else
                MPI_Testany(kinds, requests, &index, &flag, &status);
            if (flag != 0 && index != MPI_UNDEFINED)
                statuses[index] = status;
            else if (flag == 0)
                index = 0;
        }
    } else {
        while (count != MPI_UNDEFINED) {
            if (strcmp(how, "waitsome") == 0)
                MPI_Waitsome(kinds, requests, &count, indices, some);
            else
                MPI_Testsome(kinds, requests, &count, indices, some);
            for (int i = 0; i < count; ++i)
                statuses[indices[i]] = some[i];
        }
    }
}

int main(int argc, char** argv)
{
    int me, size, got = -1, kept = -1, elements = 0;
    const char* how = argc > 1 ? argv[1] : "waitall";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int left = (me + size - 1) % size, right = (me + 1) % size;
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
    MPI_Request requests[kinds], kept_ones[kinds];
    MPI_Status statuses[kinds];
    for (int i = 0; i < kinds; ++i)
        kept_ones[i] = MPI_REQUEST_NULL;
    int sent = 0, received[2] = {0, 0}, sum = 0;
    // For MPICH 4.0.2 persistent collectives are never inactive, and MPI_Testall ends the job.
#ifndef NO_PERSISTENT
    if (strcmp(how, "waitall") == 0) {
        MPI_Neighbor_alltoall_init(&sent, 1, MPI_INT, &received[1], 1, MPI_INT, ring, MPI_INFO_NULL, &kept_ones[1]);
        MPI_Allreduce_init(&sent, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &kept_ones[2]);
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &kept_ones[6]);
    }
#endif
    MPI_Recv_init(&kept, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &kept_ones[3]);
    for (int round = 0; round < rounds; ++round) {
        sent = 1000 * me + round;
        got = kept = received[0] = received[1] = sum = -1;
        for (int i = 0; i < kinds; ++i) {
            requests[i] = kept_ones[i];
            if (requests[i] != MPI_REQUEST_NULL)
                MPI_Start(&requests[i]);
        }
        MPI_Ineighbor_alltoall(&sent, 1, MPI_INT, &received[0], 1, MPI_INT, ring, &requests[0]);
        MPI_Irecv(&got, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[4]);
        MPI_Isend(&sent, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[5]);
        MPI_Grequest_start(no_status, no_free, no_cancel, NULL, &requests[7]);
        MPI_Grequest_complete(requests[7]);
        MPI_Send(&round, 1, MPI_INT, right, 6, MPI_COMM_WORLD);
        complete(how, requests, statuses);
        MPI_Get_count(&statuses[7], MPI_INT, &elements);
        if (round % 10 == 9)
            printf("rank %d: %d %d %d %d, from %d tag %d, from %d tag %d, own %d %d %d\n", me, received[0], received[1],
                   got, kept, statuses[4].MPI_SOURCE, statuses[4].MPI_TAG, statuses[3].MPI_SOURCE, statuses[3].MPI_TAG,
                   statuses[7].MPI_SOURCE, statuses[7].MPI_TAG, elements);
        if (kept_ones[2] != MPI_REQUEST_NULL && sum != 1000 * size * (size - 1) / 2 + size * round)
            printf("rank %d: sum %d\n", me, sum);
        for (int i = 0; i < kinds; ++i)
            if (requests[i] != kept_ones[i])
                printf("rank %d: handle %d is another\n", me, i);
    }
    for (int i = 0; i < kinds; ++i)
        if (kept_ones[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&kept_ones[i]);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
