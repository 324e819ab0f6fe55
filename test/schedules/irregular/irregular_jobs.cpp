// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs with graphs that are almost a stencil on a grid, like those of real programs.
#include "test/schedules/irregular/irregular_jobs.hpp"

#include "schedules/irregular/embeddings.hpp"

#include <algorithm>
#include <numeric>

using namespace hopscotch::schedules;

namespace
{

int uniform(int least, int most, std::mt19937& random)
{
    return std::uniform_int_distribution<int>(least, most)(random);
}

/// A grid and its stencil.
struct Base {
    Topology topology;
    Stencil stencil;

    EdgeList edges() const { return edges_of_grid(topology, stencil); }
};

Base random_base(std::mt19937& random)
{
    constexpr int least[] = {0, 9, 4, 3, 3};
    constexpr int most[] = {0, 40, 9, 5, 3};
    const int d = uniform(1, 4, random);
    std::vector<int> dims(static_cast<std::size_t>(d));
    std::vector<bool> periods(dims.size());
    for (std::size_t k = 0; k < dims.size(); ++k) {
        dims[k] = uniform(least[d], most[d], random);
        periods[k] = uniform(0, 1, random) == 1;
    }
    return {Topology(dims, periods), moore(d, 1)};
}

/// Ranks row by row; lists in any order.
IrregularJob job_with(const Base& base, const EdgeList& edges, std::mt19937& random)
{
    return {job_of(base.topology.size(), edges, random),
            Embedding{Lattice(base.topology.dims()), {}, GridOrigin::hint}};
}

IrregularJob with_one_more_edge(std::mt19937& random)
{
    const Base base = random_base(random);
    EdgeList edges = base.edges();
    edges.push_back({uniform(0, base.topology.size() - 1, random), uniform(0, base.topology.size() - 1, random)});
    return job_with(base, edges, random);
}

IrregularJob with_missing_edges(std::mt19937& random)
{
    const Base base = random_base(random);
    EdgeList edges = base.edges();
    std::shuffle(edges.begin(), edges.end(), random);
    edges.resize(edges.size() * 19 / 20);
    return job_with(base, edges, random);
}

/// Processes at the beginning of the first dimension look two steps ahead.
IrregularJob wider_at_the_border(std::mt19937& random)
{
    const Base base = random_base(random);
    EdgeList edges = base.edges();
    for (int b = 0; b < base.stencil.size(); ++b) {
        std::vector<int> offset(base.stencil.offset(b), base.stencil.offset(b) + base.stencil.dimensions());
        if (offset[0] != 1)
            continue;
        offset[0] = 2;
        for (int rank = 0; rank < base.topology.size() / base.topology.extent(0); ++rank)
            if (const int to = base.topology.neighbor(rank, offset.data()); to != no_rank)
                edges.push_back({rank, to});
    }
    return job_with(base, edges, random);
}

/// Some cells have no process; ranks number the others row by row. `fold`: the last row meets itself, the other way
/// round.
IrregularJob without_cells(const Base& base, int holes, bool fold, std::mt19937& random)
{
    const int cells = base.topology.size();
    EdgeList edges = base.edges();
    const int columns = base.topology.extent(base.topology.dimensions() - 1);
    for (int x = 0; fold && x < columns; ++x)
        for (const int step : {-1, 0, 1})
            if (const int there = columns - 1 - x + step; there >= 0 && there < columns && there != x)
                edges.push_back({cells - columns + x, cells - columns + there});
    std::vector<int> order(static_cast<std::size_t>(cells));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    order.resize(static_cast<std::size_t>(cells - holes));
    std::sort(order.begin(), order.end()); // the cells of the ranks
    std::vector<int> rank_of_cell(static_cast<std::size_t>(cells), no_rank);
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        rank_of_cell[static_cast<std::size_t>(order[rank])] = static_cast<int>(rank);
    EdgeList left;
    for (const auto& [from, to] : edges)
        if (rank_of_cell[static_cast<std::size_t>(from)] != no_rank &&
            rank_of_cell[static_cast<std::size_t>(to)] != no_rank)
            left.push_back({rank_of_cell[static_cast<std::size_t>(from)], rank_of_cell[static_cast<std::size_t>(to)]});
    return {job_of(cells - holes, left, random), Embedding{Lattice(base.topology.dims()), order, GridOrigin::hint}};
}

IrregularJob with_a_few_holes(std::mt19937& random)
{
    const Base base = random_base(random);
    return without_cells(base, std::max(base.topology.size() / 20, 1), false, random);
}

Base ocean(std::mt19937& random)
{
    const std::vector<int> dims = {uniform(5, 12, random), uniform(5, 12, random)};
    return {Topology(dims, {false, uniform(0, 1, random) == 1}), moore(2, 1)};
}

IrregularJob with_land(std::mt19937& random)
{
    const Base base = ocean(random);
    return without_cells(base, base.topology.size() / 5, false, random);
}

IrregularJob with_north_fold(std::mt19937& random)
{
    return without_cells(ocean(random), 0, true, random);
}

IrregularJob like_nemo(std::mt19937& random)
{
    const Base base = ocean(random);
    return without_cells(base, base.topology.size() / 5, true, random);
}

/// All lists in the stencil's order, on a torus.
IrregularJob with_permuted_ranks(std::mt19937& random)
{
    Base base = random_base(random);
    base.topology = Topology(base.topology.dims(), std::vector<bool>(base.topology.dims().size(), true));
    std::vector<int> rank_of_cell(static_cast<std::size_t>(base.topology.size()));
    std::iota(rank_of_cell.begin(), rank_of_cell.end(), 0);
    std::shuffle(rank_of_cell.begin(), rank_of_cell.end(), random);
    Job job{base.topology, base.stencil, std::vector<Edges>(rank_of_cell.size())};
    for (const auto& [from, to] : base.edges()) {
        const int sender = rank_of_cell[static_cast<std::size_t>(from)];
        const int receiver = rank_of_cell[static_cast<std::size_t>(to)];
        job.edges[sender].destinations.push_back(receiver);
        job.edges[receiver].sources.push_back(sender);
    }
    for (std::size_t rank = 0; rank < job.edges.size(); ++rank) {
        job.edges[rank].rank = static_cast<int>(rank);
        job.edges[rank].destination_order = occurrence(job.edges[rank].destinations);
        job.edges[rank].source_order = occurrence(job.edges[rank].sources);
    }
    Embedding truth{Lattice(base.topology.dims()), rank_of_cell, GridOrigin::hint};
    for (std::size_t cell = 0; cell < rank_of_cell.size(); ++cell)
        truth.cell_of_rank[static_cast<std::size_t>(rank_of_cell[cell])] = static_cast<int>(cell);
    return {job, truth};
}

} // namespace

