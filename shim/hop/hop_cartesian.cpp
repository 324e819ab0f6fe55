// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cartesian neighborhoods of the 2019 paper: made, and asked for ranks, offsets and neighbors.
#include "shim/hop/hop_cartesian.hpp"
#include "include/hopscotch.h"
#include "shim/call/attachment.hpp"
#include "shim/call/new_ranks.hpp"
#include "shim/call/reordering.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/group/node.hpp"
#include "shim/hop/hop_other_list.hpp"
#include "shim/mpi/info_value.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"

#include <algorithm>
#include <string>

namespace hopscotch::shim
{

namespace
{

/// The offsets with those so large that they leave a mesh dimension from anywhere brought near, so that no sum
/// overflows.
schedules::Stencil usable_stencil(const schedules::Topology& topology, const std::vector<int>& shifts)
{
    std::vector<int> near = shifts;
    const auto d = static_cast<std::size_t>(topology.dimensions());
    for (std::size_t i = 0; i < near.size(); ++i) {
        const int k = static_cast<int>(i % d);
        if (!topology.periodic(k))
            near[i] = std::clamp(near[i], -topology.extent(k), topology.extent(k));
    }
    return schedules::canonical(schedules::Stencil(topology.dimensions(), std::move(near)), topology);
}

std::string info_text(MPI_Info info, InfoKey key)
{
    return info_value(info, key).value_or("");
}

std::optional<Algorithms> algorithms_of(MPI_Info info)
{
    const std::string trivial = info_text(info, info_key::trivial);
    if (!trivial.empty()) {
        Algorithms all;
        all.fill(trivial == "true" ? Algorithm::trivial : Algorithm::combining);
        return all;
    }
    return asked_algorithms(info);
}

/// Throws: Refused{MPI_ERR_TOPOLOGY} on all processes unless they gave the same list; one of them prints the first
/// difference. Collective: over cart.
void demand_same(MPI_Comm cart, const std::vector<int>& shifts)
{
    const std::optional<OtherList> other = find_other_list(cart, shifts);
    if (other && other->rank == rank_in(cart))
        log(LogLevel::warn, "Hop_Cart_neighborhood_create: the lists of offsets differ: " + other->text(shifts) +
                                " (MPI_ERR_TOPOLOGY)");
    demand(!other, MPI_ERR_TOPOLOGY);
}

/// The grid of a Cartesian communicator. Throws: Refused{MPI_ERR_TOPOLOGY} for another one.
schedules::Topology grid_of(MPI_Comm cart)
{
    const std::optional<schedules::Topology> grid = cartesian_grid(cart);
    demand(grid.has_value(), MPI_ERR_TOPOLOGY);
    return *grid;
}

/// True if all processes want that. Collective: over cart.
bool want_other_ranks(MPI_Comm cart, int reorder, MPI_Info info)
{
    const bool own =
        reorder != 0 && parsed_info(info, info_key::reorder, parse_switch, "which is not on or off").value_or(true);
    return CollectiveConsensus(cart).all(own);
}

/// Gives the processes of cart the ranks of a mapping to their nodes, and with each rank its weights, if that saves
/// edges between nodes. Returns the text of reports about it. Collective: over cart.
std::string map_ranks(MPI_Comm& cart, const schedules::StencilOnGrid& neighborhood, std::vector<int>& weights,
                      MPI_Info info)
{
    const schedules::Nodes nodes = schedules::nodes_of(first_on_node(cart));
    CollectiveConsensus consensus(cart);
    const NewRanks ranks = agreed_ranks(consensus, neighborhood, nodes, weights, wanted_objective(info));
    if (ranks.of_rank.empty())
        return std::string("ranks stay: ") + no_better_mapping;
    const int old_rank = rank_in(cart);
    MPI_Comm made = made_again(consensus, old_rank, ranks.of_rank[static_cast<std::size_t>(old_rank)], MPI_INFO_NULL);
    if (made == MPI_COMM_NULL)
        return "ranks stay: the MPI library could not make the communicator again";
    replace(cart, made);
    if (ranks.weighted)
        weights = handed_over(weights, old_rank, cart);
    return in_words(ranks);
}

int as_mpi(int rank) noexcept
{
    return rank == schedules::no_rank ? MPI_PROC_NULL : rank;
}

/// The rank at sign * relative from `rank`, MPI_PROC_NULL beyond a border.
int rank_at(const schedules::Topology& grid, int rank, const int* relative, int sign)
{
    std::vector<int> offset(relative, relative + grid.dimensions());
    const schedules::Stencil one = usable_stencil(grid, offset);
    for (int k = 0; k < grid.dimensions(); ++k)
        offset[static_cast<std::size_t>(k)] = sign * one.shift(0, k);
    return as_mpi(grid.neighbor(rank, offset.data()));
}

/// Positions in a list that hold `rank`; at most `most` are written, all are counted.
int positions_of(int rank, const std::vector<int>& list, int most, int* positions)
{
    int count = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] != rank)
            continue;
        if (count < most)
            positions[count] = static_cast<int>(i);
        ++count;
    }
    return count;
}

