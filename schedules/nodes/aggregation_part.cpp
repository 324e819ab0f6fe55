// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/aggregation_part.hpp"

#include "schedules/grid/peer_slots.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// The place of one block.
struct Spot {
    int owner = 0;
    int message = Run::cells;
    int index = 0;
};

class AggregationPlanner
{
  public:
    AggregationPlanner(const NodePlan& plan, const Nodes& nodes, const Edges& edges, Blocks blocks,
                       const Leaders& theirs)
        : plan_(plan), nodes_(nodes), blocks_(blocks), theirs_(theirs), slots_(edges, blocks)
    {
        result_.phases = plan.phases;
        result_.own_position = nodes.position(edges.rank);
        result_.buffers.resize(nodes.ranks[nodes.of_rank[edges.rank]].size());
    }

    AggregationPart plan()
    {
        place_cells();
        place_messages();
        find_deliveries();
        compose_messages();
        result_.readers.assign(readers_.begin(), readers_.end());
        return std::move(result_);
    }

  private:
    /// A process's outgoing blocks lie in its cells in the order of the crossings.
    void place_cells()
    {
        for (const Crossing& crossing : plan_.outgoing) {
            const int owner = nodes_.position(crossing.source);
            int& cells = result_.buffers[owner].cells;
            const bool first = cells == 0;
            if (blocks_ == Blocks::individual || first)
                ++cells;
            cell_of_.push_back({owner, Run::cells, cells - 1});
            if (owner == result_.own_position && (blocks_ == Blocks::individual || first))
                result_.cell_slots.push_back(slots_.send(crossing.destination, crossing.order));
        }
    }

    void place_messages()
    {
        spot_of_.resize(plan_.incoming_of.size());
        for (const NodeMessage& message : plan_.in) {
            std::vector<int>& messages = result_.buffers[message.leader].message_blocks;
            for (std::size_t index = 0; index < message.blocks.size(); ++index)
                spot_of_[message.blocks[index].index] = {message.leader, static_cast<int>(messages.size()),
                                                         static_cast<int>(index)};
            phase_of_[{message.leader, static_cast<int>(messages.size())}] = message.phase;
            messages.push_back(static_cast<int>(message.blocks.size()));
            if (message.leader == result_.own_position)
                result_.in.push_back(
                    {message.phase, theirs_.senders.at(message.node)[message.part], messages.back(), {}});
        }
    }

    void note_reader(const Spot& spot, int position)
    {
        if (spot.owner == result_.own_position && position != result_.own_position)
            readers_.insert(position);
    }

    void find_deliveries()
    {
        std::vector<int> transit_of(plan_.incoming.size(), no_rank);
        for (std::size_t block = 0; block < plan_.incoming_of.size(); ++block)
            if (plan_.incoming_of[block] != no_rank)
                transit_of[plan_.incoming_of[block]] = static_cast<int>(block);
        for (const Wanted& wanted : plan_.wanted) {
            const Spot& spot = spot_of_[transit_of[wanted.incoming]];
            note_reader(spot, wanted.position);
            if (wanted.position != result_.own_position)
                continue;
            const Crossing& crossing = plan_.incoming[wanted.incoming];
            for (const int slot : slots_.receive(crossing.source, crossing.order))
                result_.deliveries.push_back({spot.owner, spot.message, spot.index, slot});
        }
        const auto key = [](const Delivery& delivery) {
            return std::tie(delivery.owner, delivery.message, delivery.index, delivery.slot);
        };
        std::sort(result_.deliveries.begin(), result_.deliveries.end(),
                  [key](const Delivery& a, const Delivery& b) { return key(a) < key(b); });
        for (std::size_t i = 0; i < result_.deliveries.size(); ++i) {
            const Delivery& next = result_.deliveries[i];
            std::vector<DeliveryBatch>& batches = result_.batches;
            if (batches.empty() || batches.back().owner != next.owner || batches.back().message != next.message)
                batches.push_back({next.owner, next.message, phase_of_.at({next.owner, next.message}), i, i});
            ++batches.back().last;
        }
    }

    void compose_messages()
    {
        for (const NodeMessage& message : plan_.out) {
            const bool own = message.leader == result_.own_position;
            LeaderMessage carried;
            for (const Slot& block : message.blocks) {
                const Spot& spot = block.place == Place::send ? cell_of_[block.index] : spot_of_[block.index];
                note_reader(spot, message.leader);
                if (own)
                    append(carried.runs, spot);
            }
            if (!own)
                continue;
            carried.phase = message.phase;
            carried.peer = theirs_.receivers.at(message.node)[message.part];
            carried.blocks = static_cast<int>(message.blocks.size());
            result_.out.push_back(std::move(carried));
        }
    }

    static void append(std::vector<Run>& runs, const Spot& spot)
    {
        if (!runs.empty()) {
            Run& last = runs.back();
            if (last.owner == spot.owner && last.message == spot.message && last.first + last.count == spot.index) {
                ++last.count;
                return;
            }
        }
        runs.push_back({spot.owner, spot.message, spot.index, 1});
    }

    const NodePlan& plan_;
    const Nodes& nodes_;
    Blocks blocks_;
    const Leaders& theirs_;
    PeerSlots slots_;
    std::vector<Spot> cell_of_;                   // cells of outgoing crossings
    std::vector<Spot> spot_of_;                   // spots of blocks in transit on the node
    std::map<std::pair<int, int>, int> phase_of_; // phases of messages to this node, by owner and message
    std::set<int> readers_;
    AggregationPart result_;
};

} // namespace

int StagingBuffer::blocks() const noexcept
{
    return std::accumulate(message_blocks.begin(), message_blocks.end(), cells);
}

AggregationPart aggregation_part(const NodePlan& plan, const Nodes& nodes, const Edges& edges, Blocks blocks,
                                 const Leaders& theirs)
{
    return AggregationPlanner(plan, nodes, edges, blocks, theirs).plan();
}

AggregationPart NodeNeighborhood::part(const Nodes& nodes, const Edges& edges, Blocks blocks) const
{
    return aggregation_part(plan_node(nodes, lists, blocks, paths(blocks).route), nodes, edges, blocks,
                            paths(blocks).theirs);
}

const NodeNeighborhood::Paths& NodeNeighborhood::paths(Blocks blocks) const
{
    return blocks == Blocks::common ? common : individual;
}

} // namespace hopscotch::schedules
