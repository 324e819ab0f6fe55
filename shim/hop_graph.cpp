// Rooted collectives in the neighborhoods of a graph communicator, as messages between the root and its neighbors.
#include "shim/hop_graph.hpp"

#include "shim/call_layouts.hpp"
#include "shim/neighbor_lists.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

/// Tags of our messages; calls of different kinds never meet, whatever a program does wrong.
enum Tag { barrier_tag, bcast_tag, gather_tag, scatter_tag };

void demand_root(const GraphLinks& links, int root)
{
    int size = 0;
    check(next.Comm_size(links.messages.get(), &size));
    demand(root >= 0 && root < size, MPI_ERR_ROOT);
}

/// Calls started for every position in the list that holds `rank`.
template <class Start>
void for_each_edge(const std::vector<int>& list, int rank, Start&& start)
{
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i] == rank)
            start(static_cast<int>(i));
}

/// Blocks of the root's sources into `slot(i)`.
template <class Slot>
int gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, Slot&& slot, int root, MPI_Comm comm)
{
    const GraphLinks& links = links_of(comm);
    demand_root(links, root);
    const bool stays = sendbuf == MPI_IN_PLACE;
    const int rank = links.edges.rank;
    demand(!stays || rank == root, MPI_ERR_BUFFER);
    Transfers transfers(links.messages.get(), gather_tag);
    if (rank == root) {
        for (std::size_t i = 0; i < links.edges.sources.size(); ++i) {
            if (stays && links.edges.sources[i] == root)
                continue;
            const UserBlock block = slot(static_cast<int>(i));
            transfers.receive(const_cast<void*>(block.address), block.count, block.type, links.edges.sources[i]);
        }
    }
    if (!stays)
        for_each_edge(links.edges.destinations, root, [&](int) { transfers.send(sendbuf, sendcount, sendtype, root); });
    check(transfers.finish());
    return MPI_SUCCESS;
}

/// `slot(i)` to the root's target i.
template <class Slot>
int scatter(Slot&& slot, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const GraphLinks& links = links_of(comm);
    demand_root(links, root);
    const bool stays = recvbuf == MPI_IN_PLACE;
    const int rank = links.edges.rank;
    demand(!stays || rank == root, MPI_ERR_BUFFER);
    Transfers sends(links.messages.get(), scatter_tag);
    if (rank == root) {
        for (std::size_t i = 0; i < links.edges.destinations.size(); ++i) {
            if (stays && links.edges.destinations[i] == root)
                continue;
            const UserBlock block = slot(static_cast<int>(i));
            sends.send(block.address, block.count, block.type, links.edges.destinations[i]);
        }
    }
    int error = MPI_SUCCESS;
    if (!stays) {
        for_each_edge(links.edges.sources, root, [&](int) { // one after the other: the last one stays
            Transfers one(links.messages.get(), scatter_tag);
            one.receive(recvbuf, recvcount, recvtype, root);
            const int code = one.finish();
            error = error != MPI_SUCCESS ? error : code;
        });
    }
    check(sends.finish());
    check(error);
    return MPI_SUCCESS;
}

void demand_block(int count, MPI_Datatype type)
{
    demand(count >= 0, MPI_ERR_COUNT);
    demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
}

} // namespace

bool is_graph(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    check(next.Topo_test(comm, &kind));
    return kind == MPI_DIST_GRAPH || kind == MPI_GRAPH;
}

GraphLinks& links_of(MPI_Comm comm)
{
    if (GraphLinks* const known = CommAttribute<GraphLinks>::find(comm))
        return *known;
    int kind = MPI_UNDEFINED;
    check(next.Topo_test(comm, &kind));
    schedules::Edges edges = neighbor_lists(comm, kind);
    demand_both_ends(comm, edges);
    return CommAttribute<GraphLinks>::set(comm, std::make_unique<GraphLinks>(comm, std::move(edges)));
}

int graph_barrier(MPI_Comm comm)
{
    const GraphLinks& links = links_of(comm);
    Transfers transfers(links.messages.get(), barrier_tag);
    for (const int source : links.edges.sources)
        transfers.receive(nullptr, 0, MPI_BYTE, source);
    for (const int destination : links.edges.destinations)
        transfers.send(nullptr, 0, MPI_BYTE, destination);
    check(transfers.finish());
    return MPI_SUCCESS;
}

int graph_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    demand_block(count, datatype);
    const GraphLinks& links = links_of(comm);
    demand_root(links, root);
    Transfers transfers(links.messages.get(), bcast_tag);
    if (links.edges.rank == root) {
        for (std::size_t i = 0; i < links.edges.destinations.size(); ++i)
            if (links.edges.destinations[i] != root && links.edges.destination_order[i] == 0)
                transfers.send(buffer, count, datatype, links.edges.destinations[i]);
    } else if (std::count(links.edges.sources.begin(), links.edges.sources.end(), root) > 0) {
        transfers.receive(buffer, count, datatype, root);
    }
    check(transfers.finish());
    return MPI_SUCCESS;
}

int graph_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return gather(sendbuf, sendcount, sendtype, regular_blocks(recvbuf, recvcount, recvtype), root, comm);
}

int graph_gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                  const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return gather(sendbuf, sendcount, sendtype, varying_blocks(recvbuf, recvcounts, displs, recvtype), root, comm);
}

int graph_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return scatter(regular_blocks(sendbuf, sendcount, sendtype), recvbuf, recvcount, recvtype, root, comm);
}

int graph_scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                   void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return scatter(varying_blocks(sendbuf, sendcounts, displs, sendtype), recvbuf, recvcount, recvtype, root, comm);
}

int graph_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    const GraphLinks& links = links_of(comm);
    demand(!in_place(sendbuf, recvbuf), MPI_ERR_BUFFER);
    demand_block(sendcount, sendtype);
    demand_counts(recvcounts, links.edges.sources.size());
    demand_types(recvtypes, links.edges.sources.size());
    const auto layouts = allgatherw_layouts(sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes);
    demand_layouts(links.edges, layouts);
    const auto receive = general_blocks(recvbuf, recvcounts, rdispls, recvtypes);
    const int code = neighborhood_call(Call::Neighbor_allgatherv, Collective::allgatherv, comm, false, layouts, [&] {
        Transfers transfers(links.messages.get(), gather_tag);
        for (std::size_t i = 0; i < links.edges.sources.size(); ++i) {
            const UserBlock block = receive(static_cast<int>(i));
            transfers.receive(const_cast<void*>(block.address), block.count, block.type, links.edges.sources[i]);
        }
        for (const int destination : links.edges.destinations)
            transfers.send(sendbuf, sendcount, sendtype, destination);
        return transfers.finish();
    });
    return code; // neighborhood_call has called the error handler
}

int undefined_on_graphs()
{
    static const int code = [] {
        int error_class = 0;
        if (next.Add_error_class(&error_class) != MPI_SUCCESS ||
            next.Add_error_string(error_class, "Hopscotch: Reduce_scatter, Scan and Exscan are not defined on "
                                               "communicators with a graph topology") != MPI_SUCCESS)
            return MPI_ERR_UNSUPPORTED_OPERATION;
        return error_class;
    }();
    return code;
}

} // namespace hopscotch::shim
