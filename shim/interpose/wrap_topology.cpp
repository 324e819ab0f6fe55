// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions that make communicators with a topology, duplicate them, give them info keys, or compute process
// grids.
#include "shim/base/no_memory.hpp"
#include "shim/call/attachment.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/new_ranks.hpp"
#include "shim/call/reordering.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// `made`: the communicator of the grid, if there is one.
void remember_grid(int ndims, const int* dims, const int* periods, MPI_Comm made) noexcept
{
    if (!runtime().active || ndims < 1)
        return;
    try {
        std::vector<bool> periodic(static_cast<std::size_t>(ndims), true);
        if (periods != nullptr)
            periodic.assign(periods, periods + ndims);
        record_grid({dims, dims + ndims}, periodic, made != MPI_COMM_NULL ? rank_in(made) : schedules::no_rank);
    } catch (const MpiError&) {
        // A grid less to try.
    } catch (const NoMemory&) {
        // A grid less to try.
    }
}

/// The value of `reorder` for the MPI library: if this library maps ranks, the MPI library leaves them as they are.
int left_to_library(int reorder, Reordering reordering) noexcept
{
    return reordering == Reordering::wanted ? 0 : reorder;
}

/// Sets up a new communicator with lists of neighbors. Returns the resulting code.
int attached(int code, Call created_by, MPI_Comm* made, MPI_Comm parent, MPI_Info info, Reordering reordering)
{
    if (code == MPI_SUCCESS) {
        attach_record(created_by, made, parent, info, reordering);
        prepare_attached(*made);
    }
    return code;
}

/// Sets up a duplicate of a communicator. Returns the resulting code.
int duplicated(int code, Call created_by, const MPI_Comm* made, MPI_Comm original, MPI_Info info)
{
    if (code == MPI_SUCCESS) {
        attach_to_duplicate(created_by, *made, original, info);
        prepare_attached(*made);
    }
    return code;
}

/// Answers MPI_Cart_map and MPI_Graph_map: the rank in a communicator of the first `size` processes that the function
/// `created_by` would make with reorder = 1. Local, as they are in the libraries that we know.
void tell_mapped(Call created_by, MPI_Comm comm, int size, int* newrank, const MakeKnown& make) noexcept
{
    try {
        const int rank = rank_in(comm);
        if (rank >= size)
            return;
        if (const std::optional<std::vector<int>> ranks = ranks_without_asking(created_by, comm, size, make))
            *newrank = (*ranks)[static_cast<std::size_t>(rank)];
    } catch (const MpiError&) {
        // The library's answer stays.
    } catch (const NoMemory&) {
        // The library's answer stays.
    }
}

/// The lists of all nodes, in the form of MPI_Graph_create; nothing if they are wrong.
std::vector<std::vector<int>> lists_of(int nodes, const int* index, const int* edges)
{
    std::vector<std::vector<int>> lists;
    for (int node = 0, begin = 0; node < nodes; begin = index[node++]) {
        const auto exists = [nodes](int rank) { return rank >= 0 && rank < nodes; };
        if (index[node] < begin || !std::all_of(edges + begin, edges + index[node], exists))
            return {};
        lists.emplace_back(edges + begin, edges + index[node]);
    }
    return lists;
}

} // namespace

HOPSCOTCH_WRAP(MPI_Dims_create, (int nnodes, int ndims, int dims[]), (nnodes, ndims, dims))
{
    const int code = next.MPI_Dims_create(nnodes, ndims, dims);
    if (code == MPI_SUCCESS)
        remember_grid(ndims, dims, nullptr, MPI_COMM_NULL);
    return code;
}

HOPSCOTCH_WRAP(MPI_Cart_create,
               (MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm* comm_cart),
               (comm_old, ndims, dims, periods, reorder, comm_cart))
{
    const Reordering reordering = wanted_reordering(Call::MPI_Cart_create, reorder, MPI_INFO_NULL);
    const int code =
        next.MPI_Cart_create(comm_old, ndims, dims, periods, left_to_library(reorder, reordering), comm_cart);
    if (code == MPI_SUCCESS) {
        attach_record(Call::MPI_Cart_create, comm_cart, comm_old, MPI_INFO_NULL, reordering);
        remember_grid(ndims, dims, periods, *comm_cart);
    }
    return code;
}

