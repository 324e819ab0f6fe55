// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/direct.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace hopscotch::schedules
{

namespace
{

/// The slots of one neighbor list that belong to one process, in matching order of its parallel edges.
struct EdgesOfPeer {
    int rank = no_rank;
    std::vector<int> slots;
};

void check_sizes(const std::vector<int>& ranks, const std::vector<int>& order)
{
    if (ranks.size() != order.size())
        throw std::invalid_argument("edges: " + std::to_string(ranks.size()) + " neighbors, but " +
                                    std::to_string(order.size()) + " orders");
}

/// The slots of one process, in matching order.
std::vector<int> slots_of(int rank, const std::vector<int>& ranks, const std::vector<int>& order)
{
    check_sizes(ranks, order);
    std::vector<int> slots;
    for (std::size_t slot = 0; slot < ranks.size(); ++slot)
        if (ranks[slot] == rank)
            slots.push_back(static_cast<int>(slot));
    sort_by(slots, order);
    return slots;
}

/// The edges to the other processes, by rank.
std::vector<EdgesOfPeer> grouped(const std::vector<int>& ranks, const std::vector<int>& order, int self)
{
    check_sizes(ranks, order);
    std::vector<int> slots = identity(static_cast<int>(ranks.size()));
    sort_by(slots, order);
    sort_by(slots, ranks);
    std::vector<EdgesOfPeer> groups;
    for (const int slot : slots) {
        if (ranks[slot] == no_rank || ranks[slot] == self)
            continue;
        if (groups.empty() || groups.back().rank != ranks[slot])
            groups.push_back({ranks[slot], {}});
        groups.back().slots.push_back(slot);
    }
    return groups;
}

Slot send_slot(Blocks blocks, int destination)
{
    return {Place::send, blocks == Blocks::individual ? destination : 0};
}

/// Both lists of a process, grouped by peer, without the process itself: its blocks become copies.
struct Peers {
    std::vector<EdgesOfPeer> destinations;
    std::vector<EdgesOfPeer> sources;
    std::vector<Move> copies;
};

Peers peers_of(const Edges& edges, Blocks blocks)
{
    return {grouped(edges.destinations, edges.destination_order, edges.rank),
            grouped(edges.sources, edges.source_order, edges.rank), copies_to_self(edges, blocks)};
}

/// The slots of the groups in list order, except that those of one group take their places in the group's order: the
/// order of the messages of one peer.
std::vector<int> in_list_order(const std::vector<EdgesOfPeer>& groups, std::size_t list_size)
{
    std::vector<int> slot_at(list_size, no_rank);
    std::vector<int> places;
    for (const EdgesOfPeer& group : groups) {
        places = group.slots;
        std::sort(places.begin(), places.end());
        for (std::size_t q = 0; q < places.size(); ++q)
            slot_at[places[q]] = group.slots[q];
    }
    slot_at.erase(std::remove(slot_at.begin(), slot_at.end(), no_rank), slot_at.end());
    return slot_at;
}

Schedule one_message_per_edge(const Edges& edges, Blocks blocks)
{
    Peers peers = peers_of(edges, blocks);
    const std::vector<int> out = in_list_order(peers.destinations, edges.destinations.size());
    const std::vector<int> in = in_list_order(peers.sources, edges.sources.size());
    Schedule schedule;
    schedule.copies = std::move(peers.copies);
    schedule.arrivals = static_cast<int>(in.size());
    if (out.empty() && in.empty())
        return schedule;
    Phase phase;
    phase.rounds.resize(std::max(out.size(), in.size()));
    for (std::size_t i = 0; i < phase.rounds.size(); ++i) {
        Round& round = phase.rounds[i];
        round.first_arrival = static_cast<int>(std::min(i, in.size()));
        if (i < out.size()) {
            round.destination = edges.destinations[out[i]];
            round.sends.push_back(send_slot(blocks, out[i]));
        }
        if (i < in.size()) {
            round.source = edges.sources[in[i]];
            round.arrivals = 1;
            round.deliveries.push_back({{Place::transit, round.first_arrival}, {Place::receive, in[i]}});
        }
    }
    schedule.phases.push_back(std::move(phase));
    return schedule;
}

/// The blocks to and from one peer; either may be missing.
struct PairOfMessages {
    int rank = no_rank;
    const EdgesOfPeer* out = nullptr;
    const EdgesOfPeer* in = nullptr;
};

/// One exchange per distinct peer: the peers above the own rank first, so that not all processes begin with rank 0.
std::vector<PairOfMessages> exchanges(const Peers& peers, int own_rank)
{
    std::vector<PairOfMessages> result;
    auto out = peers.destinations.begin();
    auto in = peers.sources.begin();
    while (out != peers.destinations.end() || in != peers.sources.end()) {
        PairOfMessages exchange;
        const bool only_in = out == peers.destinations.end();
        const bool only_out = in == peers.sources.end();
        exchange.rank = only_in ? in->rank : only_out ? out->rank : std::min(out->rank, in->rank);
        if (!only_in && out->rank == exchange.rank)
            exchange.out = &*out++;
        if (!only_out && in->rank == exchange.rank)
            exchange.in = &*in++;
        result.push_back(exchange);
    }
    const auto above = std::find_if(result.begin(), result.end(),
                                    [own_rank](const PairOfMessages& exchange) { return exchange.rank > own_rank; });
    std::rotate(result.begin(), above, result.end());
    return result;
}

void receive(Round& round, const EdgesOfPeer& in, Blocks blocks)
{
    round.source = in.rank;
    round.arrivals = blocks == Blocks::individual ? static_cast<int>(in.slots.size()) : 1;
    round.deliveries.reserve(in.slots.size());
    int arrival = round.first_arrival;
    for (const int slot : in.slots) {
        round.deliveries.push_back({{Place::transit, arrival}, {Place::receive, slot}});
        if (blocks == Blocks::individual)
            ++arrival;
    }
}

void send(Round& round, const EdgesOfPeer& out, Blocks blocks)
{
    round.destination = out.rank;
    if (blocks == Blocks::common) {
        round.sends.push_back(send_slot(blocks, 0));
        return;
    }
    round.sends.reserve(out.slots.size());
    for (const int slot : out.slots)
        round.sends.push_back(send_slot(blocks, slot));
}

Schedule one_message_per_peer(const Edges& edges, Blocks blocks)
{
    Peers peers = peers_of(edges, blocks);
    Schedule schedule;
    schedule.copies = std::move(peers.copies);
    Phase phase;
    for (const PairOfMessages& exchange : exchanges(peers, edges.rank)) {
        Round round;
        round.first_arrival = schedule.arrivals;
        if (exchange.out != nullptr)
            send(round, *exchange.out, blocks);
        if (exchange.in != nullptr)
            receive(round, *exchange.in, blocks);
        schedule.arrivals += round.arrivals;
        phase.rounds.push_back(std::move(round));
    }
    if (!phase.rounds.empty())
        schedule.phases.push_back(std::move(phase));
    return schedule;
}

} // namespace

std::vector<Move> copies_to_self(const Edges& edges, Blocks blocks)
{
    const std::vector<int> out = slots_of(edges.rank, edges.destinations, edges.destination_order);
    const std::vector<int> in = slots_of(edges.rank, edges.sources, edges.source_order);
    if (out.size() != in.size())
        throw std::invalid_argument("edges: process " + std::to_string(edges.rank) + " has " +
                                    std::to_string(out.size()) + " edges to itself, but " + std::to_string(in.size()) +
                                    " from itself");
    std::vector<Move> copies;
    copies.reserve(out.size());
    for (std::size_t q = 0; q < out.size(); ++q)
        copies.push_back({send_slot(blocks, out[q]), {Place::receive, in[q]}});
    return copies;
}

Schedule trivial(const Edges& edges)
{
    return one_message_per_edge(edges, Blocks::individual);
}

Schedule merged(const Edges& edges)
{
    return one_message_per_peer(edges, Blocks::individual);
}

Schedule trivial_allgather(const Edges& edges)
{
    return one_message_per_edge(edges, Blocks::common);
}

Schedule merged_allgather(const Edges& edges)
{
    return one_message_per_peer(edges, Blocks::common);
}

} // namespace hopscotch::schedules
