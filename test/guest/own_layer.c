// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program with a PMPI layer of its own: it counts its MPI calls and prints them from its own MPI_Finalize.
#include "../program.h"

enum { ints = 5, neighbors = 2, most_calls = 40 };

static int sends;
static int waits;
static int collectives;
static int blocking;
static int nonblocking;
static long long bytes;

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm,
              MPI_Request* request)
{
    ++sends;
    return PMPI_Isend(buffer, count, type, destination, tag, comm, request);
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm)
{
    ++sends;
    return PMPI_Send(buffer, count, type, destination, tag, comm);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    ++collectives;
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    ++collectives;
    return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Neighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                          MPI_Datatype receive_type, MPI_Comm comm)
{
    int each;
    ++blocking;
    PMPI_Type_size(send_type, &each);
    bytes += (long long)neighbors * send_count * each;
    return PMPI_Neighbor_alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

int MPI_Ineighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request)
{
    ++nonblocking;
    return PMPI_Ineighbor_alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status)
{
    ++waits;
    return PMPI_Wait(request, status);
}

int MPI_Finalize(void)
{
    printf("layer of rank %d: %d sends, %d waits, %d collectives, %d + %d calls, %lld bytes\n", rank, sends, waits,
           collectives, blocking, nonblocking, bytes);
    fflush(stdout);
    return PMPI_Finalize();
}

int main(int argc, char** argv)
{
    int out[neighbors * ints];
    int in[neighbors * ints];
    long long sum = 0;
    MPI_Comm ring;
    MPI_Request request = MPI_REQUEST_NULL;
    begin_program(&argc, &argv);
    const char* const form = argc > 1 ? argv[1] : "blocking";
    const int list[neighbors] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, neighbors, list, MPI_UNWEIGHTED, neighbors, list, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    for (int call = 0; call < most_calls; ++call) {
        for (int i = 0; i < neighbors * ints; ++i) {
            out[i] = 1000 * call + 10 * rank + i % ints;
        }
        if (strcmp(form, "nonblocking") == 0) {
            MPI_Ineighbor_alltoall(out, ints, MPI_INT, in, ints, MPI_INT, ring, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef NO_PERSISTENT
        } else if (strcmp(form, "persistent") == 0) {
            MPI_Neighbor_alltoall_init(out, ints, MPI_INT, in, ints, MPI_INT, ring, MPI_INFO_NULL, &request);
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Request_free(&request);
#endif
        } else {
            MPI_Neighbor_alltoall(out, ints, MPI_INT, in, ints, MPI_INT, ring);
        }
        for (int i = 0; i < neighbors * ints; ++i) {
            sum += in[i];
        }
    }
    MPI_Comm_free(&ring);
    printf("sum of rank %d: %lld\n", rank, sum);
    fflush(stdout);
    return end_program(0);
}
