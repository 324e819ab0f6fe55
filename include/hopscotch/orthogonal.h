/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Collectives with a meaning that follows the topology of the communicator, and their base communicators, subgraphs and
 * windows.
 * Source: J. L. Träff, S. Hunold, G. Mercier, D. J. Holmes, "Collectives and Communicators: A Case for Orthogonality",
 * EuroMPI 2020, in the extended version, section 2. Included by <hopscotch.h>, which has the rules for all functions.
 * The same meanings under the MPI_ names of an unmodified program: HOPSCOTCH_SEMANTICS=orthogonal.
 *
 * On a graph communicator (MPI_DIST_GRAPH or MPI_GRAPH) a process talks to its s sources and t targets, in the order of
 * the communicator's lists. The same holds on a communicator of Hop_Cart_neighborhood_create; there a neighbor beyond a
 * border has its place in the list and its block, which is not changed. On all others - without topology, Cartesian (a
 * name, no topology), between groups - a function has the meaning of its namesake in MPI.
 */
#ifndef HOPSCOTCH_ORTHOGONAL_H
#define HOPSCOTCH_ORTHOGONAL_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A communicator without topology or attributes (Listing 1): of the same processes in the same order; of the local
 * group for an inter-communicator. To be freed. Errors: MPI_ERR_ARG for a null pointer. Collective: over comm, for
 * an inter-communicator over both groups. */
int Hop_Comm_base(MPI_Comm comm, MPI_Comm* basecomm);

/* The collectives on a communicator with neighborhoods; on others the MPI function of the name, with its errors. A
 * process that is no neighbor of the root may return at once. Collective: over comm; the root is the same on all
 * processes. */

/** Returns after all sources have entered. Not transitive. Errors: MPI_ERR_TOPOLOGY if an edge is named by one of its
 * processes only or a rank does not exist. */
int Hop_Barrier(MPI_Comm comm);
/** From root to its targets; buffers of others stay untouched. Errors: MPI_ERR_TOPOLOGY if an edge is named by one of
 * its processes only or a rank does not exist; MPI_ERR_ROOT for an invalid root; MPI_ERR_COUNT; MPI_ERR_TYPE. */
int Hop_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
/** Block i of the root's recvbuf comes from its i-th source, once per edge; its own only over an edge to itself.
 * MPI_IN_PLACE as sendbuf of the root leaves its own block in place. Shape: sendbuf one block, recvbuf and arrays of
 * the root s blocks. Units: displacements of the v form in extents of recvtype. Errors: MPI_ERR_TOPOLOGY if an edge is
 * named by one of its processes only or a rank does not exist; MPI_ERR_ROOT for an invalid root; MPI_ERR_BUFFER for
 * MPI_IN_PLACE on another process; MPI_ERR_COUNT; MPI_ERR_TYPE; MPI_ERR_TRUNCATE if a block does not fit. */
int Hop_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm);
int Hop_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm);
/** Block i of the root's sendbuf goes to its i-th target. Over parallel edges the last one stays. MPI_IN_PLACE as
 * recvbuf of the root leaves its own block in place. Shape: recvbuf one block, sendbuf and arrays of the root t blocks.
 * Units: displacements of the v form in extents of sendtype. Errors: MPI_ERR_TOPOLOGY if an edge is named by one of its
 * processes only or a rank does not exist; MPI_ERR_ROOT for an invalid root; MPI_ERR_BUFFER for MPI_IN_PLACE on another
 * process; MPI_ERR_COUNT; MPI_ERR_TYPE; MPI_ERR_TRUNCATE if a block does not fit. */
int Hop_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm);
int Hop_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
/** Like MPI_Neighbor_allgather and MPI_Neighbor_allgatherv: the same block to all targets, block i from source i.
 * Shape: sendbuf one block, recvbuf and arrays s blocks. Units: displacements of the v form in extents of the type.
 * Errors: MPI_ERR_COUNT, and those of these functions. */
int Hop_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm);
int Hop_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                   const int displs[], MPI_Datatype recvtype, MPI_Comm comm);
/** Hop_Allgather with a type for every source (section 2.1; not in MPI). On other communicators every process is a
 * source. Shape: arrays s. Units: displacements in bytes. Errors: MPI_ERR_TOPOLOGY if an edge is named by one of its
 * processes only or a rank does not exist; MPI_ERR_BUFFER for MPI_IN_PLACE; MPI_ERR_COUNT; MPI_ERR_TYPE. */
