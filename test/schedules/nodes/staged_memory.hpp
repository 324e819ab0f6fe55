// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Simulates the staging buffers of nodes: the parts of all processes, and the blocks that they deliver.
#pragma once

#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/nodes.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// All processes of a job together, their buffers filled with labels.
class StagedMemory
{
  public:
    /// The part of each rank. `nodes` must live as long.
    StagedMemory(const hopscotch::schedules::Nodes& nodes, std::vector<hopscotch::schedules::AggregationPart> parts)
        : nodes_(nodes)
    {
        for (hopscotch::schedules::AggregationPart& part : parts) {
            Process process{std::move(part), {}, {}};
            const int rank = static_cast<int>(processes_.size());
            for (const int slot : process.part.cell_slots)
                process.cells.push_back({rank, slot});
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
    std::string fault(const Job& job, TestedOperation operation, int rank)
    {
        std::map<int, Label> delivered;
        const hopscotch::schedules::AggregationPart& part = processes_[rank].part;
        for (const hopscotch::schedules::DeliveryBatch& batch : part.batches) {
            const Labels& message = at(rank, batch.owner).messages[batch.message];
            for (std::size_t i = batch.first; i < batch.last; ++i) {
                const hopscotch::schedules::Delivery& delivery = part.deliveries[i];
                if (message.empty() || !delivered.emplace(delivery.slot, message[delivery.index]).second)
                    return "slot " + std::to_string(delivery.slot) + ": nothing came, or twice";
            }
        }
        const std::vector<int>& sources = job.edges[rank].sources;
        for (std::size_t j = 0; j < sources.size(); ++j) {
            if (sources[j] == hopscotch::schedules::no_rank || nodes_.of_rank[sources[j]] == nodes_.of_rank[rank])
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
            const hopscotch::schedules::AggregationPart& part = processes_[rank].part;
            const auto note = [&](int owner) {
                if (owner != part.own_position)
                    readers[rank_at(static_cast<int>(rank), owner)].insert(part.own_position);
            };
            for (const hopscotch::schedules::LeaderMessage& message : part.out)
                for (const hopscotch::schedules::Run& run : message.runs)
                    note(run.owner);
            for (const hopscotch::schedules::Delivery& delivery : part.deliveries)
                note(delivery.owner);
            for (std::size_t position = 0; position < part.buffers.size(); ++position) {
                const hopscotch::schedules::AggregationPart& owner =
                    at(static_cast<int>(rank), static_cast<int>(position)).part;
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
    using Labels = std::vector<Label>;

    struct Process {
        hopscotch::schedules::AggregationPart part;
        Labels cells;
        std::vector<Labels> messages; // messages in its buffer; empty until received
        std::size_t sent = 0;
    };

    /// Messages on their way, by sender and receiver.
    using Wires = std::map<std::pair<int, int>, std::vector<Labels>>;

    int rank_at(int rank, int position) const { return nodes_.ranks[nodes_.of_rank[rank]][position]; }
    Process& at(int rank, int position) { return processes_[rank_at(rank, position)]; }

    /// The next message, if all its blocks are there.
    bool send(int rank)
    {
        Process& process = processes_[rank];
        if (process.sent == process.part.out.size())
            return false;
        const hopscotch::schedules::LeaderMessage& message = process.part.out[process.sent];
        Labels blocks;
        for (const hopscotch::schedules::Run& run : message.runs) {
            const Process& owner = at(rank, run.owner);
            const Labels& from =
                run.message == hopscotch::schedules::Run::cells ? owner.cells : owner.messages[run.message];
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
            const hopscotch::schedules::LeaderMessage& message = process.part.in[i];
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

    const hopscotch::schedules::Nodes& nodes_;
    std::vector<Process> processes_;
    Wires wires_;
};
