// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carrying through memory of the node: all processes of a job together, their buffers filled with labels.
#include "schedules/nodes/aggregation_part.hpp"

#include "test/catch.hpp"
#include "test/schedules/nodes/clusters.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

using namespace hopscotch::schedules;

namespace
{

using Labels = std::vector<Label>;

struct Process {
    AggregationPart part;
    Labels cells;
    std::vector<Labels> messages; // messages in its buffer; empty until received
    std::size_t sent = 0;
};

/// Messages on their way, by sender and receiver.
using Wires = std::map<std::pair<int, int>, std::vector<Labels>>;

class Memory
{
  public:
    Memory(const Job& job, const Cluster& cluster) : nodes_(cluster.nodes())
    {
        for (const Edges& edges : job.edges) {
            Process process{cluster.aggregation_part(job, edges.rank), {}, {}};
            for (const int slot : process.part.cell_slots)
                process.cells.push_back({edges.rank, slot});
            process.messages.resize(process.part.in.size());
            processes_.push_back(std::move(process));
        }
    }

    /// Until nobody gets any further.
    void run()
    {
        for (bool progress = true; progress;) {
            progress = false;
            for (std::size_t rank = 0; rank < processes_.size(); ++rank)
                progress = send(static_cast<int>(rank)) || receive(static_cast<int>(rank)) || progress;
        }
    }

    /// The blocks delivered to a process, by receive slot; a slot delivered twice is a fault.
    std::string fault(const Job& job, Operation operation, int rank)
    {
        std::map<int, Label> delivered;
        const AggregationPart& part = processes_[rank].part;
        for (const DeliveryBatch& batch : part.batches) {
            const Labels& message = at(rank, batch.owner).messages[batch.message];
            for (std::size_t i = batch.first; i < batch.last; ++i) {
                const Delivery& delivery = part.deliveries[i];
                if (message.empty() || !delivered.emplace(delivery.slot, message[delivery.index]).second)
                    return "slot " + std::to_string(delivery.slot) + ": nothing came, or twice";
            }
        }
        const std::vector<int>& sources = job.edges[rank].sources;
        for (std::size_t j = 0; j < sources.size(); ++j) {
            if (sources[j] == no_rank || nodes_.of_rank[sources[j]] == nodes_.of_rank[rank])
                continue;
            const Label expected = promised(job, operation, rank, j);
            if (delivered[static_cast<int>(j)] != expected) {
                std::ostringstream text;
                text << "slot " << j << " of " << rank << ": " << delivered[static_cast<int>(j)] << ", not "
                     << expected;
                return text.str();
            }
            delivered.erase(static_cast<int>(j));
        }
        return delivered.empty() ? "" : "a block for a slot without source on another node";
    }

