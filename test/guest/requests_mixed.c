// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes neighborhood collectives in one array with other requests of all kinds, and prints the received data:
// requests_mixed waitall|waitany|waitsome|testall|testany|testsome, or an event loop on such an array:
// requests_mixed HOW PLACE [persistent], HOW also status_any or status_some, PLACE from 0 to 5
#include "../program.h"

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define GET_STATUS_OF_MANY
#endif

enum { rounds = 20, kinds = 8, places = 6, most_steps = 20000 };

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

/// The number of complete requests, and their places.
static int complete_some(const char* how, MPI_Request* requests, int* indices)
{
    int flag = 1, count = 0, index = MPI_UNDEFINED;
    MPI_Status statuses[places];
    if (strcmp(how, "waitany") == 0)
        MPI_Waitany(places, requests, &index, &statuses[0]);
    else if (strcmp(how, "testany") == 0)
        MPI_Testany(places, requests, &index, &flag, &statuses[0]);
    else if (strcmp(how, "waitsome") == 0)
        MPI_Waitsome(places, requests, &count, indices, statuses);
    else if (strcmp(how, "testsome") == 0)
        MPI_Testsome(places, requests, &count, indices, statuses);
#ifdef GET_STATUS_OF_MANY
    else if (strcmp(how, "status_any") == 0)
        MPI_Request_get_status_any(places, requests, &index, &flag, &statuses[0]);
    else if (strcmp(how, "status_some") == 0)
        MPI_Request_get_status_some(places, requests, &count, indices, statuses);
#endif
    if (flag != 0 && index != MPI_UNDEFINED) {
        indices[0] = index;
        count = 1;
    }
    for (int i = 0; i < count && strncmp(how, "status", 6) == 0; ++i)
        MPI_Wait(&requests[indices[i]], &statuses[i]);
    return count;
}

/// An event loop that polls a list: each process posts a neighborhood collective to itself again whenever it completes,
/// until a message that has arrived before completes, too. `place`: of the message in the list. The other places hold
/// null handles and an inactive persistent request. The loop ends after so many steps without the message.
static void poll_list(const char* how, int place, int persistent)
{
    const int ours = place == 0 ? places - 1 : place - 1; // the nearest place that shows the order
    const int inactive = (place + 2) % places;
    MPI_Comm self;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &rank, MPI_UNWEIGHTED, 1, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &self);
    MPI_Request requests[places];
    for (int i = 0; i < places; ++i)
        requests[i] = MPI_REQUEST_NULL;
    int message = -1, unused = 0, out = 0, in = -1, seen = 0, wrong = 0;
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Recv_init(&unused, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &requests[inactive]);
    MPI_Irecv(&message, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[place]);
    MPI_Send(&rank, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
#ifndef NO_PERSISTENT
    if (persistent)
        MPI_Neighbor_alltoall_init(&out, 1, MPI_INT, &in, 1, MPI_INT, self, MPI_INFO_NULL, &requests[ours]);
#endif
    int posted = 0;
    for (int step = 0; step < most_steps && !seen; ++step) {
        int indices[places];
        if (!posted) {
            out = step;
            if (persistent)
                MPI_Start(&requests[ours]);
            else
                MPI_Ineighbor_alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, self, &requests[ours]);
            posted = 1;
        }
        for (int i = complete_some(how, requests, indices); i > 0; --i) {
            if (indices[i - 1] == place) {
                seen = 1;
            } else if (indices[i - 1] == ours) {
                posted = 0;
                wrong += in != out;
            } else {
                ++wrong;
            }
        }
    }
    printf("%d: %s, %d, %d wrong\n", rank, seen ? "the message has come" : "the message never comes", message - left,
           wrong);
    fflush(stdout);
    if (!seen)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (posted)
        MPI_Wait(&requests[ours], MPI_STATUS_IGNORE);
    if (persistent)
        MPI_Request_free(&requests[ours]);
    MPI_Request_free(&requests[inactive]);
    MPI_Comm_free(&self);
}

int main(int argc, char** argv)
{
    int got = -1, kept = -1, elements = 0;
    const char* how = argc > 1 ? argv[1] : "waitall";
    begin_program(&argc, &argv);
    if (argc > 2) {
        poll_list(how, atoi(argv[2]), argc > 3);
        return MPI_Finalize();
    }
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
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
        sent = 1000 * rank + round;
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
            printf("rank %d: %d %d %d %d, from %d tag %d, from %d tag %d, own %d %d %d\n", rank, received[0],
                   received[1], got, kept, statuses[4].MPI_SOURCE, statuses[4].MPI_TAG, statuses[3].MPI_SOURCE,
                   statuses[3].MPI_TAG, statuses[7].MPI_SOURCE, statuses[7].MPI_TAG, elements);
        if (kept_ones[2] != MPI_REQUEST_NULL && sum != 1000 * size * (size - 1) / 2 + size * round)
            printf("rank %d: sum %d\n", rank, sum);
        for (int i = 0; i < kinds; ++i)
            if (requests[i] != kept_ones[i])
                printf("rank %d: handle %d is another\n", rank, i);
    }
    for (int i = 0; i < kinds; ++i)
        if (kept_ones[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&kept_ones[i]);
    MPI_Comm_free(&ring);
    return end_program(0);
}