int Hop_Allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
/** Like MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw: block i to target i, block i from
 * source i; on other communicators the displacements of the last are still of type MPI_Aint. Shape: arrays and blocks t
 * to send, s to receive. Units: displacements in extents of the type, of the last in bytes. Errors: MPI_ERR_COUNT, and
 * those of these functions. */
int Hop_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm);
int Hop_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int Hop_Alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                  void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                  MPI_Comm comm);
/** recvbuf of the root is x_0 op x_1 op ... over its sources in list order, parallel edges counted; its own value takes
 * part only over an edge to itself. No source: untouched. MPI_IN_PLACE as sendbuf of the root. Shape: buffers count
 * elements. Errors: MPI_ERR_TOPOLOGY if an edge is named by one of its processes only or a rank does not exist;
 * MPI_ERR_ROOT for an invalid root; MPI_ERR_BUFFER for MPI_IN_PLACE on another process; MPI_ERR_COUNT; MPI_ERR_TYPE;
 * MPI_ERR_OP. */
int Hop_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               MPI_Comm comm);
/** Hop_Reduce in the neighborhood of every process (section 3.4). On Cartesian neighborhoods
 * values may be combined on their way (see Hop_Cart_allreduce). MPI_IN_PLACE as sendbuf of all. Shape: buffers count
 * elements. Errors: MPI_ERR_TOPOLOGY if an edge is named by one of its processes only or a rank does not exist;
 * MPI_ERR_COUNT; MPI_ERR_TYPE; MPI_ERR_OP. */
int Hop_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
/** Not defined on graph communicators. Shape: that of MPI's function. Errors: a class of its own, with an explanation
 * in its MPI_Error_string. */
int Hop_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm);
int Hop_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm);
int Hop_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Hop_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* The same, nonblocking: *request is completed by MPI_Wait, MPI_Test and the like. Buffers and argument arrays belong
 * to the call until then, as in MPI; types and operators may be freed before. All processes begin their collectives on
 * a communicator in the same order. The first collective of any form on a communicator with neighborhoods sets it up
 * and may wait for the other processes, like MPI_Comm_dup. Errors besides: MPI_ERR_ARG for a null request;
 * MPI_ERR_UNSUPPORTED_OPERATION in a program that is linked with Hopscotch behind its MPI library, because its MPI_Wait
 * does not know such requests, or if the MPI library lacks the function. Collective: over comm. */

/** Hop_Barrier, nonblocking. */
int Hop_Ibarrier(MPI_Comm comm, MPI_Request* request);
/** Hop_Bcast, nonblocking. */
int Hop_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request);
/** Hop_Gather, nonblocking. */
int Hop_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request);
/** Hop_Gatherv, nonblocking. */
int Hop_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request);
/** Hop_Scatter, nonblocking. */
int Hop_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request);
/** Hop_Scatterv, nonblocking. */
int Hop_Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request);
/** Hop_Allgather, nonblocking. */
int Hop_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
/** Hop_Allgatherv, nonblocking. */
int Hop_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
/** Hop_Allgatherw, nonblocking. */
int Hop_Iallgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request* request);
/** Hop_Alltoall, nonblocking. */
int Hop_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
/** Hop_Alltoallv, nonblocking. */
int Hop_Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request* request);
/** Hop_Alltoallw, nonblocking. */
int Hop_Ialltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                   const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request* request);
/** Hop_Reduce, nonblocking. */
int Hop_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request);
/** Hop_Allreduce, nonblocking. */
int Hop_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request);
/** Hop_Reduce_scatter_block, nonblocking. */
int Hop_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request);
/** Hop_Reduce_scatter, nonblocking. */
int Hop_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request);
/** Hop_Scan, nonblocking. */
int Hop_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request* request);
/** Hop_Exscan, nonblocking. */
int Hop_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request);

/* The same, persistent: *request is inactive until MPI_Start and is freed by MPI_Request_free; processes may start
 * their requests in any order. info: MPI_INFO_NULL, or anything; no key is known on a communicator with neighborhoods.
 * Errors as above. Collective: over comm. */

