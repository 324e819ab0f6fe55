// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The 2008 proposal: exchange with all neighbors, neighbor queries, shifts.
#include "include/hopscotch.h"
#include "schedules/selection/reasons.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/hop/hop_graph.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

#include <algorithm>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// The neighborhood that carries exchanges on a communicator: kept as its attribute.
struct Exchanged {
    HopNeighborhood neighborhood;
};

int topology_of(MPI_Comm comm)
{
    const int kind = topology_kind(comm);
    demand(kind != MPI_UNDEFINED, MPI_ERR_TOPOLOGY);
    return kind;
}

/// Per dimension the process at +1, then that at -1; none beyond borders. Source: the proposal, section 2.2.
std::vector<int> cartesian_neighbors(const schedules::Topology& grid, int rank)
{
    std::vector<int> neighbors;
    for (int k = 0; k < grid.dimensions(); ++k) {
        for (const int shift : {1, -1}) {
            const int neighbor = grid.shifted(rank, k, shift);
            if (neighbor != schedules::no_rank)
                neighbors.push_back(neighbor);
        }
    }
    return neighbors;
}

/// The neighbors of a rank in the proposal's order. Throws: Refused.
std::vector<int> neighbors_of(MPI_Comm comm, int rank)
{
    const int kind = topology_of(comm);
    demand(rank >= 0 && rank < size_of(comm), MPI_ERR_RANK);
    if (kind == MPI_CART)
        return cartesian_neighbors(*cartesian_grid(comm), rank);
    if (kind == MPI_GRAPH) {
        int count = 0;
        check(next.MPI_Graph_neighbors_count(comm, rank, &count));
        std::vector<int> neighbors(static_cast<std::size_t>(count));
        check(next.MPI_Graph_neighbors(comm, rank, count, neighbors.data()));
        return neighbors;
    }
    demand(rank == rank_in(comm), MPI_ERR_RANK);
    return neighbor_lists(comm, kind).destinations;
}

/// The lists exchanges go by: the same neighbors for both directions, but on distributed graphs.
schedules::Edges exchange_edges(MPI_Comm comm, int kind)
{
    const int rank = rank_in(comm);
    std::vector<int> targets = neighbors_of(comm, rank);
    std::vector<int> sources = kind == MPI_DIST_GRAPH ? neighbor_lists(comm, kind).sources : targets;
    return edges_in_order(rank, std::move(sources), std::move(targets));
}

/// Made by the first exchange. Collective: over comm.
HopNeighborhood& exchange_of(MPI_Comm comm)
{
    if (Exchanged* const exchanged = CommAttribute<Exchanged>::find(comm))
        return exchanged->neighborhood;
    const int kind = topology_of(comm);
    Graph graph;
    graph.created_by = kind == MPI_CART ? Call::MPI_Cart_create : Call::MPI_Graph_create;
    graph.edges = exchange_edges(comm, kind);
    demand_both_ends(comm, graph.edges);
    graph.declined = schedules::reason::xchg;
    std::unique_ptr<Exchanged> made(new Exchanged{{graph.created_by, comm, graph}});
    return CommAttribute<Exchanged>::set(comm, std::move(made)).neighborhood;
}

template <class Buffers>
int xchg(MPI_Comm comm, const CallForm& call_form, const Buffers& buffers, const char* function = __builtin_FUNCTION())
{
    const auto body = [&] {
        demand_request(call_form);
        HopNeighborhood& neighborhood = exchange_of(comm);
        buffers.demand_right(neighborhood.edges());
        neighborhood.call(call_form, comm, buffers);
    };
    return bordered(comm, body, function);
}

int shift_xchg(const RegularBlocks<int>& sent, const RegularBlocks<int>& received, int direction, int disp,
               MPI_Comm comm, const CallForm& call_form)
{
    return bordered(comm, [&] {
        demand(topology_of(comm) == MPI_CART, MPI_ERR_TOPOLOGY);
        Buffers{sent, received}.demand_right({});
        demand_request(call_form);
        const schedules::Topology grid = *cartesian_grid(comm);
        demand(direction >= 0 && direction < grid.dimensions(), MPI_ERR_DIMS);
        int source = MPI_PROC_NULL;
        int target = MPI_PROC_NULL;
        check(next.MPI_Cart_shift(comm, direction, disp, &source, &target));
        CallPlan shift;
        shift.receive(const_cast<void*>(received.buffer), received.count, received.type, source);
        shift.send(sent.buffer, sent.count, sent.type, target);
        HopNeighborhood& neighborhood = exchange_of(comm);
        run_planned_call(call_form.later() ? Call::MPI_Ineighbor_alltoall : Call::MPI_Neighbor_alltoall, neighborhood,
                         std::move(shift), neighborhood.channel_of(call_form), call_form, comm);
    });
}

} // namespace

const Communicator* hopscotch::shim::record_of_exchange(MPI_Comm comm)
{
    Exchanged* const exchanged = CommAttribute<Exchanged>::find(comm);
    return exchanged != nullptr ? exchanged->neighborhood.record() : nullptr;
}

#define EXCHANGED(...) xchg(comm, call_form, Buffers{__VA_ARGS__})
OWN_BOTH(OF_ALLTOALL, Hop_Neighbor_xchg, Hop_Ineighbor_xchg)
OWN_BOTH(OF_ALLTOALLV, Hop_Neighbor_xchgv, Hop_Ineighbor_xchgv)
#undef EXCHANGED

int Hop_Comm_neighbors_count(MPI_Comm comm, int rank, int* nneighbors)
{
    return bordered(comm, [&] {
        demand(nneighbors != nullptr, MPI_ERR_ARG);
        *nneighbors = static_cast<int>(neighbors_of(comm, rank).size());
    });
}

int Hop_Comm_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[])
{
    return bordered(comm, [&] {
        demand(maxneighbors >= 0 && (neighbors != nullptr || maxneighbors == 0), MPI_ERR_ARG);
        const std::vector<int> all = neighbors_of(comm, rank);
        std::copy_n(all.begin(), std::min(all.size(), static_cast<std::size_t>(maxneighbors)), neighbors);
    });
}

int Hop_Cart_shift_xchg(const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,
                        int direction, int disp, MPI_Comm comm)
{
    return shift_xchg({sbuf, scount, stype}, {rbuf, rcount, rtype}, direction, disp, comm, {});
}

int Hop_Icart_shift_xchg(const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,
                         int direction, int disp, MPI_Comm comm, MPI_Request* request)
{
    return shift_xchg({sbuf, scount, stype}, {rbuf, rcount, rtype}, direction, disp, comm,
                      {Completion::nonblocking, request});
}
