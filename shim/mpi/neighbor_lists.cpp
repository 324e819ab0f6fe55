// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the neighbor lists of a communicator with a topology, as the MPI library has them.
#include "shim/mpi/neighbor_lists.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <climits>

namespace hopscotch::shim
{

using schedules::Edges;

namespace
{

void read_cartesian(MPI_Comm comm, Edges& edges)
{
    int d = 0;
    check(next.Cartdim_get(comm, &d));
    for (int k = 0; k < d; ++k) {
        int before = MPI_PROC_NULL;
        int after = MPI_PROC_NULL;
        check(next.Cart_shift(comm, k, 1, &before, &after));
        edges.destinations.push_back(before);
        edges.destinations.push_back(after);
    }
    edges.sources = edges.destinations;
}

void read_graph(MPI_Comm comm, Edges& edges)
{
    int count = 0;
    check(next.Graph_neighbors_count(comm, edges.rank, &count));
    edges.destinations.resize(static_cast<std::size_t>(count));
    check(next.Graph_neighbors(comm, edges.rank, count, edges.destinations.data()));
    edges.sources = edges.destinations;
}

void read_distributed_graph(MPI_Comm comm, Edges& edges)
{
    int in = 0;
    int out = 0;
    int weighted = 0;
    check(next.Dist_graph_neighbors_count(comm, &in, &out, &weighted));
    edges.sources.resize(static_cast<std::size_t>(in));
    edges.destinations.resize(static_cast<std::size_t>(out));
    // Room for weights instead of MPI_UNWEIGHTED: naming that constant would be a reference to MPI's data.
    std::vector<int> source_weights(edges.sources.size() + 1);
    std::vector<int> destination_weights(edges.destinations.size() + 1);
    check(next.Dist_graph_neighbors(comm, in, edges.sources.data(), source_weights.data(), out,
                                    edges.destinations.data(), destination_weights.data()));
}

/// MPI_PROC_NULL becomes schedules::no_rank; a rank of that number, which does not exist either, another such one.
void translate(std::vector<int>& ranks)
{
    for (int& rank : ranks)
        if (rank == MPI_PROC_NULL)
            rank = schedules::no_rank;
        else if (rank == schedules::no_rank)
            rank = INT_MIN;
}

} // namespace

Edges neighbor_lists(MPI_Comm comm, int topology_kind)
{
    Edges edges;
    check(next.Comm_rank(comm, &edges.rank));
    if (topology_kind == MPI_CART)
        read_cartesian(comm, edges);
    else if (topology_kind == MPI_GRAPH)
        read_graph(comm, edges);
    else
        read_distributed_graph(comm, edges);
    translate(edges.destinations);
    translate(edges.sources);
    edges.destination_order = schedules::occurrence(edges.destinations);
    edges.source_order = schedules::occurrence(edges.sources);
    return edges;
}

std::optional<schedules::Topology> cartesian_grid(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return std::nullopt;
    int is_inter = 0;
    check(next.Comm_test_inter(comm, &is_inter));
    int kind = MPI_UNDEFINED;
    if (is_inter == 0)
        check(next.Topo_test(comm, &kind));
    if (kind != MPI_CART)
        return std::nullopt;
    int d = 0;
    check(next.Cartdim_get(comm, &d));
    if (d == 0)
        return std::nullopt;
    std::vector<int> dims(static_cast<std::size_t>(d));
    std::vector<int> periods(dims.size());
    std::vector<int> coordinates(dims.size());
    check(next.Cart_get(comm, d, dims.data(), periods.data(), coordinates.data()));
    return schedules::Topology(dims, std::vector<bool>(periods.begin(), periods.end()));
}

} // namespace hopscotch::shim