void write_existing(const std::vector<int>& list, const std::vector<int>& weights, int most, int* ranks,
                    int* written_weights)
{
    int written = 0;
    for (std::size_t i = 0; i < list.size() && written < most; ++i) {
        if (list[i] == schedules::no_rank)
            continue;
        ranks[written] = list[i];
        if (!weights.empty() && written_weights != nullptr && written_weights != unweighted())
            written_weights[written] = weights[i];
        ++written;
    }
}

int existing(const std::vector<int>& list)
{
    return static_cast<int>(list.size()) - static_cast<int>(std::count(list.begin(), list.end(), schedules::no_rank));
}

void find_rank(const CartesianNeighborhood& neighborhood, int rank, int maxin, int* sources, int* inmult, int maxout,
               int* targets, int* outmult)
{
    demand(inmult != nullptr && outmult != nullptr && maxin >= 0 && maxout >= 0, MPI_ERR_ARG);
    demand((sources != nullptr || maxin == 0) && (targets != nullptr || maxout == 0), MPI_ERR_ARG);
    *inmult = rank == MPI_PROC_NULL ? 0 : positions_of(rank, neighborhood.edges().sources, maxin, sources);
    *outmult = rank == MPI_PROC_NULL ? 0 : positions_of(rank, neighborhood.edges().destinations, maxout, targets);
}

} // namespace

CartesianNeighborhood::CartesianNeighborhood(MPI_Comm cart, schedules::Topology topology, std::vector<int> shifts,
                                             std::vector<int> weights)
    : shifts_(std::move(shifts)), weights_(std::move(weights))
{
    stencil_ = usable_stencil(topology, shifts_);
    graph_.created_by = Call::MPI_Cart_create;
    graph_.edges = schedules::edges_of(topology, stencil_, rank_in(cart));
    graph_.found = schedules::GridOrigin::parent;
    graph_.topology = std::move(topology);
    graph_.stencil = schedules::sorted(stencil_);
}

HopNeighborhood& CartesianNeighborhood::carrier(MPI_Comm cart)
{
    if (carrier_ == nullptr)
        carrier_ = std::make_unique<HopNeighborhood>(Call::MPI_Cart_create, cart, graph_);
    return *carrier_;
}

Reducer& CartesianNeighborhood::reducer(MPI_Comm cart)
{
    if (reducer_ == nullptr)
        reducer_ = std::make_unique<Reducer>(carrier(cart), graph_.topology, stencil_);
    return *reducer_;
}

std::unique_ptr<CartesianNeighborhood> CartesianNeighborhood::copy() const
{
    std::unique_ptr<CartesianNeighborhood> result(new CartesianNeighborhood);
    result->graph_ = graph_;
    result->shifts_ = shifts_;
    result->stencil_ = stencil_;
    result->weights_ = weights_;
    result->one_by_one_ = one_by_one_;
    return result;
}

CartesianNeighborhood& neighborhood_of(MPI_Comm cart)
{
    CartesianNeighborhood* const neighborhood = CommAttribute<CartesianNeighborhood>::find(cart);
    demand(neighborhood != nullptr, MPI_ERR_TOPOLOGY);
    return *neighborhood;
}

} // namespace hopscotch::shim

