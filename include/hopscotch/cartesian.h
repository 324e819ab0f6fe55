/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Cartesian Collective Communication: neighborhoods given as one list of offsets, the same on all processes.
 * Source: J. L. Träff, S. Hunold, "Cartesian Collective Communication", ICPP 2019, doi:10.1145/3337821.3337848;
 * listings are that paper's. Included by <hopscotch.h>, which has the rules for all functions.
 *
 * Shapes: d dimensions, t neighbors. An offset is d ints; a list of offsets is t*d ints, offset after offset. Block i
 * travels by offset i: it is sent to the process at (own coordinates + offset i), and block i received comes from the
 * process at (own coordinates - offset i). In periodic dimensions coordinates are taken modulo the size; beyond the
 * border of the others there is no process: nothing is sent there, and a block without source stays untouched. Offsets
 * may repeat, be zero, and be larger than the grid.
 */
#ifndef HOPSCOTCH_CARTESIAN_H
#define HOPSCOTCH_CARTESIAN_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a Cartesian communicator that carries a neighborhood (Listing 1). MPI's own functions on Cartesian
 * communicators work on the result; its MPI_Neighbor_* functions know the 2d nearest neighbors only, as in MPI.
 * Duplicates made by MPI_Comm_dup have the neighborhood too. Freed with MPI_Comm_free. Processes beyond the grid get
 * MPI_COMM_NULL and success. With reorder other than 0 processes get ranks that minimize the weight of edges between
 * nodes; it is never larger than without. Each process takes over the weights given with its new rank. The keys of
 * info, which may be MPI_INFO_NULL, are the same on all processes:
 * - "trivial": "true" for one message per neighbor, "false" for messages that are combined. Not given: the one that is
 *   predicted to be faster, by block size (section 3.1).
 * - "blocking": "true" together with trivial for one neighbor after the other, as in Listing 4. Messages of a combining
 *   schedule always travel phase by phase (Listing 5), so there it changes nothing.
 * - "hopscotch_algorithm": a value of HOPSCOTCH_ALGORITHM, if "trivial" is not given.
 * - "hopscotch_reorder": "off" leaves ranks as they are.
 * - "hopscotch_objective": "max" minimizes the weight at the node with most; "sum", the default, the sum.
 *
 * Shape: dims and periods d, as for MPI_Cart_create; targetrelative t*d, the same list on all processes (this is
 * checked); weight t, not negative, or MPI_UNWEIGHTED (or a null pointer), kept for Hop_Cart_neighbor_get. Errors:
 * MPI_ERR_DIMS for d < 1; MPI_ERR_ARG for t < 0, a missing list or a null pointer; MPI_ERR_TOPOLOGY, on all processes,
 * if their lists differ; those of MPI_Cart_create (a grid larger than comm). *cartcomm is then MPI_COMM_NULL.
 * Collective: over comm. */
int Hop_Cart_neighborhood_create(MPI_Comm comm, int d, const int dims[], const int periods[], int t,
                                 const int targetrelative[], const int* weight, MPI_Info info, int reorder,
                                 MPI_Comm* cartcomm);

/** The process at an offset from the caller; MPI_PROC_NULL beyond a border (Listing 2). On any Cartesian communicator.
 * Shape: relative d. Errors: MPI_ERR_TOPOLOGY if cartcomm is not Cartesian; MPI_ERR_ARG for null pointers. Local. */
int Hop_Cart_relative_rank(MPI_Comm cartcomm, const int relative[], int* rank);

/** The processes at -relative (*inrank) and +relative (*outrank) from the caller: the source and the target of block i
 * if relative is offset i (Listing 2). MPI_PROC_NULL beyond a border. On any Cartesian communicator. Shape: relative d.
 * Errors: MPI_ERR_TOPOLOGY if cartcomm is not Cartesian; MPI_ERR_ARG for null pointers. Local. */
int Hop_Cart_relative_shift(MPI_Comm cartcomm, const int relative[], int* inrank, int* outrank);

