// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Collective questions about names: equality, parts of the grid, Cartesian neighborhoods.
#include "include/hopscotch.h"
#include "schedules/grid/infer.hpp"
#include "schedules/selection/agreement.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/hop/hop_naming.hpp"
#include "shim/hop/hop_other_list.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

/// Lists of graph ranks as ranks of the named communicator.
std::vector<int> renamed(std::vector<int> ranks, const CommGroup& from, const CommGroup& to)
{
    std::replace(ranks.begin(), ranks.end(), schedules::no_rank, int{MPI_PROC_NULL});
    std::vector<int> result = translated(ranks, from, to);
    std::replace(result.begin(), result.end(), int{MPI_PROC_NULL}, schedules::no_rank);
    return result;
}

/// The caller's lists in ranks of comm; none if cart has no topology or other processes than comm. Local.
std::optional<schedules::Edges> edges_in(MPI_Comm comm, MPI_Comm cart)
{
    const int kind = topology_kind(cart);
    if (kind == MPI_UNDEFINED)
        return std::nullopt;
    const CommGroup named(comm);
    const CommGroup graph(cart);
    int relation = MPI_UNEQUAL;
    check(next.MPI_Group_compare(named.get(), graph.get(), &relation));
    if (relation == MPI_UNEQUAL)
        return std::nullopt;
    schedules::Edges edges = neighbor_lists(cart, kind);
    edges.sources = renamed(edges.sources, graph, named);
    edges.destinations = renamed(edges.destinations, graph, named);
    edges.rank = rank_in(comm);
    return edges;
}

/// True if all ranks are below `end`; entries without process count as such.
bool all_below(int end, const std::vector<int>& ranks)
{
    return std::all_of(ranks.begin(), ranks.end(), [&](int rank) { return rank < end; });
}

/// True if one stencil explains the lists of all processes of comm. Those beyond the grid have no neighbors and are
/// nobody's. Source: Träff et al., section 3.2, with the process of most targets as root, and borders taken into
/// account. Collective: over comm.
bool explained(MPI_Comm comm, const schedules::Topology& grid, const schedules::Edges& edges)
{
    const bool is_beyond = edges.rank >= grid.size();
    const int end = is_beyond ? 0 : grid.size();
    CollectiveConsensus consensus(comm);
    if (!consensus.all(all_below(end, edges.destinations) && all_below(end, edges.sources)))
        return false;
    const auto degree = static_cast<std::int64_t>(edges.destinations.size());
    const std::int64_t root = consensus.maximum(schedules::encode_root(degree, edges.rank));
    const int root_rank = schedules::decode_root(root);
    std::vector<int> list = edges.destinations;
    list.resize(static_cast<std::size_t>(root >> 32));
    consensus.broadcast(list.data(), list.size() * sizeof(int), root_rank);
    const auto agrees = [&](auto&& with) { return consensus.all(is_beyond || with()); };
    if (agrees(
            [&] { return schedules::same_as(grid, root_rank, list, edges.rank, edges.destinations, edges.sources); }))
        return true;
    if (grid.fully_periodic())
        return false;
    // A small mesh may have no process that sees the whole stencil.
    std::vector<std::vector<int>> lists = consensus.lists(edges.destinations);
    lists.resize(static_cast<std::size_t>(grid.size()));
    const std::optional<schedules::Stencil> stencil = schedules::covering(grid, lists);
    return stencil &&
           agrees([&] { return schedules::explains(grid, *stencil, edges.rank, edges.destinations, edges.sources); });
}

/// The name as a list to compare; empty without one.
std::vector<int> list_of(const CartesianName* name)
{
    return name != nullptr ? schedules::as_list(name->naming()) : std::vector<int>();
}

/// True if all processes gave comm the same name. `tells`: a process with another name prints it. Collective: over
/// comm.
bool same_name(MPI_Comm comm, bool tells)
{
    const CartesianName* const name = find_name(comm);
    const std::vector<int> list = list_of(name);
    const std::optional<OtherList> other = find_other_list(comm, list);
    if (tells && other && other->rank == rank_in(comm))
        log(LogLevel::warn, "Hop_Cart_testall: the names differ: " +
                                schedules::difference_of_names(other->rank, list, other->reference) +
                                " (MPI_ERR_TOPOLOGY)");
    return !other && name != nullptr;
}

} // namespace

} // namespace hopscotch::shim

using namespace hopscotch;
using namespace hopscotch::shim;

int Hop_Cart_testall(MPI_Comm comm, int* flag, int* d, int* size)
{
    return bordered(comm, [&] {
        demand(flag != nullptr && d != nullptr && size != nullptr, MPI_ERR_ARG);
        *flag = same_name(comm, true) ? 1 : 0;
        *d = *size = -1;
        demand(*flag != 0, MPI_ERR_TOPOLOGY);
        return Hop_Cart_test(comm, flag, d, size);
    });
}

int Hop_Cart_create_sub(MPI_Comm comm, const int dimension[], MPI_Comm* subcart)
{
    return bordered(comm, [&] {
        demand(subcart != nullptr && dimension != nullptr, MPI_ERR_ARG);
        *subcart = MPI_COMM_NULL;
        const CartesianName& name = name_of(comm);
        const int rank = rank_in(comm);
        int color = MPI_UNDEFINED;
        if (name.names(rank)) {
            std::vector<int> corner = name.naming().coordinates(rank);
            for (std::size_t k = 0; k < corner.size(); ++k)
                if (dimension[k] != 0)
                    corner[k] = 0;
            color = name.naming().rank_at(corner.data()); // also if the corner has no process
        }
        return next.MPI_Comm_split(comm, color, rank, subcart);
    });
}

int Hop_Comm_is_cartesian(MPI_Comm comm, MPI_Comm cart, int* flag)
{
    return bordered(comm, [&] {
        demand(flag != nullptr, MPI_ERR_ARG);
        demand(cart != MPI_COMM_NULL, MPI_ERR_COMM);
        *flag = 0;
        const std::optional<schedules::Edges> edges = edges_in(comm, cart);
        if (!CollectiveConsensus(cart).all(edges.has_value()) || !same_name(comm, false))
            return;
        if (name_of(comm).size() > name_of(comm).processes())
            return; // neighbors that would be at its points without process are missing
        *flag = explained(comm, name_of(comm).naming().grid(), *edges) ? 1 : 0;
    });
}
