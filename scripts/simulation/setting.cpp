// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The simulated job: a process grid on nodes, a neighborhood, and the work of each process under each algorithm.
#include "scripts/simulation/setting.hpp"

#include "schedules/grid/infer.hpp"
#include "schedules/irregular/partly_combining.hpp"
#include "schedules/mapping/mapping.hpp"
#include "schedules/plan/collective_schedule.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"
#include "schedules/plan/reduction.hpp"
#include "scripts/simulation/ocean.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace hopscotch::schedules;

namespace simulation
{

namespace
{

/// The factors lie as close together as they can, the largest first.
Topology balanced_grid(int processes, int dimensions)
{
    constexpr std::size_t every = 1000000;
    std::vector<int> best;
    int best_spread = std::numeric_limits<int>::max();
    for (std::vector<int> dims : factorizations(processes, dimensions, every)) {
        dims.resize(static_cast<std::size_t>(dimensions), 1);
        std::sort(dims.rbegin(), dims.rend());
        if (dims.front() - dims.back() < best_spread) {
            best_spread = dims.front() - dims.back();
            best = dims;
        }
    }
    return Topology(best, std::vector<bool>(best.size(), true));
}

Topology ocean_grid(int processes)
{
    return Topology(balanced_grid(processes, 2).dims(), {false, true});
}

std::vector<int> node_of_rank(const Topology& grid, const Stencil& stencil, int per_node, Ranks ranks)
{
    std::vector<int> sizes(static_cast<std::size_t>(grid.size() / per_node), per_node);
    if (const int rest = grid.size() % per_node; rest > 0)
        sizes.push_back(rest);
    const Mapper mapper = ranks == Ranks::mapped ? best_mapper(grid, stencil, sizes) : Mapper::consecutive;
    return Mapping(mapper, grid, stencil, sizes).node_of_rank();
}

/// Each round in a phase of its own: it begins after the end of the one before.
Schedule one_by_one(const Schedule& schedule)
{
    Schedule result = schedule;
    result.phases.clear();
    for (const Phase& phase : schedule.phases)
        for (const Round& round : phase.rounds)
            result.phases.push_back({{round}});
    return result;
}

/// The blocks of a message in the buffer of one process; its cells by their send slots.
void add_blocks(std::vector<Slot>& blocks, const LeaderMessage& message, const AggregationPart& owner)
{
    for (const Run& run : message.runs)
        for (int i = run.first; run.owner == owner.own_position && i < run.first + run.count; ++i)
            blocks.push_back(run.message == Run::cells
                                 ? Slot{Place::send, owner.cell_slots[static_cast<std::size_t>(i)]}
                                 : Slot{Place::transit, i});
}

/// The slots that a process takes from the buffer of another in a phase on the node: for messages it sends, and for
/// itself.
std::vector<Slot> taken(const AggregationPart& by, const AggregationPart& from, int phase)
{
    std::vector<Slot> blocks;
    for (const LeaderMessage& message : by.out)
        if (message.phase == phase)
            add_blocks(blocks, message, from);
    for (const DeliveryBatch& batch : by.batches)
        if (batch.phase + 1 == phase && batch.owner == from.own_position)
            blocks.resize(blocks.size() + batch.last - batch.first, {Place::transit, 0});
    return blocks;
}

/// The messages to and from other nodes; received blocks for the process itself become deliveries.
void add_messages(Schedule& schedule, const AggregationPart& part)
{
    const auto rounds = [&schedule](int phase) -> std::vector<Round>& {
        return schedule.phases[2 * static_cast<std::size_t>(phase) + 1].rounds;
    };
    for (const LeaderMessage& message : part.out) {
        Round round{message.peer, no_rank, {}, 0, 0, {}};
        add_blocks(round.sends, message, part);
        round.sends.resize(static_cast<std::size_t>(message.blocks), {Place::transit, 0});
        rounds(message.phase).push_back(std::move(round));
    }
    for (std::size_t i = 0; i < part.in.size(); ++i) {
        Round round{no_rank, part.in[i].peer, {}, 0, part.in[i].blocks, {}};
        for (const DeliveryBatch& batch : part.batches)
            if (batch.owner == part.own_position && batch.message == static_cast<int>(i))
                round.deliveries.resize(batch.last - batch.first);
        rounds(part.in[i].phase).push_back(std::move(round));
    }
}

/// For the leaders of a node, as many processes of the other nodes.
Leaders stand_ins(const Leaders& own, const Nodes& nodes)
{
    Leaders result;
    for (const auto& [other, ranks] : own.senders)
        result.receivers[other].assign(ranks.size(), nodes.ranks[static_cast<std::size_t>(other)].front());
    for (const auto& [other, ranks] : own.receivers)
        result.senders[other].assign(ranks.size(), nodes.ranks[static_cast<std::size_t>(other)].front());
    return result;
}

} // namespace

std::vector<std::string> words(const std::string& text)
{
    std::vector<std::string> result;
    std::stringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');)
        result.push_back(word);
    return result;
}

Machine machine(const std::string& text)
{
    Machine result;
    double processes_per_node = 0;
    const std::map<std::string, double*> numbers = {{"latency", &result.network.latency},
                                                    {"send_overhead", &result.network.send_overhead},
                                                    {"receive_overhead", &result.network.receive_overhead},
                                                    {"gap_per_byte", &result.network.gap_per_byte},
                                                    {"node_latency", &result.network.node_latency},
                                                    {"node_overhead", &result.network.node_overhead},
                                                    {"copy_per_byte", &result.network.copy_per_byte},
                                                    {"library_overhead", &result.library_overhead},
                                                    {"library_latency", &result.library_latency},
                                                    {"processes_per_node", &processes_per_node}};
    for (const std::string& word : words(text)) {
        const std::size_t equals = word.find('=');
        const auto found = numbers.find(word.substr(0, equals));
        if (equals == std::string::npos || found == numbers.end())
            throw std::invalid_argument("a machine has no '" + word + "'");
        *found->second = std::stod(word.substr(equals + 1));
    }
    result.processes_per_node = static_cast<int>(processes_per_node);
    return result;
}

const char* name(Way way)
{
    switch (way) {
    case Way::direct:
        return "direct";
    case Way::trivial:
        return "trivial";
    case Way::merged:
        return "merged";
    case Way::combining:
        return "combining";
    case Way::aggregated:
        return "aggregated";
    case Way::aggregated_by_dimension:
        return "by_dimension";
    case Way::reducing:
        return "reducing";
    }
    return "";
}

Way way_of(const std::string& text)
{
    for (const Way way : {Way::direct, Way::trivial, Way::merged, Way::combining, Way::aggregated,
                          Way::aggregated_by_dimension, Way::reducing})
        if (text == name(way))
            return way;
    throw std::invalid_argument("no way '" + text + "'");
}

bool is_of_the_library(Way way)
{
    return way == Way::direct || way == Way::trivial;
}

Network network_of(const Machine& machine, Way way)
{
    Network network = machine.network;
    if (is_of_the_library(way)) {
        network.node_overhead = machine.library_overhead;
        network.node_latency = machine.library_latency;
    }
    return network;
}

bool has_grids(Way way)
{
    return way == Way::aggregated || way == Way::aggregated_by_dimension;
}

Ranks ranks_of(const std::string& text)
{
    if (text == "consecutive")
        return Ranks::consecutive;
    if (text == "mapped")
        return Ranks::mapped;
    throw std::invalid_argument("no order of ranks '" + text + "'");
}

Setting::Setting(int processes, int processes_per_node, int dimensions, int shifts, Blocks blocks, Ranks ranks)
    : grid_(dimensions == ocean ? ocean_grid(processes) : balanced_grid(processes, dimensions)),
      offsets_(hopscotch::schedules::grid(grid_.dimensions(), shifts, -1)),
      stencil_(sorted(canonical(offsets_, grid_))),
      folded_(dimensions == ocean ? std::make_shared<const std::vector<Edges>>(folded(grid_, offsets_)) : nullptr),
      partial_(folded_ ? partial_grid_of(grid_, *folded_) : nullptr),
      place_of_rank_(node_of_rank(grid_, stencil_, processes_per_node, ranks)), nodes_(nodes_of(place_of_rank_)),
      blocks_(blocks)
{
    for (const Way way : {Way::aggregated, Way::aggregated_by_dimension})
        for (int node = 0; possible(way) && node < nodes_looked_at(); ++node) {
            const NodePlan whole = plan_node(nodes_, lists(node), blocks_, route(way, Route::whole));
            const auto here = static_cast<int>(nodes_.ranks[static_cast<std::size_t>(node)].size());
            most_blocks_[way] = std::max(most_blocks_[way], balanced_part(whole, here));
        }
}

int Setting::place_of(int node) const
{
    const std::vector<int>& ranks = nodes_.ranks[static_cast<std::size_t>(node)];
    return place_of_rank_[static_cast<std::size_t>(ranks.front())];
}

Edges Setting::edges(int rank) const
{
    return folded_ ? (*folded_)[static_cast<std::size_t>(rank)] : edges_of(grid_, offsets_, rank);
}

/// On a torus of many nodes all are alike, or nearly so.
int Setting::nodes_looked_at() const
{
    constexpr int few = 64;
    if (!all_alike())
        return nodes_.count();
    return nodes_.count() <= few ? nodes_.count() : 2;
}

bool Setting::possible(Way way) const
{
    if (way == Way::aggregated)
        return nodes_.count() > 1;
    return way != Way::aggregated_by_dimension || (nodes_.count() > 1 && all_alike() && bricks(grid_, nodes_));
}

EdgesBetweenNodes Setting::edges_between_nodes() const
{
    return hopscotch::schedules::edges_between_nodes(grid_, stencil_, nodes_.of_rank);
}

int Setting::neighbor_nodes() const
{
    std::set<int> others;
    for (const std::vector<int>& ranks : lists(0).destinations)
        for (const int rank : ranks)
            others.insert(nodes_.of_rank[static_cast<std::size_t>(rank)]);
    others.erase(0);
    return static_cast<int>(others.size());
}

NodeLists Setting::lists(int node) const
{
    NodeLists result{node, {}, {}};
    for (const int rank : nodes_.ranks[static_cast<std::size_t>(node)]) {
        const Edges edges = this->edges(rank);
        result.destinations.push_back(edges.destinations);
        result.sources.push_back(edges.sources);
    }
    return result;
}

Route Setting::route(Way way, int most_blocks) const
{
    if (way == Way::aggregated)
        return {most_blocks};
    const Bricks found = bricks(grid_, nodes_).value();
    return {most_blocks, found.grid, found.place, between_nodes(stencil_, found, blocks_)};
}

const NodePlan& Setting::plan(Way way, int node) const
{
    const auto key = std::make_pair(way, node);
    const auto found = plans_.find(key);
    if (found != plans_.end())
        return found->second;
    return plans_.emplace(key, plan_node(nodes_, lists(node), blocks_, route(way, most_blocks_.at(way)))).first->second;
}

Leaders Setting::leaders_around(Way way, int node) const
{
    Leaders around;
    const Leaders own = plan(way, node).leaders;
    for (const auto& [other, ranks] : own.senders)
        around.receivers[other] = plan(way, other).leaders.receivers.at(node);
    for (const auto& [other, ranks] : own.receivers)
        around.senders[other] = plan(way, other).leaders.senders.at(node);
    return around;
}

const std::vector<AggregationPart>& Setting::parts(Way way, int node) const
{
    std::vector<AggregationPart>& result = parts_[{way, node}];
    if (!result.empty())
        return result;
    const Leaders around = leaders_around(way, node);
    for (const int rank : nodes_.ranks[static_cast<std::size_t>(node)])
        result.push_back(aggregation_part(plan(way, node), nodes_, edges(rank), blocks_, around));
    return result;
}

/// Phases as efforts() counts them.
Schedule Setting::traffic(Way way, const Edges& edges) const
{
    const auto node = static_cast<std::size_t>(nodes_.of_rank[static_cast<std::size_t>(edges.rank)]);
    const std::vector<int>& ranks = nodes_.ranks[node];
    const std::vector<AggregationPart>& all = parts(way, static_cast<int>(node));
    const AggregationPart& own = all[static_cast<std::size_t>(nodes_.position(edges.rank))];
    Schedule result;
    result.phases.resize(2 * static_cast<std::size_t>(own.phases) + 1);
    for (std::size_t phase = 0; phase < result.phases.size(); phase += 2)
        for (std::size_t other = 0; other < all.size(); ++other) {
            if (ranks[other] == edges.rank)
                continue;
            Round round;
            round.sends = taken(all[other], own, static_cast<int>(phase / 2));
            round.arrivals = static_cast<int>(taken(own, all[other], static_cast<int>(phase / 2)).size());
            round.destination = round.sends.empty() ? no_rank : ranks[other];
            round.source = round.arrivals == 0 ? no_rank : ranks[other];
            result.phases[phase].rounds.push_back(std::move(round));
        }
    add_messages(result, own);
    Edges on_node = edges;
    for (std::vector<int>* neighbors : {&on_node.destinations, &on_node.sources})
        for (int& rank : *neighbors)
            if (rank != no_rank && nodes_.of_rank[static_cast<std::size_t>(rank)] != static_cast<int>(node))
                rank = no_rank;
    for (const Phase& phase : (blocks_ == Blocks::common ? merged_allgather(on_node) : merged(on_node)).phases)
        for (const Round& round : phase.rounds)
            result.phases[1].rounds.push_back(round);
    return result;
}

Schedule Setting::schedule(Way way, int rank) const
{
    const Edges edges = this->edges(rank);
    const bool common = blocks_ == Blocks::common;
    switch (way) {
    case Way::direct:
        return common ? trivial_allgather(edges) : hopscotch::schedules::trivial(edges);
    case Way::trivial:
        return one_by_one(common ? trivial_allgather(edges) : hopscotch::schedules::trivial(edges));
    case Way::merged:
        return common ? merged_allgather(edges) : hopscotch::schedules::merged(edges);
    case Way::combining: {
        if (partial_)
            return partly_combining(partial_, blocks_, edges);
        const Neighborhood neighborhood = place(grid_, stencil_, edges);
        const Routing routing = combining_routing(blocks_, grid_, stencil_, groups_);
        return common ? combining_allgather(neighborhood, routing) : combining_alltoall(neighborhood, routing);
    }
    case Way::aggregated:
    case Way::aggregated_by_dimension:
        return traffic(way, edges);
    case Way::reducing:
        return combining_reduction(grid_, stencil_, rank, reduction_order(stencil_, blocks_), blocks_).traffic();
    }
    return {};
}

std::vector<Member> Setting::family() const
{
    return hopscotch::schedules::family(stencil_, grid_);
}

std::vector<PreferredMember> Setting::preferred(const std::vector<Member>& family, const Network& network) const
{
    return preferred_members(blocks_, family, grid_, stencil_, nodes_, network);
}

int Setting::messages_leaving(Way way) const
{
    int most = 0;
    for (int node = 0; node < nodes_looked_at(); ++node) {
        int messages = has_grids(way) ? static_cast<int>(plan(way, node).out.size()) : 0;
        if (!has_grids(way))
            for (const int rank : nodes_.ranks[static_cast<std::size_t>(node)])
                for (const Effort& effort : hopscotch::schedules::efforts(schedule(way, rank), rank, nodes_))
                    messages += static_cast<int>(effort.sent);
        most = std::max(most, messages);
    }
    return most;
}

std::vector<Effort> Setting::efforts(Way way) const
{
    std::vector<Effort> result;
    for (int node = 0; node < nodes_looked_at(); ++node) {
        std::vector<double> leaving;
        Leaders somebody; // only the node of a peer counts
        if (has_grids(way))
            somebody = stand_ins(plan(way, node).leaders, nodes_);
        for (const int rank : nodes_.ranks[static_cast<std::size_t>(node)]) {
            const Edges edges = this->edges(rank);
            const std::vector<Effort> efforts =
                has_grids(way)
                    ? hopscotch::schedules::efforts(aggregation_part(plan(way, node), nodes_, edges, blocks_, somebody),
                                                    edges, blocks_, nodes_)
                    : hopscotch::schedules::efforts(schedule(way, rank), rank, nodes_);
            result.resize(efforts.size());
            leaving.resize(efforts.size());
            for (std::size_t phase = 0; phase < efforts.size(); ++phase) {
                result[phase].join(efforts[phase]);
                leaving[phase] += efforts[phase].leaving_blocks;
            }
        }
        for (std::size_t phase = 0; phase < leaving.size(); ++phase)
            result[phase].leaving_blocks = std::max(result[phase].leaving_blocks, leaving[phase]);
    }
    return result;
}

} // namespace simulation