/** The offset of a process from the caller: in [0, size) in periodic dimensions, with its sign in the others (Listing
 * 2). On any Cartesian communicator. Shape: relative d. Errors: MPI_ERR_TOPOLOGY if cartcomm is not Cartesian;
 * MPI_ERR_RANK for an invalid rank; MPI_ERR_ARG for a null pointer. Local. */
int Hop_Cart_relative_coord(MPI_Comm cartcomm, int rank, int relative[]);

/** Number of offsets in the list of a neighborhood, t (Listing 2). Errors: MPI_ERR_TOPOLOGY for a communicator
 * without neighborhood; MPI_ERR_ARG for a null pointer. Local. */
int Hop_Cart_neighbor_count(MPI_Comm cartcomm, int* t);

/** Numbers of neighbors of the caller that exist, without MPI_PROC_NULL: the lengths of the output of
 * Hop_Cart_neighbor_get. Errors: MPI_ERR_TOPOLOGY for a communicator without neighborhood; MPI_ERR_ARG for null
 * pointers. Local. */
int Hop_Cart_neighbor_degrees(MPI_Comm cartcomm, int* indegree, int* outdegree);

/** The neighbors of the caller by the list of offsets, as ranks in list order, without those beyond a border: the
 * arguments for MPI_Dist_graph_create_adjacent (Listing 2). Weight arrays may be null or MPI_UNWEIGHTED, and are not
 * changed if the neighborhood has no weights. Shape: at most maxin and maxout entries are written. Errors:
 * MPI_ERR_TOPOLOGY for a communicator without neighborhood; MPI_ERR_ARG for a negative maximum or a missing array.
 * Local. */
int Hop_Cart_neighbor_get(MPI_Comm cartcomm, int maxin, int source[], int* sourceweight, int maxout, int target[],
                          int* targetweight);

/** The first maxt offsets as they were given, and their weights if there are any. Shape: targetrelative t*d,
 * targetweight t, or null or MPI_UNWEIGHTED. Errors: MPI_ERR_TOPOLOGY for a communicator without neighborhood;
 * MPI_ERR_ARG for a negative maximum or a missing array. Local. */
int Hop_Cart_neighbor_get_relative(MPI_Comm cartcomm, int maxt, int targetrelative[], int* targetweight);

/** The list positions, from 0, of a rank as source and as target; *inmult and *outmult count all of them. Shape: at
 * most maxin and maxout positions are written. Errors: MPI_ERR_TOPOLOGY for a communicator without neighborhood;
 * MPI_ERR_ARG for a negative maximum or a missing array. Local. */
int Hop_Cart_neighbor_find_rank(MPI_Comm cartcomm, int rank, int maxin, int sourceindex[], int* inmult, int maxout,
                                int targetindex[], int* outmult);

/** The list positions, from 0, of the process at an offset as source and as target; there are none beyond a border.
 * Shape: relative d; the rest as for Hop_Cart_neighbor_find_rank. Errors: MPI_ERR_TOPOLOGY for a communicator without
 * neighborhood; MPI_ERR_ARG for a negative maximum or a missing array. Local. */
int Hop_Cart_neighbor_find_coord(MPI_Comm cartcomm, const int relative[], int maxin, int sourceindex[], int* inmult,
                                 int maxout, int targetindex[], int* outmult);

/** Numbers of nearest neighbors along the axes of any Cartesian communicator, MPI_PROC_NULL counted: 2d each. Errors:
 * MPI_ERR_TOPOLOGY if cartcomm is not Cartesian; MPI_ERR_ARG for null pointers. Local. */
int Hop_Cart_axis_neighbors_count(MPI_Comm cartcomm, int* outdegree, int* indegree);

/** The nearest neighbors of the caller along the axes of any Cartesian communicator: per dimension the sources at (-1,
 * +1) and the targets at (+1, -1), so that blocks sent to target i arrive from source i. MPI_PROC_NULL beyond borders.
 * Shape: at most maxin and maxout entries are written. Errors: MPI_ERR_TOPOLOGY if cartcomm is not Cartesian;
 * MPI_ERR_ARG for a negative maximum or a missing array. Local. */
