// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Remappings: the edges counted are those of the ranks given out, and never more than before.
#include "schedules/mapping/remapping.hpp"

#include "schedules/grid/infer.hpp"
#include "schedules/grid/ordering.hpp"
#include "schedules/mapping/mapping_exchange.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

/// The node of each rank once every process has its new one.
std::vector<int> placed_anew(const Remapping& remapping, const Topology& grid, const Stencil& stencil,
                             const Nodes& nodes, const EdgeWeights& weights)
{
    const std::vector<int> ranks = new_ranks(remapping, grid, stencil, nodes, weights);
    REQUIRE(is_permutation(ranks));
    std::vector<int> result(ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        result[static_cast<std::size_t>(ranks[rank])] = nodes.of_rank[rank];
    return result;
}

/// For each offset, or each offset of each rank, up to `most`; none.
EdgeWeights random_weights(std::mt19937& random, const Topology& grid, const Stencil& stencil, unsigned most)
{
    const std::size_t t = static_cast<std::size_t>(stencil.size());
    const std::size_t counts[] = {0, t, t * static_cast<std::size_t>(grid.size())};
    EdgeWeights weights;
    for (std::size_t i = counts[random() % 3]; i > 0; --i)
        weights.push_back(random() % most);
    return weights;
}

} // namespace

TEST_CASE("remapping: new ranks are all different, yield the edges that were promised, and are never worse", "[long]")
{
    std::mt19937 random(28);
    for (int i = 0; i < 600; ++i) {
        const std::vector<int> dims{1 + static_cast<int>(random() % 5), 1 + static_cast<int>(random() % 4),
                                    1 + static_cast<int>(random() % 3)};
        const Topology grid(dims, {random() % 2 == 0, random() % 2 == 0, random() % 2 == 0});
        const Stencil stencil = random() % 2 == 0 ? moore(3, 1) : star(3, 1);
        std::vector<int> labels;
        for (int rank = 0; rank < grid.size(); ++rank)
            labels.push_back(static_cast<int>(random() % 4));
        const Nodes nodes = nodes_of(labels);
        const EdgeWeights weights = random_weights(random, grid, stencil, i % 2 == 0 ? 10 : 2000000000);
        const Objective objective = random() % 2 == 0 ? Objective::sum : Objective::most;
        const Remapping remapping = best_remapping(grid, stencil, nodes, weights, objective);
        INFO(to_string(grid) << ", case " << i);
        CHECK_FALSE(is_less(objective, remapping.now, remapping.mapped));
        CHECK(remapping.now == edges_between_nodes(grid, stencil, nodes.of_rank, weights));
        const std::vector<int> anew = placed_anew(remapping, grid, stencil, nodes, weights);
        if (remapping.spares_edges())
            CHECK(remapping.mapped == edges_between_nodes(grid, stencil, anew, weights));
    }
}

TEST_CASE("remapping: a stencil that is heavy along one dimension keeps rows, or becomes columns")
{
    for (const int side : {4, 8, 16}) {
        const Topology grid({side, side}, {false, false});
        std::vector<int> rows;
        for (int rank = 0; rank < grid.size(); ++rank)
            rows.push_back(rank / side);
        const Nodes nodes = nodes_of(rows);
        const std::int64_t light = 2 * side * (side - 1); // 24 of four rows
        const EdgeWeights along_rows{1, 1, 100, 100};
        const EdgeWeights along_columns{100, 100, 1, 1};
        const Remapping kept = best_remapping(grid, star(2, 1), nodes, along_rows);
        CHECK(kept.now.sum == light);
        CHECK_FALSE(kept.spares_edges());
        for (const Objective objective : {Objective::sum, Objective::most}) {
            const Remapping columns = best_remapping(grid, star(2, 1), nodes, along_columns, objective);
            CHECK(columns.now.sum == 100 * light);
            CHECK(columns.mapped.sum == light);
        }
    }
}

TEST_CASE("remapping: ranks that no mapper places as well stay")
{
    const Stencil stencil = moore(2, 1);
    int better = 0; // than all mappers, by exchanges, for which the grids are too large otherwise
    for (const int rows : {5, 6, 7, 8})
        for (const Mapper mapper : {Mapper::consecutive, Mapper::hyperplane, Mapper::stencil_strips}) {
            const Topology grid({rows, 7}, {rows % 2 == 0, false});
            const Mapping mapping(mapper, grid, stencil, {9, 11, grid.size() - 20});
            const Nodes nodes = nodes_of(exchanged(grid, stencil, mapping.node_of_rank()));
            const Remapping remapping = best_remapping(grid, stencil, nodes);
            const std::vector<int> anew = placed_anew(remapping, grid, stencil, nodes, {});
            if (!(remapping.now < edges_between_nodes(grid, stencil, anew)))
                continue;
            ++better;
            CHECK(remapping.mapped == remapping.now);
            CHECK_FALSE(remapping.spares_edges());
        }
    CHECK(better > 0);
}

TEST_CASE("remapping: fewest edges of the node with most, on request")
{
    const Topology grid({2, 7}, {false, false});
    const Nodes nodes = nodes_of({0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1});
    const Remapping fewest = best_remapping(grid, star(2, 1), nodes, {}, Objective::sum);
    const Remapping even = best_remapping(grid, star(2, 1), nodes, {}, Objective::most);
    CHECK(fewest.mapped.sum <= even.mapped.sum);
    CHECK(even.mapped.most <= fewest.mapped.most);
}

TEST_CASE("remapping: four nodes of a 4x4 torus, in rows and in turn, become squares")
{
    const Topology grid({4, 4}, {true, true});
    const std::vector<int> rows{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    const std::vector<int> in_turn{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    const std::vector<int> squares{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
    const Stencil stencil = moore(2, 1);
    CHECK(edges_in_all(grid, stencil) == 128);
    const Remapping of_rows = best_remapping(grid, stencil, nodes_of(rows));
    CHECK(of_rows.now.sum == 96);
    CHECK(of_rows.mapped.sum == 80);
    CHECK(of_rows.mapped.most == 20);
    CHECK(best_remapping(grid, stencil, nodes_of(in_turn)).mapped.sum == 80);
    CHECK_FALSE(best_remapping(grid, stencil, nodes_of(squares)).spares_edges());
    const EdgeCounts counts = count_edges(grid, stencil, nodes_of(rows));
    CHECK(counts.all == 128);
    CHECK(counts.now == 96);
    CHECK(counts.now_most == of_rows.now.most);
    CHECK(counts.now_most > counts.mapped_most);
    CHECK(counts.mapped == 80);
    CHECK(counts.mapped_most == 20);
    const Stencil many(1, identity(1 << 10)); // the first offset is that to the process itself
    for (const auto& [processes, all] : {std::pair(1 << 12, (1 << 12) * 1023), std::pair((1 << 12) + 1, 0)})
        CHECK(count_edges(Topology({processes}, {true}), many, nodes_of(std::vector<int>(processes))).all == all);
}