using namespace hopscotch;
using namespace hopscotch::shim;

int Hop_Cart_neighborhood_create(MPI_Comm comm, int d, const int dims[], const int periods[], int t,
                                 const int targetrelative[], const int weight[], MPI_Info info, int reorder,
                                 MPI_Comm* cartcomm)
{
    return bordered(comm, [&]() -> int {
        demand(cartcomm != nullptr, MPI_ERR_ARG);
        *cartcomm = MPI_COMM_NULL;
        demand(d >= 1, MPI_ERR_DIMS);
        demand(dims != nullptr && periods != nullptr && t >= 0 && (targetrelative != nullptr || t == 0), MPI_ERR_ARG);
        MPI_Comm cart = MPI_COMM_NULL;
        const int code = next.MPI_Cart_create(comm, d, dims, periods, 0, &cart); // calls the error handler itself
        if (code != MPI_SUCCESS || cart == MPI_COMM_NULL)
            return code;
        try {
            const auto numbers = static_cast<std::size_t>(t) * static_cast<std::size_t>(d);
            std::vector<int> shifts(targetrelative, targetrelative + numbers);
            demand_same(cart, shifts);
            const bool weighted = weight != nullptr && weight != unweighted();
            std::vector<int> weights(weight, weighted ? weight + t : weight);
            const schedules::Topology grid = grid_of(cart);
            const std::vector<bool> periodic = grid.periods();
            record_grid(grid.dims(), periodic);
            std::string mapped;
            try {
                if (want_other_ranks(cart, reorder, info))
                    mapped = map_ranks(cart, {grid, usable_stencil(grid, shifts)}, weights, info);
            } catch (const NoMemory&) {
                end_without_memory("map ranks"); // the others count on this process
            }
            auto made = std::make_unique<CartesianNeighborhood>(cart, grid, std::move(shifts), std::move(weights));
            made->set_reorder(std::move(mapped));
            made->choose(algorithms_of(info),
                         info_text(info, info_key::blocking) == "true" && info_text(info, info_key::trivial) == "true");
            CommAttribute<CartesianNeighborhood>::set(cart, std::move(made)).carrier(cart);
        } catch (...) {
            next.MPI_Comm_free(&cart);
            throw;
        }
        *cartcomm = cart;
        return MPI_SUCCESS;
    });
}

int Hop_Cart_relative_rank(MPI_Comm cartcomm, const int relative[], int* rank)
{
    return bordered(cartcomm, [&] {
        demand(relative != nullptr && rank != nullptr, MPI_ERR_ARG);
        *rank = rank_at(grid_of(cartcomm), rank_in(cartcomm), relative, 1);
    });
}

int Hop_Cart_relative_shift(MPI_Comm cartcomm, const int relative[], int* inrank, int* outrank)
{
    return bordered(cartcomm, [&] {
        demand(relative != nullptr && inrank != nullptr && outrank != nullptr, MPI_ERR_ARG);
        const schedules::Topology grid = grid_of(cartcomm);
        const int rank = rank_in(cartcomm);
        *inrank = rank_at(grid, rank, relative, -1);
        *outrank = rank_at(grid, rank, relative, 1);
    });
}

int Hop_Cart_relative_coord(MPI_Comm cartcomm, int rank, int relative[])
{
    return bordered(cartcomm, [&] {
        demand(relative != nullptr, MPI_ERR_ARG);
        const schedules::Topology grid = grid_of(cartcomm);
        demand(rank >= 0 && rank < grid.size(), MPI_ERR_RANK);
        const std::vector<int> there = grid.coordinates(rank);
        const std::vector<int> here = grid.coordinates(rank_in(cartcomm));
        for (int k = 0; k < grid.dimensions(); ++k) {
            const auto i = static_cast<std::size_t>(k);
            const int shift = there[i] - here[i];
            relative[k] = grid.periodic(k) && shift < 0 ? shift + grid.extent(k) : shift;
        }
    });
}

int Hop_Cart_neighbor_count(MPI_Comm cartcomm, int* t)
{
    return bordered(cartcomm, [&] {
        demand(t != nullptr, MPI_ERR_ARG);
        *t = neighborhood_of(cartcomm).count();
    });
}