int Hop_Cart_axis_neighbors(MPI_Comm cartcomm, int maxin, int source[], int maxout, int target[]);

/* The collectives. Arguments are those of the MPI_Neighbor_* functions; arrays have t entries in list order. Sizes of a
 * block agree at its two ends; they may differ between blocks and between processes. The receiver of a block that does
 * not fit gets MPI_ERR_TRUNCATE. Errors of all: MPI_ERR_TOPOLOGY for a communicator without neighborhood;
 * MPI_ERR_BUFFER for MPI_IN_PLACE; MPI_ERR_COUNT for a negative count; MPI_ERR_TYPE for a null type. Collective: over
 * cartcomm. */

/** Sends block i to target i and receives block i from source i, all blocks of one size. Shape: sendbuf t blocks of
 * sendcount elements, recvbuf t blocks of recvcount. */
int Hop_Cart_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm cartcomm);
/** Hop_Cart_alltoall with a count and a displacement for each block. Shape: counts and displacements t. Units:
 * displacements in extents of the type. Errors: MPI_ERR_ARG for a missing array. */
int Hop_Cart_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                       void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                       MPI_Comm cartcomm);
/** Hop_Cart_alltoall with a count, a displacement and a type for each block. Shape: counts, displacements and types
 * t. Units: displacements in bytes. Errors: MPI_ERR_ARG for a missing array. */
int Hop_Cart_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                       const MPI_Datatype recvtypes[], MPI_Comm cartcomm);
/** Sends the same block to all targets and receives block i from source i. Shape: sendbuf one block of sendcount
 * elements, recvbuf t blocks of recvcount. */
int Hop_Cart_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm cartcomm);
/** Hop_Cart_allgather with a count and a displacement for each source. Shape: recvcounts and rdispls t. Units:
 * displacements in extents of the type. Errors: MPI_ERR_ARG for a missing array. */
int Hop_Cart_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm cartcomm);
/** Hop_Cart_allgather with a count, a displacement and a type for each source. Shape: recvcounts, rdispls and
 * recvtypes t. Units: displacements in bytes. Errors: MPI_ERR_ARG for a missing array. */
int Hop_Cart_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                        MPI_Comm cartcomm);

/* The same, nonblocking: *request is completed by MPI_Wait, MPI_Test and the like, and buffers are not touched before.
 * Several may be under way on one communicator; all its processes start them in the same order. Argument arrays may
 * change as soon as the call has returned. On a duplicate of the communicator the first collective of any form sets the
 * duplicate up and may wait for the other processes, like MPI_Comm_dup. Errors besides: MPI_ERR_ARG for a null request;
 * MPI_ERR_UNSUPPORTED_OPERATION in a program that is linked with Hopscotch behind its MPI library, because its MPI_Wait
 * does not know such requests. Collective: over cartcomm. */

/** Hop_Cart_alltoall, nonblocking. */
int Hop_Icart_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Request* request);
/** Hop_Cart_alltoallv, nonblocking. */
int Hop_Icart_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                        void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                        MPI_Comm cartcomm, MPI_Request* request);
/** Hop_Cart_alltoallw, nonblocking. */
int Hop_Icart_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                        const MPI_Datatype recvtypes[], MPI_Comm cartcomm, MPI_Request* request);
/** Hop_Cart_allgather, nonblocking. */
int Hop_Icart_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                        MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Request* request);
/** Hop_Cart_allgatherv, nonblocking. */
int Hop_Icart_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm cartcomm,
                         MPI_Request* request);
/** Hop_Cart_allgatherw, nonblocking. */
int Hop_Icart_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                         MPI_Comm cartcomm, MPI_Request* request);

/* The same, persistent: *request is inactive until MPI_Start and is freed by MPI_Request_free; processes may start
 * their requests in any order. The _init forms of the paper, below, give none. info: MPI_INFO_NULL, or anything; no key
 * is known. Errors as above. Collective: over cartcomm. */

