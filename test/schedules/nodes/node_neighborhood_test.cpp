// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Each kind of blocks takes the paths that the nodes have agreed on for it.
#include "schedules/nodes/aggregation_part.hpp"

#include "test/catch.hpp"
#include "test/schedules/nodes/clusters.hpp"

using namespace hopscotch::schedules;

TEST_CASE("A node's knowledge yields the part of each of its processes in collectives of both kinds")
{
    std::mt19937 random(3);
    const Job job = random_graph(12, 60, random);
    Route cut;
    cut.most_blocks = 1;
    const Cluster individual(job, random_nodes(12, 3, random), Blocks::individual, cut);
    const Cluster common(job, individual.nodes(), Blocks::common, {});
    for (int rank = 0; rank < 12; ++rank) {
        const int node = individual.nodes().of_rank[rank];
        NodeNeighborhood known;
        known.lists = lists_of(job, individual.nodes(), node);
        known.individual = {cut, individual.theirs(node)};
        known.common = {{}, common.theirs(node)};
        for (const Cluster* const cluster : {&individual, &common}) {
            const Blocks blocks = cluster == &common ? Blocks::common : Blocks::individual;
            const AggregationPart part = known.part(individual.nodes(), job.edges[rank], blocks);
            const AggregationPart expected = cluster->aggregation_part(job, rank);
            CHECK(part.cell_slots == expected.cell_slots);
            REQUIRE(part.out.size() == expected.out.size());
            for (std::size_t i = 0; i < part.out.size(); ++i)
                CHECK(part.out[i].blocks == expected.out[i].blocks);
            CHECK(part.in.size() == expected.in.size());
        }
    }
}
