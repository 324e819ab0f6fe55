/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Topological collectives for MPI-2: exchange with all neighbors, neighbor queries for every kind of topology, shifts.
 * Source: T. Hoefler, F. Lorenzen, D. Gregor, A. Lumsdaine, "Topological Collectives for MPI-2", proposal to the MPI
 * Forum, February 2008; sections are that paper's. Included by <hopscotch.h>, which has the rules for all functions.
 * Errors of all: MPI_ERR_TOPOLOGY for a communicator without (for the shift: without Cartesian) topology, and from an
 * exchange if an edge is named by one of its processes only or a rank does not exist.
 */
#ifndef HOPSCOTCH_TOPOLOGICAL_H
#define HOPSCOTCH_TOPOLOGICAL_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Block i to neighbor i, block i from neighbor i (section 2.1), in the order of Hop_Comm_neighbors: unlike that of
 *  MPI_Neighbor_alltoall, per dimension +1 before -1, and none beyond borders. If a process is a neighbor twice, its
 *  first block sent is the first received. On a distributed graph blocks go to the targets and come from the sources.
 *  Units: sendcount and recvcount are per neighbor. Errors: MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 *  MPI_ERR_TRUNCATE. Collective: over comm. */
int Hop_Neighbor_xchg(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm);

/** Hop_Neighbor_xchg with counts and displacements per neighbor. Shape: counts and displacements one per neighbor.
 * Units: displacements in extents of the type. Collective: over comm. */
int Hop_Neighbor_xchgv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                       void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                       MPI_Comm comm);

/** Hop_Neighbor_xchg, nonblocking: *request is completed by MPI_Wait, MPI_Test and the like. All processes of comm
 *  start their exchanges in the same order. The first exchange on a communicator, of any form, sets it up and may wait
 *  for the other processes, like MPI_Comm_dup. Errors besides: MPI_ERR_ARG for a null request,
 *  MPI_ERR_UNSUPPORTED_OPERATION in a program that is linked with Hopscotch behind its MPI library. Collective: over
 *  comm. */
int Hop_Ineighbor_xchg(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);

/** Hop_Neighbor_xchgv, nonblocking, as above. Argument arrays may change once the call has returned. Collective: over
 *  comm. */
int Hop_Ineighbor_xchgv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                        MPI_Comm comm, MPI_Request* request);

/** Number of neighbors of a rank (section 2.2): of a graph, or at distance 1 in a Cartesian topology. For a distributed
 *  graph, since its lists are not known elsewhere, the number of the caller's own targets. Errors: MPI_ERR_RANK for a
 *  rank that is none, and on a distributed graph for another process; MPI_ERR_ARG for a null pointer. Local. */
int Hop_Comm_neighbors_count(MPI_Comm comm, int rank, int* nneighbors);

/** The neighbors of a rank that Hop_Comm_neighbors_count counts, the first maxneighbors of them (section 2.2).
 * Cartesian: per dimension the process at +1, then that at -1; those beyond borders are left out. Shape: neighbors
 * maxneighbors. Errors: MPI_ERR_RANK for a rank that is none, and on a distributed graph for another process;
 * MPI_ERR_ARG for maxneighbors < 0 or a missing array. Local. */
int Hop_Comm_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]);

/** Sends to the process `disp` further along dimension `direction` and receives from the one `disp` back, as
 *  MPI_Cart_shift has them (section 2.3). Beyond a border nothing is sent or received, and rbuf stays untouched.
 *  Errors: MPI_ERR_DIMS for a direction that is none; MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE. Collective: over
 *  comm. */
int Hop_Cart_shift_xchg(const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,
                        int direction, int disp, MPI_Comm comm);

/** Hop_Cart_shift_xchg, nonblocking, as Hop_Ineighbor_xchg is. Errors besides: MPI_ERR_ARG for a null request,
 *  MPI_ERR_UNSUPPORTED_OPERATION in a program that is linked with Hopscotch behind its MPI library. Collective: over
 *  comm. */
int Hop_Icart_shift_xchg(const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,
                         int direction, int disp, MPI_Comm comm, MPI_Request* request);

#ifdef __cplusplus
}
#endif

#endif