/** Hop_Cart_alltoall, persistent. */
int Hop_Cart_alltoall_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                   int recvcount, MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Info info,
                                   MPI_Request* request);
/** Hop_Cart_alltoallv, persistent. */
int Hop_Cart_alltoallv_init_request(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                    MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                                    MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Info info, MPI_Request* request);
/** Hop_Cart_alltoallw, persistent. */
int Hop_Cart_alltoallw_init_request(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                    const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm cartcomm,
                                    MPI_Info info, MPI_Request* request);
/** Hop_Cart_allgather, persistent. */
int Hop_Cart_allgather_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                    int recvcount, MPI_Datatype recvtype, MPI_Comm cartcomm, MPI_Info info,
                                    MPI_Request* request);
/** Hop_Cart_allgatherv, persistent. */
int Hop_Cart_allgatherv_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                     const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                                     MPI_Comm cartcomm, MPI_Info info, MPI_Request* request);
/** Hop_Cart_allgatherw, persistent. */
int Hop_Cart_allgatherw_init_request(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                     const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                     MPI_Comm cartcomm, MPI_Info info, MPI_Request* request);

/* Reductions over the neighborhood (named as possible in section 2). With a commutative operator, of MPI or of the
 * program, values may be combined on their way, if that takes fewer messages: then 2rd values travel for all offsets of
 * distance up to r, instead of (2r+1)^d - 1. Sums of floating-point numbers may then differ from those in list order by
 * rounding, and between algorithms. Other operators are applied in list order, x_0 op x_1 op ..., like those of
 * Hop_Allreduce. Sources beyond a border are left out; repeated offsets count as often as they are repeated; without
 * any source recvbuf stays untouched. The own value takes part by the zero offset only. The info keys "trivial" and
 * "hopscotch_algorithm" (there combining) choose. Errors: MPI_ERR_TOPOLOGY for a communicator without neighborhood;
 * MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP; MPI_ERR_BUFFER for MPI_IN_PLACE if it is not accepted; those of the
 * nonblocking forms above. Collective: over cartcomm; count, datatype and op are the same on all processes. */

/** recvbuf is the combination of the sendbufs of all sources. Shape: count elements each. MPI_IN_PLACE as sendbuf of
 *  all. */
int Hop_Cart_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm cartcomm);
/** A value for each neighbor: recvbuf is the combination of block i of the source by offset i, for all i. Shape:
 *  sendbuf has t blocks of count elements, recvbuf one. */
int Hop_Cart_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm cartcomm);
/** Hop_Cart_allreduce, nonblocking. The operator may be freed once the call has returned. */
int Hop_Icart_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm cartcomm, MPI_Request* request);
/** Hop_Cart_reduce, nonblocking. */
int Hop_Icart_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm cartcomm,
                     MPI_Request* request);
/** Hop_Cart_allreduce, persistent. */
int Hop_Cart_allreduce_init_request(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                    MPI_Comm cartcomm, MPI_Info info, MPI_Request* request);
/** Hop_Cart_reduce, persistent. */
int Hop_Cart_reduce_init_request(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm cartcomm, MPI_Info info, MPI_Request* request);

/* The _init forms (section 2) prepare the operation of the same name, so that its first call costs no more than the
 * next. The communicator is the handle. They move no data and are never necessary; an operation called later with other
 * arguments gives the result for those other arguments. Same arguments and errors as the operation. Collective: over
 * cartcomm. */
int Hop_Cart_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm cartcomm);
int Hop_Cart_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm cartcomm);
int Hop_Cart_alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm cartcomm);
int Hop_Cart_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm cartcomm);
int Hop_Cart_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm cartcomm);
int Hop_Cart_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                             MPI_Comm cartcomm);

/** Ends the preparation of an _init; schedules live as long as their communicator, so nothing happens. Errors:
 * MPI_ERR_TOPOLOGY for a communicator without neighborhood. Local. */
int Hop_Cart_alltoall_free(MPI_Comm cartcomm);
int Hop_Cart_allgather_free(MPI_Comm cartcomm);

#ifdef __cplusplus
}
#endif

#endif
