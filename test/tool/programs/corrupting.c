// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim: a tool that swaps the first two received blocks of MPI_Neighbor_alltoallv.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int MPI_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                           void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                           MPI_Comm comm)
{
    const int code =
        PMPI_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    if (kind != MPI_DIST_GRAPH) {
        return code;
    }
    int sources = 0;
    int destinations = 0;
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
    MPI_Aint low = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(recvtype, &low, &extent);
    if (sources < 2 || recvcounts[0] == 0 || recvcounts[1] == 0) {
        return code;
    }
    char* const first = (char*)recvbuf + rdispls[0] * extent;
    char* const second = (char*)recvbuf + rdispls[1] * extent;
    char* const kept = malloc((size_t)extent);
    memcpy(kept, first + low, (size_t)extent);
    memmove(first + low, second + low, (size_t)extent);
    memcpy(second + low, kept, (size_t)extent);
    free(kept);
    return code;
}