    /// True if each process names exactly the readers of its buffer, and all processes agree on the buffers.
    void check_readers()
    {
        std::map<int, std::set<int>> readers;
        for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
            const AggregationPart& part = processes_[rank].part;
            const auto note = [&](int owner) {
                if (owner != part.own_position)
                    readers[rank_at(static_cast<int>(rank), owner)].insert(part.own_position);
            };
            for (const LeaderMessage& message : part.out)
                for (const Run& run : message.runs)
                    note(run.owner);
            for (const Delivery& delivery : part.deliveries)
                note(delivery.owner);
            for (std::size_t position = 0; position < part.buffers.size(); ++position) {
                const AggregationPart& owner = at(static_cast<int>(rank), static_cast<int>(position)).part;
                CHECK(part.buffers[position].cells == static_cast<int>(owner.cell_slots.size()));
                REQUIRE(part.buffers[position].message_blocks.size() == owner.in.size());
                for (std::size_t i = 0; i < owner.in.size(); ++i)
                    CHECK(part.buffers[position].message_blocks[i] == owner.in[i].blocks);
            }
        }
        for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
            const std::vector<int>& named = processes_[rank].part.readers;
            CHECK(std::set<int>(named.begin(), named.end()) == readers[static_cast<int>(rank)]);
        }
    }

  private:
    int rank_at(int rank, int position) const { return nodes_.ranks[nodes_.of_rank[rank]][position]; }
    Process& at(int rank, int position) { return processes_[rank_at(rank, position)]; }

    /// The next message, if all its blocks are there.
    bool send(int rank)
    {
        Process& process = processes_[rank];
        if (process.sent == process.part.out.size())
            return false;
        const LeaderMessage& message = process.part.out[process.sent];
        Labels blocks;
        for (const Run& run : message.runs) {
            const Process& owner = at(rank, run.owner);
            const Labels& from = run.message == Run::cells ? owner.cells : owner.messages[run.message];
            if (from.empty())
                return false;
            blocks.insert(blocks.end(), from.begin() + run.first, from.begin() + run.first + run.count);
        }
        CHECK(static_cast<int>(blocks.size()) == message.blocks);
        wires_[{rank, message.peer}].push_back(std::move(blocks));
        ++process.sent;
        return true;
    }

    bool receive(int rank)
    {
        Process& process = processes_[rank];
        for (std::size_t i = 0; i < process.messages.size(); ++i) {
            const LeaderMessage& message = process.part.in[i];
            std::vector<Labels>& wire = wires_[{message.peer, rank}];
            if (!process.messages[i].empty() || wire.empty())
                continue;
            process.messages[i] = std::move(wire.front());
            wire.erase(wire.begin());
            CHECK(static_cast<int>(process.messages[i].size()) == message.blocks);
            return true;
        }
        return false;
    }

    const Nodes& nodes_;
    std::vector<Process> processes_;
    Wires wires_;
};

void check(const Job& job, const Nodes& nodes, Operation operation, const Route& route)
{
    const Cluster cluster(job, nodes, blocks_of(operation), route);
    Memory memory(job, cluster);
    memory.run();
    for (const Edges& edges : job.edges) {
        const std::string found = memory.fault(job, operation, edges.rank);
        if (!found.empty())
            FAIL_CHECK(found << "; " << describe(job));
    }
    memory.check_readers();
}

} // namespace

TEST_CASE("carrying: random graphs on random nodes")
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const int processes = 1 + static_cast<int>(random() % 24);
        const Job job = random_graph(processes, 5 * processes, random);
        const Nodes nodes = random_nodes(processes, 1 + static_cast<int>(random() % 6), random);
        Route route;
        route.most_blocks = random() % 4 == 0 ? Route::whole : 1 + static_cast<int>(random() % 4);
        check(job, nodes, Operation::alltoall, route);
        check(job, nodes, Operation::allgather, route);
    }
}

TEST_CASE("carrying: dimension by dimension between bricks")
{
    std::mt19937 random(11);
    for (const bool periodic : {true, false})
        for (const Stencil& stencil : stencils(3, random)) {
            const Topology grid({4, 6, 3}, {periodic, true, periodic});
            const Job job = shuffled_job(grid, stencil, random);
            const Nodes nodes = brick_nodes(grid, {2, 2, 1});
            for (const Operation operation : {Operation::alltoall, Operation::allgather})
                check(job, nodes, operation,
                      dimension_wise(job, nodes, operation, 1 + static_cast<int>(random() % 20)));
        }
}

TEST_CASE("carrying: blocks for one node lie side by side")
{
    const Topology grid({2, 8}, {false, true});
    const Job job{grid, Stencil(2, {1, -1, 1, 0, 1, 1}), {}};
    Job listed = job;
    for (int rank = 0; rank < grid.size(); ++rank)
        listed.edges.push_back(edges_of(grid, job.stencil, rank));
    const Cluster cluster(listed, brick_nodes(grid, {1, 8}), Blocks::individual, Route{});
    const AggregationPart part = cluster.aggregation_part(listed, 0);
    REQUIRE(part.out.size() == 1);            // the first process carries the message to the other row
    CHECK(part.out.front().runs.size() == 8); // three blocks of each process
    CHECK(part.out.front().blocks == 24);
    CHECK(part.cell_slots == std::vector<int>{1, 2, 0}); // to 8, 9, 15
}
