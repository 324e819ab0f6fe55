// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allgather between nodes: every process gets everyone's blocks, in as few messages as it should.
#include "schedules/nodes/node_gather.hpp"

#include "test/catch.hpp"
#include "test/schedules/nodes/clusters.hpp"
#include "test/schedules/nodes/staged_memory.hpp"

#include <utility>

using namespace hopscotch::schedules;

namespace
{

int phases(const std::vector<NodeHop>& hops)
{
    return hops.empty() ? 0 : hops.back().phase + 1;
}

int blocks(const std::vector<LeaderMessage>& messages)
{
    int sum = 0;
    for (const LeaderMessage& message : messages)
        sum += message.blocks;
    return sum;
}

/// True if buffers are no larger than one of those that gather_buffers() knows.
bool fits(const StagingBuffer& buffer, const std::vector<StagingBuffer>& known)
{
    return std::any_of(known.begin(), known.end(), [&buffer](const StagingBuffer& one) {
        return buffer.blocks() <= one.blocks() && buffer.message_blocks.size() <= one.message_blocks.size();
    });
}

void check(const Nodes& nodes)
{
    const int processes = static_cast<int>(nodes.of_rank.size());
    Job job{Topology({processes}, {true}), Stencil(1, {}), {}};
    std::vector<AggregationPart> parts;
    for (int rank = 0; rank < processes; ++rank) {
        job.edges.push_back(edges_to_everyone(processes, rank));
        parts.push_back(gather_part(nodes, rank));
    }
    const std::vector<StagingBuffer> known = gather_buffers(nodes);
    std::vector<int> arriving(nodes.ranks.size()); // blocks at each node
    for (int rank = 0; rank < processes; ++rank) {
        arriving[nodes.of_rank[rank]] += blocks(parts[rank].in);
        for (const StagingBuffer& buffer : parts[rank].buffers)
            CHECK(fits(buffer, known));
        for (int phase = 0; phase < parts[rank].phases; ++phase)
            CHECK(std::count_if(parts[rank].out.begin(), parts[rank].out.end(),
                                [phase](const LeaderMessage& message) { return message.phase == phase; }) <= 1);
    }
    for (std::size_t node = 0; node < arriving.size(); ++node)
        CHECK(arriving[node] == processes - static_cast<int>(nodes.ranks[node].size())); // each block once
    StagedMemory memory(nodes, std::move(parts));
    memory.run();
    for (int rank = 0; rank < processes; ++rank)
        CHECK(memory.fault(job, TestedOperation::allgather, rank).empty());
    memory.check_readers();
}

} // namespace

TEST_CASE("gathering between nodes: in as few phases as messages at once allow")
{
    CHECK(node_hops(1, 4).empty());
    CHECK(phases(node_hops(2, 1)) == 1);
    for (const int nodes : {2, 3, 4, 5, 7, 8, 9, 16, 17, 1000}) {
        int log2 = 0;
        while (1 << log2 < nodes)
            ++log2;
        CHECK(phases(node_hops(nodes, 1)) == log2);
        CHECK(node_hops(nodes, 1).size() == static_cast<std::size_t>(log2));
        CHECK(phases(node_hops(nodes, 7)) <= log2);
        CHECK(node_hops(nodes, nodes).size() == static_cast<std::size_t>(nodes - 1)); // all at once
    }
    CHECK(phases(node_hops(16, 3)) == 2); // 1, 4, 16 nodes
    CHECK(node_hops(16, 3).size() == 3 + 3);
    CHECK(node_hops(16, 8).size() == 3 + 3); // more messages would save no phase
    CHECK(node_hops(4, 2).size() == 2);
}

TEST_CASE("gathering between nodes: every process gets all blocks")
{
    for (int nodes = 1; nodes <= 9; ++nodes)
        for (int each = 1; each <= 5; ++each) {
            INFO(nodes << " nodes of " << each);
            std::vector<int> in_turn;
            std::vector<int> by_node;
            for (int rank = 0; rank < nodes * each; ++rank) {
                in_turn.push_back(rank % nodes);
                by_node.push_back(rank / each);
            }
            check(nodes_of(in_turn));
            check(nodes_of(by_node));
        }
}

TEST_CASE("gathering between nodes: with different numbers of processes")
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const int processes = 1 + static_cast<int>(random() % 40);
        check(random_nodes(processes, 1 + static_cast<int>(random() % 12), random));
    }
}
