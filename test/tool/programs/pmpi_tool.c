// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A tool of the classical kind: defines MPI_X, calls PMPI_X, and prints its counts at the end.
#include <mpi.h>
#include <stdio.h>

static int graphs;
static int blocking;
static int nonblocking;
static int waits;

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int source_weights[],
                                   int outdegree, const int destinations[], const int weights[], MPI_Info info,
                                   int reorder, MPI_Comm* graph)
{
    ++graphs;
    return PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree, destinations, weights,
                                           info, reorder, graph);
}

int MPI_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm)
{
    ++blocking;
    return PMPI_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request)
{
    ++nonblocking;
    return PMPI_Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status)
{
    ++waits;
    return PMPI_Wait(request, status);
}

int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("tool on %d: %d graphs, %d + %d calls, %d waits\n", rank, graphs, blocking, nonblocking, waits);
    fflush(stdout);
    return PMPI_Finalize();
}