/** Hop_Barrier, persistent. */
int Hop_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Bcast, persistent. */
int Hop_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request);
/** Hop_Gather, persistent. */
int Hop_Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Gatherv, persistent. */
int Hop_Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request* request);
/** Hop_Scatter, persistent. */
int Hop_Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Scatterv, persistent. */
int Hop_Scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request);
/** Hop_Allgather, persistent. */
int Hop_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Allgatherv, persistent. */
int Hop_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        MPI_Request* request);
/** Hop_Allgatherw, persistent. */
int Hop_Allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        MPI_Info info, MPI_Request* request);
/** Hop_Alltoall, persistent. */
int Hop_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Alltoallv, persistent. */
int Hop_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                       void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request);
/** Hop_Alltoallw, persistent. */
int Hop_Alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                       const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Reduce, persistent. */
int Hop_Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Allreduce, persistent. */
int Hop_Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request);
/** Hop_Reduce_scatter_block, persistent. */
int Hop_Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Reduce_scatter, persistent. */
int Hop_Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request);
/** Hop_Scan, persistent. */
int Hop_Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request);
/** Hop_Exscan, persistent. */
int Hop_Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request);

/** The part of a graph between the processes of `subcomm` (a subset of graphcomm's): lists without the others, in
 * order, with multiplicities and weights. Without a graph topology the result is a duplicate of subcomm. To be
 * freed. Errors: MPI_ERR_COMM for null communicators; MPI_ERR_ARG for a null pointer. Collective: over subcomm. */
int Hop_Comm_subgraph(MPI_Comm graphcomm, MPI_Comm subcomm, MPI_Comm* subgraph);

/* Parts of a communicator that keep its subgraph (section 2.4); otherwise like the MPI function of that name. On
 * communicators without a graph topology they are equal to it. Errors: MPI_ERR_ARG for a null pointer. Collective: over
 * comm. */
/** MPI_Comm_split with parts that keep the edges between their processes. */
int Hop_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm);
/** MPI_Comm_split_type with parts that keep the edges between their processes. */
int Hop_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);
/** MPI_Comm_create with a result that keeps the edges between its processes. */
int Hop_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm);
/** MPI_Comm_create_group with a result that keeps the edges between its processes. Collective: over group. */
int Hop_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm);

/* Windows (section 2.5). A window made or bound here over a graph communicator opens its epochs towards neighbors:
 * access to the targets, exposure to the sources. On all others the functions have MPI's meaning. */

/** MPI_Win_create, then Hop_Win_bind. Errors: MPI_ERR_ARG for a null pointer; those of MPI_Win_create. Collective:
 * over comm. */
int Hop_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win);
/** Binds a window, however it was made over comm, to the neighborhoods of comm. Errors: MPI_ERR_WIN for MPI_WIN_NULL.
 * Local. */
int Hop_Win_bind(MPI_Comm comm, MPI_Win win);
/** The sources and targets of the caller as groups, each process once; to be freed. Errors: MPI_ERR_TOPOLOGY for a
 * window without neighborhood; MPI_ERR_WIN for MPI_WIN_NULL; MPI_ERR_ARG for null pointers. Local. */
int Hop_Win_neighbor_groups(MPI_Win win, MPI_Group* sources, MPI_Group* targets);
/** Ends the epoch of the previous Hop_Win_fence and, unless assertion has MPI_MODE_NOSUCCEED, begins the next:
 * exposure to the sources, access to the targets. Waits for neighbors only. Errors: MPI_ERR_WIN for MPI_WIN_NULL.
 * Collective: over the window. */
int Hop_Win_fence(int assertion, MPI_Win win);
/** MPI_Win_post for the sources, MPI_Win_start for the targets; ended by MPI_Win_wait and MPI_Win_complete. Errors:
 * MPI_ERR_TOPOLOGY for a window without neighborhood; MPI_ERR_WIN for MPI_WIN_NULL. Collective: over the neighbors,
 * as MPI says of its functions. */
int Hop_Win_post(int assertion, MPI_Win win);
int Hop_Win_start(int assertion, MPI_Win win);
/** Ends the epoch of the last Hop_Win_fence if one is open, then MPI_Win_free. Errors: MPI_ERR_ARG for a null
 * pointer; MPI_ERR_WIN for MPI_WIN_NULL. Collective: over the window. */
int Hop_Win_free(MPI_Win* win);

#ifdef __cplusplus
}
#endif

#endif
