// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks that a process holds while they travel: their origin and target are inside the grid.
#include "schedules/plan/block_mask.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

using namespace hopscotch::schedules;

TEST_CASE("A block exists where its origin and its target do, in any order of dimensions")
{
    for_random_jobs(30, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const int dimensions = job.topology.dimensions();
        std::vector<int> order(static_cast<std::size_t>(dimensions));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        const int rank = static_cast<int>(random() % job.edges.size());
        const Neighborhood neighborhood = job.neighborhood(rank);
        BlockMask mask(neighborhood);
        for (std::size_t travelled = 0; travelled <= order.size(); ++travelled) {
            for (int b = 0; b < neighborhood.stencil.size(); ++b) {
                std::vector<int> back(static_cast<std::size_t>(dimensions), 0);
                std::vector<int> ahead(neighborhood.stencil.offset(b), neighborhood.stencil.offset(b) + dimensions);
                for (std::size_t i = 0; i < travelled; ++i) {
                    const auto k = static_cast<std::size_t>(order[i]);
                    back[k] = -ahead[k];
                    ahead[k] = 0;
                }
                const bool exists = plain_neighbor(job.topology, rank, back) != no_rank &&
                                    plain_neighbor(job.topology, rank, ahead) != no_rank;
                CHECK(mask.holds(b) == exists);
            }
            if (travelled == order.size())
                continue;
            const std::vector<Group> phase = {{{order[travelled]}, 1}};
            for (const Steps& steps : route_of(neighborhood.stencil, job.topology, phase))
                mask.travel(steps);
        }
    });
}
