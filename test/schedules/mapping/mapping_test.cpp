// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Mappings: each a bijection, none worse than consecutive ranks or bricks, and near the fewest edges possible.
#include "schedules/mapping/mapping.hpp"

#include "schedules/grid/infer.hpp"
#include "schedules/grid/ordering.hpp"

#include "test/catch.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

constexpr Mapper all_mappers[] = {Mapper::consecutive, Mapper::hyperplane, Mapper::stencil_strips, Mapper::bricks,
                                  Mapper::exchange};

std::vector<int> equal_nodes(int processes, int processes_per_node)
{
    return std::vector<int>(static_cast<std::size_t>(processes / processes_per_node), processes_per_node);
}

EdgesBetweenNodes edges_of(Mapper mapper, const Topology& grid, const Stencil& stencil, const std::vector<int>& nodes)
{
    return edges_between_nodes(grid, stencil, Mapping(mapper, grid, stencil, nodes).node_of_rank());
}

/// Calls function(grid) for all grids of so many processes without dimensions of size 1, periodic or not.
template <typename Function>
void for_each_grid(int processes, const Function& function)
{
    for (const std::vector<int>& dims : factorizations(processes, 4, 1000))
        for (unsigned mask = 0; mask < 1U << dims.size(); ++mask) {
            std::vector<bool> periods;
            for (std::size_t k = 0; k < dims.size(); ++k)
                periods.push_back((mask >> k & 1U) != 0);
            function(Topology(dims, periods));
        }
}

/// Places rank after rank on every node with room, unless there are too many edges between nodes already.
class FewestEdges
{
  public:
    FewestEdges(const Topology& grid, const Stencil& stencil, const std::vector<int>& node_sizes, std::int64_t known)
        : placed_(at(grid.size())), sizes_(node_sizes), room_(node_sizes), node_(at(grid.size())), fewest_(known)
    {
        for (int rank = 0; rank < grid.size(); ++rank)
            for (int i = 0; i < stencil.size(); ++i)
                if (const int other = grid.neighbor(rank, stencil.offset(i)); other != no_rank)
                    placed_[at(std::max(rank, other))].push_back(std::min(rank, other));
    }

    std::int64_t find()
    {
        place(0, 0);
        return fewest_;
    }

  private:
    void place(int rank, std::int64_t edges)
    {
        if (edges >= fewest_)
            return;
        if (at(rank) == node_.size()) {
            fewest_ = edges;
            return;
        }
        for (std::size_t node = 0; node < sizes_.size(); ++node) {
            if (room_[node] == 0 || like_one_before(node))
                continue;
            node_[at(rank)] = static_cast<int>(node);
            --room_[node];
            place(rank + 1, edges + edges_to_placed(rank));
            ++room_[node];
        }
    }

    /// Among empty nodes of one size only the first is tried.
    bool like_one_before(std::size_t node) const
    {
        for (std::size_t before = 0; before < node; ++before)
            if (room_[node] == sizes_[node] && room_[before] == sizes_[before] && sizes_[node] == sizes_[before])
                return true;
        return false;
    }

    std::int64_t edges_to_placed(int rank) const
    {
        const auto elsewhere = [&](int other) { return node_[at(other)] != node_[at(rank)]; };
        return std::count_if(placed_[at(rank)].begin(), placed_[at(rank)].end(), elsewhere);
    }

    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

    std::vector<std::vector<int>> placed_; // the lower end of each edge, of its higher end
    const std::vector<int>& sizes_;
    std::vector<int> room_;
    std::vector<int> node_;
    std::int64_t fewest_;
};

void check_near_fewest(const Topology& grid, const Stencil& stencil, const std::vector<int>& nodes)
{
    const EdgesBetweenNodes mapped = edges_of(best_mapper(grid, stencil, nodes), grid, stencil, nodes);
    const std::int64_t fewest = FewestEdges(grid, stencil, nodes, mapped.sum).find();
    INFO(to_string(grid) << ", " << name(stencil) << ", nodes of " << nodes.front());
    CHECK(10 * mapped.sum <= 11 * fewest);
    CHECK_FALSE(edges_of(Mapper::consecutive, grid, stencil, nodes) < mapped);
}

} // namespace

TEST_CASE("mapping: no two processes have the same rank")
{
    struct Case {
        Topology grid;
        std::vector<int> nodes;
    };
    const std::vector<Case> cases{{Topology({6, 8}, {true, false}), equal_nodes(48, 6)},
                                  {Topology({6, 8}, {true, false}), {8, 8, 4, 20, 7, 1}},
                                  {Topology({3, 5, 7}, {false, false, true}), equal_nodes(105, 15)},
                                  {Topology({3, 5, 7}, {false, false, true}), {50, 30, 25}},
                                  {Topology({2, 1, 11, 3}, {true, true, true, true}), {33, 32, 1}},
                                  {Topology({13}, {false}), {13}},
                                  {Topology({17, 4}, {false, false}), equal_nodes(68, 4)},
                                  {Topology(), {1}}};
    for (const Case& one : cases) {
        const int d = one.grid.dimensions();
        for (const Stencil& stencil : {star(d, 1), moore(d, 1), Stencil(d, std::vector<int>(d, 3))})
            for (const Mapper mapper : all_mappers) {
                const Mapping mapping(mapper, one.grid, stencil, one.nodes);
                std::vector<int> ranks;
                for (int process = 0; process < one.grid.size(); ++process)
                    ranks.push_back(mapping.rank(process));
                INFO(to_string(mapper) << " on " << to_string(one.grid));
                CHECK(is_permutation(ranks));
            }
    }
}

