// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// On a torus with shifted borders steps lead to the right cells, in any order, and the shortest path is a valid path.
#include "schedules/grid/lattice.hpp"

#include "test/catch.hpp"

#include <cstdlib>

using namespace hopscotch::schedules;

namespace
{

Lattice random_lattice(std::mt19937& random)
{
    const std::size_t d = 1 + random() % 4;
    std::vector<int> extents;
    std::vector<std::vector<int>> wraps;
    for (std::size_t k = 0; k < d; ++k) {
        extents.push_back(1 + static_cast<int>(random() % 5));
        wraps.emplace_back();
        for (std::size_t j = 0; j < k; ++j)
            wraps[k].push_back(static_cast<int>(random() % static_cast<unsigned>(extents[j])));
    }
    return Lattice(extents, wraps);
}

int after(const Lattice& lattice, int cell, const std::vector<int>& steps)
{
    for (std::size_t k = 0; k < steps.size(); ++k)
        cell = lattice.moved(cell, static_cast<int>(k), steps[k]);
    return cell;
}

} // namespace

TEST_CASE("Without shifted borders a lattice is a torus", "[grid]")
{
    const Topology topology({3, 4, 2}, {true, true, true});
    const Lattice lattice(topology.dims());
    CHECK(lattice.is_torus());
    REQUIRE(lattice.size() == topology.size());
    for (int rank = 0; rank < topology.size(); ++rank)
        for (int k = 0; k < 3; ++k)
            for (int shift = -5; shift <= 5; ++shift)
                CHECK(lattice.moved(rank, k, shift) == topology.shifted(rank, k, shift));
    const int coordinates[] = {2, 2, 1};
    int steps[3];
    lattice.shortest(coordinates, steps);
    CHECK(std::vector<int>(steps, steps + 3) == std::vector<int>{-1, 2, 1});
}

TEST_CASE("A helix is a lattice", "[grid]")
{
    const Lattice helix({5, 4}, {{}, {1}}); // four steps along dimension 1 are one along dimension 0
    CHECK_FALSE(helix.is_torus());
    int at[] = {0, 4};
    CHECK(helix.reduce(at) == 4); // (1, 0), row by row
    int back[] = {0, -1};
    CHECK(helix.reduce(back) == 4 * 4 + 3); // (4, 3)
    const int far[] = {4, 3};
    int steps[2];
    helix.shortest(far, steps);
    CHECK(std::vector<int>(steps, steps + 2) == std::vector<int>{0, -1});
}

TEST_CASE("Steps commute, and the shortest way leads to its cell", "[grid]")
{
    for (unsigned seed = 1; seed <= 200; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const Lattice lattice = random_lattice(random);
        const auto d = static_cast<std::size_t>(lattice.dimensions());
        const int cell = static_cast<int>(random() % static_cast<unsigned>(lattice.size()));
        const int k = static_cast<int>(random() % d);
        const int j = static_cast<int>(random() % d);
        CHECK(lattice.moved(lattice.moved(cell, k, 2), j, -3) == lattice.moved(lattice.moved(cell, j, -3), k, 2));
        std::vector<int> coordinates(d);
        lattice.coordinates(cell, coordinates.data());
        std::vector<int> steps(d);
        lattice.shortest(coordinates.data(), steps.data());
        CHECK(after(lattice, 0, steps) == cell);
        CHECK(lattice.reduce(coordinates.data()) == cell);
    }
}
