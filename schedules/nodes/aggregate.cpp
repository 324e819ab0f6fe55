// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The node-aware schedule for any neighbor lists and any placement of processes: the blocks between two nodes share
// messages.
#include "schedules/nodes/aggregate.hpp"

#include "schedules/grid/peer_slots.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// What goes between this process and another of its node in one phase: names of blocks that both list in the same
/// order. The names are those of the phase.
struct Handover {
    std::vector<int> out;
    std::vector<int> in;
};

class Planner
{
  public:
    Planner(const NodePlan& plan, const Nodes& nodes, const Edges& edges, Blocks blocks, const Leaders& theirs)
        : plan_(plan), ranks_(nodes.ranks[nodes.of_rank[edges.rank]]), nodes_(nodes), edges_(edges), blocks_(blocks),
          theirs_(theirs), slots_(edges, blocks), own_position_(nodes.position(edges.rank)),
          held_(plan.incoming_of.size(), nowhere)
    {
        index_plan();
    }

    Schedule plan()
    {
        copy_own_blocks();
        gather();
        for (int phase = 0; phase < plan_.phases; ++phase) {
            cross(phase);
            if (phase == 0)
                exchange_on_node();
            hand_on(phase);
        }
        return std::move(schedule_);
    }

  private:
    static constexpr Slot nowhere{Place::transit, -1};

    /// Who sends each outgoing block first, who receives each block in transit, and who needs it then.
    void index_plan()
    {
        leader_of_outgoing_.assign(plan_.outgoing.size(), no_rank);
        std::vector<std::pair<int, int>> needs; // transit block, position
        for (const NodeMessage& message : plan_.out)
            for (const Slot& block : message.blocks)
                if (block.place == Place::send)
                    leader_of_outgoing_[block.index] = message.leader;
                else
                    needs.emplace_back(block.index, message.leader);
        std::size_t wanted = 0;
        std::vector<std::size_t> first_wanted(plan_.incoming.size() + 1, plan_.wanted.size());
        for (std::size_t i = 0; i < first_wanted.size(); ++i) {
            first_wanted[i] = wanted;
            while (wanted < plan_.wanted.size() && plan_.wanted[wanted].incoming == static_cast<int>(i))
                ++wanted;
        }
        for (std::size_t block = 0; block < plan_.incoming_of.size(); ++block) {
            const int incoming = plan_.incoming_of[block];
            if (incoming == no_rank)
                continue;
            for (std::size_t i = first_wanted[incoming]; i < first_wanted[incoming + 1]; ++i)
                needs.emplace_back(static_cast<int>(block), plan_.wanted[i].position);
        }
        std::sort(needs.begin(), needs.end());
        needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
        needs_ = std::move(needs);
    }

    Slot own_block(int destination, int order) const { return {Place::send, slots_.send(destination, order)}; }

    void copy_own_blocks()
    {
        const std::vector<int>& own = slots_.from(edges_.rank);
        for (std::size_t order = 0; order < own.size(); ++order)
            schedule_.copies.push_back({own_block(edges_.rank, static_cast<int>(order)), {Place::receive, own[order]}});
    }

    /// Positions of the node from the one after this process on, so that not all begin with the same.
    std::vector<int> others() const
    {
        std::vector<int> result;
        const int processes = static_cast<int>(ranks_.size());
        for (int step = 1; step < processes; ++step)
            result.push_back((own_position_ + step) % processes);
        return result;
    }

    /// Phase 0: the blocks of outgoing crossings, by index, go to those who carry them.
    void gather()
    {
        carried_here_.assign(plan_.outgoing.size(), nowhere);
        std::vector<Handover> handovers(ranks_.size());
        for (std::size_t i = 0; i < plan_.outgoing.size(); ++i) {
            const Crossing& crossing = plan_.outgoing[i];
            const int source = nodes_.position(crossing.source);
            const int leader = leader_of_outgoing_[i];
            if (source == own_position_ && leader == own_position_)
                carried_here_[i] = own_block(crossing.destination, crossing.order);
            else if (source == own_position_)
                handovers[leader].out.push_back(static_cast<int>(i));
            else if (leader == own_position_)
                handovers[source].in.push_back(static_cast<int>(i));
        }
        Phase phase;
        for (const int position : others()) {
            Round round;
            for (const int i : handovers[position].out)
                round.sends.push_back(own_block(plan_.outgoing[i].destination, plan_.outgoing[i].order));
            round.first_arrival = schedule_.arrivals;
            const std::vector<int>& in = handovers[position].in;
            for (std::size_t q = 0; q < in.size(); ++q)
                carried_here_[in[q]] = arrival(round, q);
            finish(round, position, in.size());
            add(phase, std::move(round));
        }
        schedule_.phases.push_back(std::move(phase));
    }

    /// In the phase of the first messages between nodes, and after them: blocks of edges within the node.
    void exchange_on_node()
    {
        Phase& phase = schedule_.phases.back();
        for (const int position : others()) {
            Round round;
            for (const int slot : slots_.to(ranks_[position]))
                round.sends.push_back({Place::send, slot});
            round.first_arrival = schedule_.arrivals;
            const std::vector<int>& slots = slots_.from(ranks_[position]);
            for (std::size_t q = 0; q < slots.size(); ++q)
                round.deliveries.push_back({arrival(round, q), {Place::receive, slots[q]}});
            finish(round, position, slots.size());
            add(phase, std::move(round));
        }
    }