TEST_CASE("mapping: the nodes of ranks")
{
    const Mapping mapping(Mapper::bricks, Topology({2, 4}, {false, false}), star(2, 1), {4, 4});
    CHECK(mapping.node_of_rank() == std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1});
    CHECK(Mapping(Mapper::consecutive, Topology({3}, {true}), star(1, 1), {1, 2}).node_of_rank() ==
          std::vector<int>{0, 1, 1});
    // Only exchanges from random mappings, the same everywhere, come to so few edges.
    const Topology mesh({4, 2, 3}, {false, false, false});
    CHECK(edges_of(Mapper::exchange, mesh, star(3, 1), {5, 5, 5, 9}) == EdgesBetweenNodes{36, 9});
}

TEST_CASE("mapping: never worse than consecutive ranks, or than the best bricks")
{
    for (const std::vector<int>& dims :
         {std::vector<int>{50, 48}, {75, 64}, {12, 12, 12}, {100, 10}, {8, 9, 16}, {4, 6, 4, 12}})
        for (const int processes_per_node : {4, 12, 48})
            for (const bool periodic : {false, true}) {
                const Topology grid(dims, std::vector<bool>(dims.size(), periodic));
                if (grid.size() % processes_per_node != 0)
                    continue;
                for (const Stencil& stencil : {star(grid.dimensions(), 1), moore(grid.dimensions(), 1)}) {
                    const std::vector<int> nodes = equal_nodes(grid.size(), processes_per_node);
                    const Mapper best = best_mapper(grid, stencil, nodes);
                    const EdgesBetweenNodes fewest = edges_of(best, grid, stencil, nodes);
                    INFO(to_string(best) << " on " << to_string(grid));
                    CHECK_FALSE(edges_of(Mapper::consecutive, grid, stencil, nodes) < fewest);
                    CHECK_FALSE(edges_of(Mapper::bricks, grid, stencil, nodes) < fewest);
                }
            }
}

TEST_CASE("mapping: consecutive ranks if nothing is better")
{
    CHECK(best_mapper(Topology({4, 4}, {false, false}), Stencil(2, {0, 1}), {4, 4, 4, 4}) == Mapper::consecutive);
    CHECK(best_mapper(Topology({12}, {false}), star(1, 1), {5, 7}) == Mapper::consecutive);
    CHECK(best_mapper(Topology({12}, {false}), star(1, 1), {12}) == Mapper::consecutive);
    CHECK(best_mapper(Topology(), Stencil(), {1}) == Mapper::consecutive);
}

TEST_CASE("mapping: within 10 % of the fewest edges possible on small grids", "[long]")
{
    for (int processes = 2; processes <= 16; ++processes)
        for (int processes_per_node = 2; processes_per_node <= 8; ++processes_per_node)
            if (processes % processes_per_node == 0)
                for_each_grid(processes, [&](const Topology& grid) {
                    const int d = grid.dimensions();
                    const std::vector<int> nodes = equal_nodes(processes, processes_per_node);
                    check_near_fewest(grid, star(d, 1), nodes);
                    if (processes > 12) // there are too many mappings for more stencils than one
                        return;
                    check_near_fewest(grid, moore(d, 1), nodes);
                    check_near_fewest(grid, star(d, 2), nodes);
                });
    for_each_grid(12, [&](const Topology& grid) { check_near_fewest(grid, star(grid.dimensions(), 1), {7, 2, 3}); });
}

TEST_CASE("mapping: weights decide the best mapper")
{
    const Topology grid({8, 16}, {false, false});
    const Stencil stencil(2, {1, 0, 0, 1});
    const std::vector<int> nodes = equal_nodes(128, 16);
    CHECK(best_mapper(grid, stencil, nodes) != Mapper::consecutive);
    CHECK(best_mapper(grid, stencil, nodes, {1, 100}) == Mapper::consecutive);
}

TEST_CASE("mapping: shapes that differ")
{
    const Topology grid({4, 4}, {false, false});
    CHECK_THROWS_AS(Mapping(Mapper::hyperplane, grid, star(2, 1), {4, 4, 4}), std::invalid_argument);
    CHECK_THROWS_AS(Mapping(Mapper::consecutive, grid, star(3, 1), {8, 8}), std::invalid_argument);
    CHECK_THROWS_AS(Mapping(Mapper::exchange, grid, star(2, 1), {8, 8}, {1}), std::invalid_argument);
}