EdgeList edges_of_grid(const Topology& topology, const Stencil& stencil)
{
    EdgeList result;
    for (int rank = 0; rank < topology.size(); ++rank)
        for (int b = 0; b < stencil.size(); ++b)
            if (const int to = topology.neighbor(rank, stencil.offset(b)); to != no_rank)
                result.push_back({rank, to});
    return result;
}

Lists lists_of(int processes, const EdgeList& edges)
{
    Lists lists(static_cast<std::size_t>(processes));
    for (const auto& [from, to] : edges)
        lists[static_cast<std::size_t>(from)].push_back(to);
    return lists;
}

std::optional<PartialGrid> best_grid_of(const Job& job)
{
    std::vector<std::vector<int>> destinations;
    for (const Edges& edges : job.edges)
        destinations.push_back(edges.destinations);
    SearchBudget budget(1 << 18);
    return find_partial_grid({}, {}, true, destinations, budget);
}

IrregularJob ocean_of_8_x_8(std::mt19937& random)
{
    const Base base{Topology({8, 8}, {false, uniform(0, 1, random) == 1}), moore(2, 1)};
    return without_cells(base, base.topology.size() / 5, true, random);
}

std::vector<Irregularity> irregularities()
{
    return {{"one more edge", with_one_more_edge},
            {"missing edges", with_missing_edges},
            {"wider at the border", wider_at_the_border},
            {"permuted ranks", with_permuted_ranks},
            {"a few holes", with_a_few_holes},
            {"land", with_land},
            {"north fold", with_north_fold},
            {"land and north fold", like_nemo}};
}