    /// Where the q-th block lies that another process of the node gives; a common one is given once.
    Slot arrival(const Round& round, std::size_t q) const
    {
        return {Place::transit, round.first_arrival + (blocks_ == Blocks::common ? 0 : static_cast<int>(q))};
    }

    /// A round with a process of the node that wants these blocks and gives `blocks`.
    void finish(Round& round, int position, std::size_t blocks)
    {
        const bool common = blocks_ == Blocks::common;
        if (common && !round.sends.empty())
            round.sends = {{Place::send, 0}};
        if (!round.sends.empty())
            round.destination = ranks_[position];
        const int arrivals = common && blocks > 0 ? 1 : static_cast<int>(blocks);
        finish_arrivals(round, round.first_arrival + arrivals, ranks_[position]);
    }

    /// Messages this process carries to and from other nodes.
    void cross(int node_phase)
    {
        Phase phase;
        for (const NodeMessage& message : plan_.out) {
            if (message.phase != node_phase || message.leader != own_position_)
                continue;
            Round round;
            round.destination = theirs_.receivers.at(message.node)[message.part];
            round.first_arrival = schedule_.arrivals;
            for (const Slot& block : message.blocks)
                round.sends.push_back(block.place == Place::send ? carried_here_[block.index] : held_[block.index]);
            phase.rounds.push_back(std::move(round));
        }
        for (const NodeMessage& message : plan_.in) {
            if (message.phase != node_phase || message.leader != own_position_)
                continue;
            Round round;
            round.first_arrival = schedule_.arrivals;
            int arrival = round.first_arrival;
            for (const Slot& block : message.blocks)
                hold(round, block.index, arrival++);
            finish_arrivals(round, arrival, theirs_.senders.at(message.node)[message.part]);
            phase.rounds.push_back(std::move(round));
        }
        schedule_.phases.push_back(std::move(phase));
    }

    /// Blocks that have come go to the processes that want them or send them on, by their number in transit.
    void hand_on(int node_phase)
    {
        std::vector<Handover> handovers(ranks_.size());
        for (const NodeMessage& message : plan_.in) {
            if (message.phase != node_phase)
                continue;
            for (const Slot& block : message.blocks) {
                const auto first = std::lower_bound(needs_.begin(), needs_.end(), std::make_pair(block.index, 0));
                for (auto need = first; need != needs_.end() && need->first == block.index; ++need)
                    if (need->second == message.leader)
                        continue;
                    else if (message.leader == own_position_)
                        handovers[need->second].out.push_back(block.index);
                    else if (need->second == own_position_)
                        handovers[message.leader].in.push_back(block.index);
            }
        }
        Phase phase;
        for (const int position : others()) {
            Round round;
            for (const int block : handovers[position].out)
                round.sends.push_back(held_[block]);
            if (!round.sends.empty())
                round.destination = ranks_[position];
            round.first_arrival = schedule_.arrivals;
            int arrival = round.first_arrival;
            for (const int block : handovers[position].in)
                hold(round, block, arrival++);
            finish_arrivals(round, arrival, ranks_[position]);
            add(phase, std::move(round));
        }
        schedule_.phases.push_back(std::move(phase));
    }

    /// A block of the node's has come to this process; it is delivered if it is for it.
    void hold(Round& round, int block, int arrival)
    {
        held_[block] = {Place::transit, arrival};
        const int incoming = plan_.incoming_of[block];
        if (incoming == no_rank)
            return;
        const Crossing& crossing = plan_.incoming[incoming];
        if (crossing.destination != no_rank && crossing.destination != edges_.rank)
            return;
        for (const int slot : slots_.receive(crossing.source, crossing.order))
            round.deliveries.push_back({held_[block], {Place::receive, slot}});
    }

    void finish_arrivals(Round& round, int end, int source)
    {
        round.arrivals = end - round.first_arrival;
        if (round.arrivals > 0)
            round.source = source;
        schedule_.arrivals = end;
    }

    static void add(Phase& phase, Round round)
    {
        if (round.destination != no_rank || round.source != no_rank)
            phase.rounds.push_back(std::move(round));
    }

    const NodePlan& plan_;
    const std::vector<int>& ranks_; // of the node
    const Nodes& nodes_;
    const Edges& edges_;
    Blocks blocks_;
    const Leaders& theirs_;
    PeerSlots slots_;
    int own_position_;
    std::vector<int> leader_of_outgoing_;
    std::vector<std::pair<int, int>> needs_; // transit block of the node and position of a process, sorted
    std::vector<Slot> carried_here_;         // of outgoing crossings this process sends
    std::vector<Slot> held_;                 // of blocks in transit on the node: where this process has them
    Schedule schedule_;
};

} // namespace

Schedule aggregated(const NodePlan& plan, const Nodes& nodes, const Edges& edges, Blocks blocks, const Leaders& theirs)
{
    return Planner(plan, nodes, edges, blocks, theirs).plan();
}

} // namespace hopscotch::schedules
