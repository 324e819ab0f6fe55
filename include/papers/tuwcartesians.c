/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Names of the 2019 paper's published library whose arguments are not those of ours.
 */
#include <hopscotch.h>

/* Displacements of type int where the operations take MPI_Aint: an _init only wants them to be there. */

int TUW_Cart_neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                     const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                                     const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm cartcomm)
{
    return Hop_Cart_alltoallw_init(sendbuf, sendcounts, (const MPI_Aint*)(const void*)sdispls, sendtypes, recvbuf,
                                   recvcounts, (const MPI_Aint*)(const void*)rdispls, recvtypes, cartcomm);
}

int TUW_Cart_neighbor_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                      const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                                      MPI_Comm cartcomm)
{
    return Hop_Cart_allgatherw_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                    (const MPI_Aint*)(const void*)rdispls, recvtypes, cartcomm);
}
