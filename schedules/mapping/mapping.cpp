// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the rank of each process of a job, so that neighbors share nodes.
#include "schedules/mapping/mapping.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/mapping/brick_mapping.hpp"
#include "schedules/mapping/hyperplane_mapping.hpp"
#include "schedules/mapping/mapping_exchange.hpp"
#include "schedules/mapping/stencil_strips.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

constexpr Mapper without_exchange[] = {Mapper::consecutive, Mapper::hyperplane, Mapper::stencil_strips, Mapper::bricks};

/// With so many random mappings beside those of the mappers, exchanges come within 10 % of the fewest edges possible on
/// all grids of up to 16 processes (mapping_test.cpp).
constexpr int random_mappings = 16;

/// Shuffles the values in the same way on all processes: the numbers come from a linear congruential generator with a
/// fixed beginning.
void shuffle(std::vector<int>& values, std::uint32_t& state)
{
    for (std::size_t i = values.size(); i > 1; --i) {
        state = state * 1664525U + 1013904223U;
        std::swap(values[i - 1], values[(state >> 8) % i]);
    }
}

/// The extents of the best brick for a node; empty if the nodes differ in size, or no bricks of their size fill the
/// grid.
std::vector<int> brick_of(const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes,
                          const EdgeWeights& weights)
{
    const bool equal =
        std::all_of(node_sizes.begin(), node_sizes.end(), [&](int size) { return size == node_sizes.front(); });
    return equal ? best_brick(grid, stencil, node_sizes.front(), weights) : std::vector<int>();
}

/// The node of each rank, improved from the best of several beginnings.
std::vector<int> best_exchange(const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes,
                               const EdgeWeights& weights, Objective objective)
{
    std::vector<std::vector<int>> beginnings;
    for (const Mapper mapper : without_exchange)
        beginnings.push_back(Mapping(mapper, grid, stencil, node_sizes, weights).node_of_rank());
    std::uint32_t state = 1;
    for (int i = 0; i < random_mappings; ++i) {
        beginnings.push_back(beginnings.back());
        shuffle(beginnings.back(), state);
    }
    std::vector<int> best = beginnings.front();
    EdgesBetweenNodes fewest = edges_between_nodes(grid, stencil, best, weights);
    for (std::vector<int>& beginning : beginnings) {
        std::vector<int> improved = exchanged(grid, stencil, std::move(beginning), weights, objective);
        const EdgesBetweenNodes edges = edges_between_nodes(grid, stencil, improved, weights);
        if (is_less(objective, edges, fewest)) {
            fewest = edges;
            best = std::move(improved);
        }
    }
    return best;
}

/// The rank of each process after the exchanges.
std::vector<int> exchanged_ranks(const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes,
                                 const EdgeWeights& weights, Objective objective)
{
    std::vector<int> ranks = identity(grid.size());
    sort_by(ranks, best_exchange(grid, stencil, node_sizes, weights, objective));
    return ranks;
}

} // namespace

std::string to_string(Mapper mapper)
{
    switch (mapper) {
    case Mapper::consecutive:
        return "consecutive";
    case Mapper::hyperplane:
        return "hyperplane";
    case Mapper::stencil_strips:
        return "stencil strips";
    case Mapper::bricks:
        return "bricks";
    case Mapper::exchange:
        return "exchange";
    }
    return {};
}

Mapping::Mapping(Mapper mapper, const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes,
                 const EdgeWeights& weights, Objective objective)
    : nodes_(node_sizes), rank_([](int process) { return process; })
{
    if (nodes_.processes() != grid.size())
        throw std::invalid_argument("mapping: " + std::to_string(nodes_.processes()) +
                                    " processes on the nodes, but a grid of " + std::to_string(grid.size()));
    if (stencil.dimensions() != grid.dimensions())
        throw std::invalid_argument("mapping: offsets of " + std::to_string(stencil.dimensions()) +
                                    " shifts in a grid of " + std::to_string(grid.dimensions()) + " dimensions");
    check_shape(weights, grid, stencil);
    if (mapper == Mapper::hyperplane)
        rank_ = [grid, directions = directions(stencil, weights), nodes = nodes_](int process) {
            return hyperplane_rank(grid, directions, nodes, process);
        };
    if (mapper == Mapper::stencil_strips)
        rank_ = [grid, counts = strips_along(grid, stencil, nodes_.mean_size(), weights)](int process) {
            return stencil_strips_rank(grid, counts, process);
        };
    if (mapper == Mapper::bricks)
        if (const std::vector<int> shape = brick_of(grid, stencil, node_sizes, weights); !shape.empty())
            rank_ = [grid, shape](int process) { return brick_rank(grid, shape, process); };
    if (mapper == Mapper::exchange && grid.size() <= most_exchanged_processes)
        rank_ = [ranks = exchanged_ranks(grid, stencil, node_sizes, weights, objective)](int process) {
            return ranks[static_cast<std::size_t>(process)];
        };
}

std::vector<int> Mapping::node_of_rank() const
{
    std::vector<int> result(static_cast<std::size_t>(nodes_.processes()));
    for (int process = 0; process < nodes_.processes(); ++process)
        result[rank(process)] = nodes_.node(process);
    return result;
}

Mapper best_mapper(const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes,
                   const EdgeWeights& weights, Objective objective)
{
    std::vector<Mapper> mappers(std::begin(without_exchange), std::end(without_exchange));
    if (grid.size() <= most_exchanged_processes)
        mappers.push_back(Mapper::exchange);
    Mapper best = Mapper::consecutive;
    EdgesBetweenNodes fewest;
    for (const Mapper mapper : mappers) {
        const Mapping mapping(mapper, grid, stencil, node_sizes, weights, objective);
        const EdgesBetweenNodes edges = edges_between_nodes(grid, stencil, mapping.node_of_rank(), weights);
        if (mapper == Mapper::consecutive || is_less(objective, edges, fewest)) {
            fewest = edges;
            best = mapper;
        }
    }
    return best;
}

} // namespace hopscotch::schedules
