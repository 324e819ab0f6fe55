// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Coordinates of ranks in every order of dimensions.
#include "schedules/grid/naming.hpp"

#include "schedules/grid/ordering.hpp"

#include "test/catch.hpp"

#include <climits>
#include <stdexcept>

using namespace hopscotch::schedules;

TEST_CASE("the last dimension of the order varies fastest", "[naming]")
{
    // Worked by hand: ranks of a 2x3x4 grid, dimension 1 slowest, then 2, then 0: rank = (c1*4 + c2)*2 + c0.
    const Naming naming({2, 3, 4}, {false, true, false}, {1, 2, 0});
    CHECK(naming.size() == 24);
    CHECK(naming.coordinates(1) == std::vector<int>{1, 0, 0});
    CHECK(naming.coordinates(2) == std::vector<int>{0, 0, 1});
    CHECK(naming.coordinates(8) == std::vector<int>{0, 1, 0});
    CHECK(naming.coordinates(23) == std::vector<int>{1, 2, 3});
    CHECK(naming.extent(1) == 3);
    CHECK(naming.periodic(1));
    CHECK_FALSE(naming.periodic(2));
    CHECK(to_string(naming.grid()) == "3px4x2");
    CHECK(naming.rank_at(std::vector<int>{1, -1, 0}.data()) == 17);
    CHECK(naming.rank_at(std::vector<int>{2, 0, 0}.data()) == no_rank);
    CHECK(naming.rank_from(17, std::vector<int>{1, -2, 0}.data(), -1) == 8);
    CHECK(naming.rank_from(0, std::vector<int>{0, INT_MIN, 0}.data(), -1) == 16); // 2^31 mod 3 = 2
    CHECK(naming.rank_from(0, std::vector<int>{INT_MIN, 0, 0}.data(), -1) == no_rank);
}

TEST_CASE("in any order ranks and coordinates are inverse, and the grid has the same ranks", "[naming]")
{
    const std::vector<int> sizes = {2, 1, 3, 2};
    const std::vector<bool> periods = {true, false, false, true};
    std::vector<int> order = {0, 1, 2, 3};
    bool right = true;
    do {
        const Naming naming(sizes, periods, order);
        for (int rank = 0; rank < naming.size(); ++rank) {
            const std::vector<int> there = naming.coordinates(rank);
            right = right && naming.rank_at(there.data()) == rank;
            for (std::size_t i = 0; i < order.size(); ++i)
                right = right && naming.grid().coordinates(rank)[i] == there[static_cast<std::size_t>(order[i])];
        }
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(right);
    CHECK(Naming(sizes, periods, {0, 1, 2, 3}).grid() == Topology(sizes, periods));
}

TEST_CASE("only permutations of the dimensions are accepted", "[naming]")
{
    for (const std::vector<int>& order : std::vector<std::vector<int>>{{0, 0}, {1, 2}, {0, -1}, {0}, {0, 1, 2}}) {
        CHECK_THROWS_AS(Naming({2, 2}, {true, true}, order), std::invalid_argument);
        CHECK(is_permutation(order) == (order.size() != 2));
    }
}

TEST_CASE("only points with a process have a name", "[naming]")
{
    const Naming grid({2, 3}, {false, true}, {0, 1});
    const ProcessNaming fewer(grid, 5);
    CHECK(fewer.names(4));
    CHECK_FALSE(fewer.names(5));
    CHECK_FALSE(fewer.names(-1));
    CHECK(fewer.rank_at(std::vector<int>{1, 1}.data()) == 4);
    CHECK(fewer.rank_at(std::vector<int>{1, 2}.data()) == no_rank);
    CHECK(fewer.rank_from(4, std::vector<int>{0, 1}.data(), 1) == no_rank);
    CHECK(fewer.rank_from(4, std::vector<int>{0, 1}.data(), -1) == 3);
    CHECK_FALSE(ProcessNaming(grid, 8).names(6));
}

TEST_CASE("the first difference of two names is said", "[naming]")
{
    const std::vector<int> list = as_list(Naming({2, 3}, {false, true}, {0, 1}));
    CHECK(list == std::vector<int>{2, 3, 0, 1, 0, 1});
    const auto other = [](std::size_t at) {
        std::vector<int> changed{2, 3, 0, 1, 0, 1};
        changed[at] = 7;
        return changed;
    };
    CHECK(difference_of_names(4, {}, list) == "rank 4 gave no name, rank 0 did");
    CHECK(difference_of_names(4, list, {}) == "rank 4 gave a name, rank 0 did not");
    CHECK(difference_of_names(4, {2, 0, 0}, list) == "rank 4 named 1 dimensions, rank 0 2");
    CHECK(difference_of_names(4, other(1), list) == "rank 4: entry 1 of order is 7, on rank 0 it is 3");
    CHECK(difference_of_names(4, other(2), list) == "rank 4: entry 0 of period is 7, on rank 0 it is 0");
    CHECK(difference_of_names(4, other(4), list) == "rank 4 gave another order of dimensions than rank 0");
}
