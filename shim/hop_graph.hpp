// Collectives in the neighborhoods of a graph communicator, as the 2020 paper defines them; for Hop_ and for MPI_
// names.
#pragma once

#include "shim/hop_neighborhood.hpp"

namespace hopscotch::shim
{

/// Whether collectives on it go to neighbors: MPI_DIST_GRAPH and MPI_GRAPH. Local.
bool is_graph(MPI_Comm comm);

/// What a graph communicator needs for them: its lists, and a communicator for our messages.
struct GraphLinks {
    GraphLinks(MPI_Comm comm, schedules::Edges lists) : edges(std::move(lists)), messages(comm) {}

    schedules::Edges edges;
    PrivateCommunicator messages;
};

/// Made by the first call. Throws: Refused{MPI_ERR_TOPOLOGY} as demand_both_ends does. Collective: over comm, a graph
/// communicator.
GraphLinks& links_of(MPI_Comm comm);

/// The arguments are those of the MPI functions, comm is a graph communicator. Collective: over comm. Return
/// MPI_SUCCESS. Throw: Refused for arguments, MpiError.
int graph_barrier(MPI_Comm comm);
int graph_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int graph_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm);
int graph_gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                  const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm);
int graph_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm);
int graph_scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                   void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int graph_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int graph_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm);
int graph_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// The error of a collective that has no meaning on graph communicators; its MPI_Error_string says so. Local.
int undefined_on_graphs();

} // namespace hopscotch::shim