HOPSCOTCH_WRAP(MPI_Cart_sub, (MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm), (comm, remain_dims, newcomm))
{
    const int code = next.MPI_Cart_sub(comm, remain_dims, newcomm);
    if (code == MPI_SUCCESS)
        attach_record(Call::MPI_Cart_sub, newcomm, comm, MPI_INFO_NULL);
    return code;
}

HOPSCOTCH_WRAP(MPI_Cart_map, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank),
               (comm, ndims, dims, periods, newrank))
{
    const int code = next.MPI_Cart_map(comm, ndims, dims, periods, newrank);
    if (code == MPI_SUCCESS && ndims > 0 && std::all_of(dims, dims + ndims, [](int extent) { return extent > 0; })) {
        const int size = std::accumulate(dims, dims + ndims, 1, std::multiplies<int>());
        tell_mapped(Call::MPI_Cart_create, comm, size, newrank, [=]() -> std::optional<schedules::StencilOnGrid> {
            const std::vector<bool> periodic(periods, periods + ndims);
            return schedules::nearest_neighbors(schedules::Topology({dims, dims + ndims}, periodic));
        });
    }
    return code;
}

HOPSCOTCH_WRAP(MPI_Graph_create,
               (MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder, MPI_Comm* comm_graph),
               (comm_old, nnodes, index, edges, reorder, comm_graph))
{
    const Reordering reordering = wanted_reordering(Call::MPI_Graph_create, reorder, MPI_INFO_NULL);
    const int code =
        next.MPI_Graph_create(comm_old, nnodes, index, edges, left_to_library(reorder, reordering), comm_graph);
    return attached(code, Call::MPI_Graph_create, comm_graph, comm_old, MPI_INFO_NULL, reordering);
}

HOPSCOTCH_WRAP(MPI_Graph_map, (MPI_Comm comm, int nnodes, const int index[], const int edges[], int* newrank),
               (comm, nnodes, index, edges, newrank))
{
    const int code = next.MPI_Graph_map(comm, nnodes, index, edges, newrank);
    if (code == MPI_SUCCESS)
        tell_mapped(Call::MPI_Graph_create, comm, nnodes, newrank, [=]() -> std::optional<schedules::StencilOnGrid> {
            const std::vector<std::vector<int>> lists = lists_of(nnodes, index, edges);
            return lists.empty() ? std::nullopt : grid_of_lists(lists);
        });
    return code;
}

HOPSCOTCH_WRAP(MPI_Dist_graph_create,
               (MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[],
                const int weights[], MPI_Info info, int reorder, MPI_Comm* comm_dist_graph),
               (comm_old, n, sources, degrees, destinations, weights, info, reorder, comm_dist_graph))
{
    const Reordering reordering = wanted_reordering(Call::MPI_Dist_graph_create, reorder, info);
    const int code = next.MPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info,
                                                left_to_library(reorder, reordering), comm_dist_graph);
    return attached(code, Call::MPI_Dist_graph_create, comm_dist_graph, comm_old, info, reordering);
}

HOPSCOTCH_WRAP(MPI_Dist_graph_create_adjacent,
               (MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree,
                const int destinations[], const int destweights[], MPI_Info info, int reorder,
                MPI_Comm* comm_dist_graph),
               (comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder,
                comm_dist_graph))
{
    const Reordering reordering = wanted_reordering(Call::MPI_Dist_graph_create_adjacent, reorder, info);
    const int code =
        next.MPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree, destinations,
                                            destweights, info, left_to_library(reorder, reordering), comm_dist_graph);
    return attached(code, Call::MPI_Dist_graph_create_adjacent, comm_dist_graph, comm_old, info, reordering);
}

HOPSCOTCH_WRAP(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* newcomm), (comm, newcomm))
{
    return duplicated(next.MPI_Comm_dup(comm, newcomm), Call::MPI_Comm_dup, newcomm, comm, MPI_INFO_NULL);
}

HOPSCOTCH_WRAP(MPI_Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm), (comm, info, newcomm))
{
    return duplicated(next.MPI_Comm_dup_with_info(comm, info, newcomm), Call::MPI_Comm_dup_with_info, newcomm, comm,
                      info);
}

HOPSCOTCH_WRAP(MPI_Comm_set_info, (MPI_Comm comm, MPI_Info info), (comm, info))
{
    const int code = next.MPI_Comm_set_info(comm, info);
    if (code == MPI_SUCCESS)
        take_info(comm, info);
    return code;
}
