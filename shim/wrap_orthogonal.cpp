// The global collectives: passed straight on, unless HOPSCOTCH_SEMANTICS=orthogonal gives them the meaning of the 2020
// paper on graph communicators; but MPI_Allgather is carried by what is known of a communicator with a topology.
#include "shim/call_layouts.hpp"
#include "shim/hop_graph.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// Whether the call on comm goes to neighbors. Cost: one predicted branch where it never does.
bool to_neighbors(MPI_Comm comm) noexcept
{
    if (__builtin_expect(runtime().settings.semantics != Semantics::orthogonal, 1) || !runtime().active)
        return false;
    int kind = MPI_UNDEFINED;
    return comm != MPI_COMM_NULL && next.Topo_test(comm, &kind) == MPI_SUCCESS &&
           (kind == MPI_DIST_GRAPH || kind == MPI_GRAPH);
}

int undefined(MPI_Comm comm) noexcept
{
    return guarded(comm, []() -> int { throw MpiError{undefined_on_graphs()}; });
}

/// Displacements of MPI_Alltoallw as MPI_Neighbor_alltoallw has them. Shape: one per neighbor.
std::vector<MPI_Aint> addresses(const int* displacements, const std::vector<int>& neighbors)
{
    return displacements == nullptr ? std::vector<MPI_Aint>{}
                                    : std::vector<MPI_Aint>(displacements, displacements + neighbors.size());
}

/// Whether the send buffer is the caller's block of the receive buffer, which only MPI_IN_PLACE may say: the MPI
/// library complains of it.
bool aliased(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type, const Block& own, MPI_Count count,
             MPI_Datatype type) noexcept
{
    return send_buffer == own.address && send_count == count && send_type == type && own.bytes > 0;
}

/// MPI_Allgather among all processes. One on a communicator without a record is no business of ours.
template <class Native>
int allgather_among_all(Call call, const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type,
                        void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                        Native&& native) noexcept
{
    if (!runtime().active)
        return native();
    Communicator* const known = find_communicator(comm);
    if (known == nullptr)
        return native();
    const bool in_place = send_buffer == MPI_IN_PLACE;
    if (in_place) {
        send_count = receive_count;
        send_type = receive_type;
    }
    const auto pass = [&] { return passed_on(call, comm, left_to_the_library, native); };
    if (receive_buffer == MPI_IN_PLACE)
        return pass();
    return guarded_or(comm, pass, [&] {
        for (const MPI_Datatype type : {send_type, receive_type})
            type_map(type); // the library looks at them even where there are no blocks
        const BlockLayout receive = BlockLayout::regular(receive_buffer, receive_count, receive_type);
        const Block own = receive[known->graph().edges.rank];
        if (!in_place && aliased(send_buffer, send_count, send_type, own, receive_count, receive_type))
            return pass();
        const void* const from = in_place ? own.address : send_buffer;
        const CallLayouts layouts{send_count, send_type, [&](const Graph&) {
                                      return Layouts{BlockLayout::single(from, send_count, send_type), receive};
                                  }};
        return carried_call(*known, call, Collective::global_allgather, layouts, native);
    });
}

} // namespace

HOPSCOTCH_WRAP(Barrier, (MPI_Comm comm), (comm))
{
    if (!to_neighbors(comm))
        return next.Barrier(comm);
    return guarded(comm, [&] { return graph_barrier(comm); });
}

HOPSCOTCH_WRAP(Bcast, (void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
               (buffer, count, datatype, root, comm))
{
    if (!to_neighbors(comm))
        return next.Bcast(buffer, count, datatype, root, comm);
    return guarded(comm, [&] { return graph_bcast(buffer, count, datatype, root, comm); });
}

HOPSCOTCH_WRAP(Gather,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
{
    if (!to_neighbors(comm))
        return next.Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return guarded(
        comm, [&] { return graph_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

HOPSCOTCH_WRAP(Gatherv,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm))
{
    if (!to_neighbors(comm))
        return next.Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    return guarded(comm, [&] {
        return graph_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    });
}

HOPSCOTCH_WRAP(Scatter,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm))
{
    if (!to_neighbors(comm))
        return next.Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return guarded(
        comm, [&] { return graph_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm); });
}

HOPSCOTCH_WRAP(Scatterv,
               (const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
               (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm))
{
    if (!to_neighbors(comm))
        return next.Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return guarded(comm, [&] {
        return graph_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
    });
}

HOPSCOTCH_WRAP(Allgather,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    if (to_neighbors(comm))
        return PMPI_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return allgather_among_all(Call::Allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, [&] {
        return next.Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    });
}

HOPSCOTCH_WRAP(Allgather_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    if (to_neighbors(comm))
        return PMPI_Neighbor_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return allgather_among_all(
        Call::Allgather_c, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
        [&] { return next.Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

HOPSCOTCH_WRAP(Allgatherv,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm))
{
    if (!to_neighbors(comm))
        return next.Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    return PMPI_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

HOPSCOTCH_WRAP(Alltoall,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    if (!to_neighbors(comm))
        return next.Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return PMPI_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

HOPSCOTCH_WRAP(Alltoallv,
               (const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm))
{
    if (!to_neighbors(comm))
        return next.Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    return PMPI_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                   comm);
}

HOPSCOTCH_WRAP(Alltoallw,
               (const void* sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                void* recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                MPI_Comm comm),
               (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm))
{
    if (!to_neighbors(comm))
        return next.Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    return guarded(comm, [&] {
        const schedules::Edges& edges = links_of(comm).edges;
        const std::vector<MPI_Aint> sent = addresses(sdispls, edges.destinations);
        const std::vector<MPI_Aint> received = addresses(rdispls, edges.sources);
        return PMPI_Neighbor_alltoallw(sendbuf, sendcounts, sent.data(), sendtypes, recvbuf, recvcounts,
                                       received.data(), recvtypes, comm);
    });
}

HOPSCOTCH_WRAP(Reduce,
               (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, root, comm))
{
    if (!to_neighbors(comm))
        return next.Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
    return guarded(comm, [&] { return graph_reduce(sendbuf, recvbuf, count, datatype, op, root, comm); });
}

HOPSCOTCH_WRAP(Allreduce,
               (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
{
    if (!to_neighbors(comm))
        return next.Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    return guarded(comm, [&] { return graph_allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
}

HOPSCOTCH_WRAP(Reduce_scatter_block,
               (const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
               (sendbuf, recvbuf, recvcount, datatype, op, comm))
{
    return to_neighbors(comm) ? undefined(comm)
                              : next.Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
}

HOPSCOTCH_WRAP(Reduce_scatter,
               (const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm),
               (sendbuf, recvbuf, recvcounts, datatype, op, comm))
{
    return to_neighbors(comm) ? undefined(comm) : next.Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

HOPSCOTCH_WRAP(Scan, (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
{
    return to_neighbors(comm) ? undefined(comm) : next.Scan(sendbuf, recvbuf, count, datatype, op, comm);
}

HOPSCOTCH_WRAP(Exscan, (const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
               (sendbuf, recvbuf, count, datatype, op, comm))
{
    return to_neighbors(comm) ? undefined(comm) : next.Exscan(sendbuf, recvbuf, count, datatype, op, comm);
}