int Hop_Cart_neighbor_degrees(MPI_Comm cartcomm, int* indegree, int* outdegree)
{
    return bordered(cartcomm, [&] {
        demand(indegree != nullptr && outdegree != nullptr, MPI_ERR_ARG);
        const schedules::Edges& edges = neighborhood_of(cartcomm).edges();
        *indegree = existing(edges.sources);
        *outdegree = existing(edges.destinations);
    });
}

int Hop_Cart_neighbor_get(MPI_Comm cartcomm, int maxin, int source[], int sourceweight[], int maxout, int target[],
                          int targetweight[])
{
    return bordered(cartcomm, [&] {
        const CartesianNeighborhood& neighborhood = neighborhood_of(cartcomm);
        demand(maxin >= 0 && maxout >= 0, MPI_ERR_ARG);
        demand((source != nullptr || maxin == 0) && (target != nullptr || maxout == 0), MPI_ERR_ARG);
        write_existing(neighborhood.edges().sources, neighborhood.weights(), maxin, source, sourceweight);
        write_existing(neighborhood.edges().destinations, neighborhood.weights(), maxout, target, targetweight);
    });
}

int Hop_Cart_neighbor_get_relative(MPI_Comm cartcomm, int maxt, int targetrelative[], int targetweight[])
{
    return bordered(cartcomm, [&] {
        const CartesianNeighborhood& neighborhood = neighborhood_of(cartcomm);
        demand(maxt >= 0 && (targetrelative != nullptr || maxt == 0), MPI_ERR_ARG);
        const int n = std::min(maxt, neighborhood.count());
        std::copy_n(neighborhood.shifts().begin(), n * neighborhood.dimensions(), targetrelative);
        if (!neighborhood.weights().empty() && targetweight != nullptr && targetweight != unweighted())
            std::copy_n(neighborhood.weights().begin(), n, targetweight);
    });
}

int Hop_Cart_neighbor_find_rank(MPI_Comm cartcomm, int rank, int maxin, int sourceindex[], int* inmult, int maxout,
                                int targetindex[], int* outmult)
{
    return bordered(cartcomm, [&] {
        find_rank(neighborhood_of(cartcomm), rank, maxin, sourceindex, inmult, maxout, targetindex, outmult);
    });
}

int Hop_Cart_neighbor_find_coord(MPI_Comm cartcomm, const int relative[], int maxin, int sourceindex[], int* inmult,
                                 int maxout, int targetindex[], int* outmult)
{
    return bordered(cartcomm, [&] {
        const CartesianNeighborhood& neighborhood = neighborhood_of(cartcomm);
        demand(relative != nullptr, MPI_ERR_ARG);
        const int rank = rank_at(grid_of(cartcomm), rank_in(cartcomm), relative, 1);
        find_rank(neighborhood, rank, maxin, sourceindex, inmult, maxout, targetindex, outmult);
    });
}

int Hop_Cart_axis_neighbors_count(MPI_Comm cartcomm, int* outdegree, int* indegree)
{
    return bordered(cartcomm, [&] {
        demand(outdegree != nullptr && indegree != nullptr, MPI_ERR_ARG);
        *outdegree = *indegree = 2 * grid_of(cartcomm).dimensions();
    });
}

int Hop_Cart_axis_neighbors(MPI_Comm cartcomm, int maxin, int source[], int maxout, int target[])
{
    return bordered(cartcomm, [&] {
        const schedules::Topology grid = grid_of(cartcomm);
        demand(maxin >= 0 && maxout >= 0, MPI_ERR_ARG);
        demand((source != nullptr || maxin == 0) && (target != nullptr || maxout == 0), MPI_ERR_ARG);
        const int rank = rank_in(cartcomm);
        for (int i = 0; i < 2 * grid.dimensions(); ++i) {
            const int shift = i % 2 == 0 ? -1 : 1;
            if (i < maxin)
                source[i] = as_mpi(grid.shifted(rank, i / 2, shift));
            if (i < maxout)
                target[i] = as_mpi(grid.shifted(rank, i / 2, -shift));
        }
    });
}
