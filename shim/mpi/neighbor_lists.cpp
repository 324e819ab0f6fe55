// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/mpi/neighbor_lists.hpp"

#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <climits>
#include <utility>

namespace hopscotch::shim
{

using schedules::Edges;

namespace
{

void read_cartesian(MPI_Comm comm, Edges& edges)
{
    int d = 0;
    check(next.MPI_Cartdim_get(comm, &d));
    for (int k = 0; k < d; ++k) {
        int before = MPI_PROC_NULL;
        int after = MPI_PROC_NULL;
        check(next.MPI_Cart_shift(comm, k, 1, &before, &after));
        edges.destinations.push_back(before);
        edges.destinations.push_back(after);
    }
    edges.sources = edges.destinations;
}

void read_graph(MPI_Comm comm, Edges& edges)
{
    int count = 0;
    check(next.MPI_Graph_neighbors_count(comm, edges.rank, &count));
    edges.destinations.resize(static_cast<std::size_t>(count));
    check(next.MPI_Graph_neighbors(comm, edges.rank, count, edges.destinations.data()));
    edges.sources = edges.destinations;
}

void read_distributed_graph(MPI_Comm comm, Edges& edges)
{
    WeightedLists lists = weighted_lists(comm);
    edges.sources = std::move(lists.sources);
    edges.destinations = std::move(lists.destinations);
}

/// MPI_PROC_NULL becomes schedules::no_rank; a rank with the value of no_rank, which does not exist, becomes another
/// invalid rank.
void translate(std::vector<int>& ranks)
{
    for (int& rank : ranks)
        if (rank == MPI_PROC_NULL)
            rank = schedules::no_rank;
        else if (rank == schedules::no_rank)
            rank = INT_MIN;
}

} // namespace

const int* unweighted() noexcept
{
#if defined(OPEN_MPI) || defined(HOPSCOTCH_STANDARD_ABI)
    return MPI_UNWEIGHTED;
#else
    static const auto* const symbol = static_cast<const int* const*>(find_symbol("MPI_UNWEIGHTED"));
    return symbol != nullptr ? *symbol : nullptr;
#endif
}

WeightedLists weighted_lists(MPI_Comm distributed_graph)
{
    int in = 0;
    int out = 0;
    int weighted = 0;
    check(next.MPI_Dist_graph_neighbors_count(distributed_graph, &in, &out, &weighted));
    WeightedLists lists;
    lists.weighted = weighted != 0;
    const auto resize = [&lists](int sources, int destinations) {
        for (std::vector<int>* list : {&lists.sources, &lists.source_weights})
            list->resize(static_cast<std::size_t>(sources));
        for (std::vector<int>* list : {&lists.destinations, &lists.destination_weights})
            list->resize(static_cast<std::size_t>(destinations));
    };
    resize(in + 1, out + 1); // a null pointer would be taken for MPI_WEIGHTS_EMPTY by some libraries
    check(next.MPI_Dist_graph_neighbors(distributed_graph, in, lists.sources.data(), lists.source_weights.data(), out,
                                        lists.destinations.data(), lists.destination_weights.data()));
    resize(in, out);
    return lists;
}

MPI_Comm make_distributed_graph(MPI_Comm processes, WeightedLists lists, MPI_Info info)
{
    const int in = static_cast<int>(lists.sources.size());
    const int out = static_cast<int>(lists.destinations.size());
    for (std::vector<int>* list :
         {&lists.sources, &lists.source_weights, &lists.destinations, &lists.destination_weights})
        list->push_back(0); // no null pointers
    const int* const source_weights = lists.weighted ? lists.source_weights.data() : unweighted();
    const int* const destination_weights = lists.weighted ? lists.destination_weights.data() : unweighted();
    MPI_Comm made = MPI_COMM_NULL;
    check(next.MPI_Dist_graph_create_adjacent(processes, in, lists.sources.data(), source_weights, out,
                                              lists.destinations.data(), destination_weights, info, 0, &made));
    return made;
}

Edges neighbor_lists(MPI_Comm comm, int topology_kind)
{
    Edges edges;
    edges.rank = rank_in(comm);
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
    if (comm == MPI_COMM_NULL || is_between_groups(comm) || topology_kind(comm) != MPI_CART)
        return std::nullopt;
    int d = 0;
    check(next.MPI_Cartdim_get(comm, &d));
    if (d == 0)
        return std::nullopt;
    std::vector<int> dims(static_cast<std::size_t>(d));
    std::vector<int> periods(dims.size());
    std::vector<int> coordinates(dims.size());
    check(next.MPI_Cart_get(comm, d, dims.data(), periods.data(), coordinates.data()));
    return schedules::Topology(dims, std::vector<bool>(periods.begin(), periods.end()));
}

} // namespace hopscotch::shim
