// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/graph/detection.hpp"

#include "schedules/memory/room.hpp"
#include "schedules/selection/learned_trials.hpp"
#include "schedules/selection/reasons.hpp"
#include "shim/base/immortal.hpp"
#include "shim/graph/aggregation.hpp"
#include "shim/graph/grid_search.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/graph/parallel_edges.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/info_value.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

namespace hopscotch::shim
{

namespace
{

/// The private communicator that all processes hold, or a new one; null on all of them if the library gives none.
/// Processes may hold different ones: threads make communicators of the same processes in different orders. Collective:
/// over the communicator.
std::shared_ptr<ProcessGroup> agree_on_group(CollectiveConsensus& consensus, Proposal& proposal,
                                             const Settings& settings)
{
    const Agreement& agreed = proposal.agreement;
    if (proposal.group != nullptr && agreed.equal(Field::group_max, Field::group_min))
        return proposal.group;
    std::shared_ptr<ProcessGroup> group;
    const bool over_own_world = agreed[Field::no_claim] == 0;
    if (over_own_world)
        proposal.own_world.use();
    try {
        group = create_group(proposal.members, agreed[Field::serial], settings, over_own_world);
    } catch (const MpiError&) {
        // All learn that it failed here.
    }
    if (group != nullptr && group->nodes() == 1)
        return group; // no process ends the creation of one before all have come to its last step
    return consensus.all_have_done(group != nullptr) ? group : nullptr;
}

void fill_degrees(Graph& graph, const Agreement& agreed)
{
    graph.out_degree_max = static_cast<int>(agreed[Field::out_degree_max]);
    graph.out_degree_min = static_cast<int>(-agreed[Field::out_degree_min]);
    graph.in_degree_max = static_cast<int>(agreed[Field::in_degree_max]);
    graph.in_degree_min = static_cast<int>(-agreed[Field::in_degree_min]);
    graph.parallel_edges = agreed[Field::parallel_edges] != 0;
    graph.unequal_degrees = agreed[Field::unequal_degrees] != 0;
}

std::vector<std::size_t> rooms_for(const ProcessGroup& group, const Graph& graph)
{
    return schedules::rooms_of_streams(group.most_on_node(), graph.out_degree_max);
}

/// True if all processes have the same segment to spare, large enough for the graph.
bool all_spare_one(const Proposal& proposal, const std::vector<std::size_t>& rooms)
{
    return proposal.agreement.equal(Field::segment_max, Field::segment_min) && proposal.spare != nullptr &&
           proposal.spare->has_rooms(rooms);
}

/// The one that all processes have to spare, or a new one. Collective: over the graph.
Segment::Made create_segment(const Ground& ground, const Graph& graph, const Proposal& proposal)
{
    const ProcessGroup& group = ground.group;
    if (group.nodes() == group.size())
        return {};
    const std::vector<std::size_t> rooms = rooms_for(group, graph);
    if (all_spare_one(proposal, rooms))
        return {proposal.spare};
    return Segment::create(ground, rooms, proposal.agreement[Field::serial]);
}

/// True if the agreement says that all processes keep the same graph with these lists.
bool all_keep_one(const Proposal& proposal)
{
    return proposal.kept != nullptr && proposal.agreement.equal(Field::kept_max, Field::kept_min) &&
           proposal.agreement.equal(Field::group_max, Field::group_min);
}

/// True if the program has made a kept graph by the same function, with the same wishes.
bool is_made_alike(const Graph& kept, const Graph& graph)
{
    return kept.created_by == graph.created_by && kept.most_staged_bytes == graph.most_staged_bytes &&
           kept.algorithms == graph.algorithms && kept.reorder == graph.reorder;
}

/// A graph with the neighborhood of a kept one that was made by another function, or with other wishes.
Graph with_neighborhood_of(const Graph& kept, const Graph& graph)
{
    Graph result = kept;
    result.created_by = graph.created_by;
    result.most_staged_bytes = graph.most_staged_bytes;
    result.algorithms = graph.algorithms;
    result.reorder = graph.reorder;
    result.memory_refusal = {};
    return result;
}

bool wants(const Algorithms& algorithms, Algorithm wanted)
{
    return std::find(algorithms.begin(), algorithms.end(), wanted) != algorithms.end();
}

/// True if neighborhood collectives may be combined.
bool may_combine(const Algorithms& algorithms, const ProcessGroup& group)
{
    return wants(algorithms, Algorithm::combining) || (wants(algorithms, Algorithm::automatic) && group.nodes() > 1);
}

/// Gathers the facts that the processes of the nodes need about each other, and memory for their blocks. Collective:
/// over the graph.
void prepare_aggregation(Detected& detected, Graph& graph, const Ground& ground, const Origin& origin,
                         const Algorithms& algorithms)
{
    if (detected.segment == nullptr || ground.group.nodes() == 1 ||
        !(wants(algorithms, Algorithm::automatic) || wants(algorithms, Algorithm::aggregated)))
        return;
    if (graph.node_neighborhood == nullptr || origin.new_lists)
        graph.node_neighborhood = learn_node_neighborhood(ground, graph);
    detected.staging =
        StagingBuffers::create(ground, graph.node_neighborhood->most_blocks, graph.node_neighborhood->most_messages);
}

/// Every process tells its neighbors the positions of their blocks among its own. Collective: over the graph.
std::vector<int> learn_remote_positions(const schedules::Edges& edges, const Ground& ground)
{
    const std::vector<int> own = schedules::positions(edges.destinations);
    std::vector<int> remote(edges.sources.size());
    std::vector<std::size_t> slots(edges.sources.size());
    std::iota(slots.begin(), slots.end(), 0);
    const auto earlier = [&](std::size_t a, std::size_t b) { return edges.source_order[a] < edges.source_order[b]; };
    std::sort(slots.begin(), slots.end(), earlier); // messages of parallel edges arrive as they are sent
    SetUpMessages messages(ground.group.communicator(), ground.tag);
    for (const std::size_t slot : slots)
        if (edges.sources[slot] != schedules::no_rank)
            messages.receive(&remote[slot], sizeof remote[slot], edges.sources[slot]);
    for (std::size_t slot = 0; slot < own.size(); ++slot)
        if (edges.destinations[slot] != schedules::no_rank)
            messages.send(&own[slot], sizeof own[slot], edges.destinations[slot]);
    messages.finish();
    return remote;
}

void set_source_orders(MPI_Comm comm, int kind, Graph& graph, const Settings& settings)
{
    std::vector<int> standard = schedules::standard_order(graph.edges, kind == MPI_CART);
    if (settings.parallel_edges == ParallelEdges::standard) {
        graph.edges.source_order = std::move(standard);
        return;
    }
    learn_parallel_edges(comm, graph);
    for (const Graph::SourceOrders& learned : *graph.source_orders)
        graph.nonstandard_order |= learned.blocking != standard || learned.others != standard;
}

Reordering agreed_reordering(const Agreement& agreed)
{
    return static_cast<Reordering>(agreed[Field::keeps_ranks]);
}

const Algorithms& algorithms_of(const Graph& graph, const Settings& settings)
{
    return graph.algorithms.has_value() ? *graph.algorithms : settings.algorithms;
}

/// True if the set-up of the graph, on one node, sends no message.
bool sends_no_message(const Proposal& proposal)
{
    if (!all_keep_one(proposal) || proposal.group->nodes() > 1)
        return false;
    return proposal.group->size() == 1 || all_spare_one(proposal, rooms_for(*proposal.group, *proposal.graph));
}

/// calls_before_set_up, but nothing if the set-up may not wait. Until then the library's functions carry the calls, in
/// their order of parallel edges, and wrongly on unequal degrees (docs/libraries.md#faults). Ranks are mapped at the
/// creation of the communicator, or never.
std::optional<std::size_t> library_carries_first(const Proposal& proposal, const Settings& settings, bool no_message)
{
    const Agreement& agreed = proposal.agreement;
    const bool same_order = settings.parallel_edges != ParallelEdges::standard || agreed[Field::parallel_edges] == 0;
    const bool library_is_right = same_order && agreed[Field::unequal_degrees] == 0;
    if (!library_is_right || agreed_reordering(agreed) == Reordering::wanted || proposal.origin.duplicate_of != nullptr)
        return std::nullopt;
    return calls_before_set_up(agreed, algorithms_of(*proposal.graph, settings), settings, no_message);
}

/// Counts of graphs by their shape.
struct Counted {
    std::mutex mutex;
    std::map<std::uint64_t, schedules::EdgeCounts> by_shape;
};

/// Sets graph.edge_counts, which takes milliseconds, once for all graphs that are alike. Local.
void count_edges(Graph& graph, const schedules::Nodes& nodes)
{
    if (graph.edges.rank != 0 || !graph.isomorphic() || nodes.count() == 1)
        return;
    try {
        Counted& counted = immortal<Counted>();
        const LockAmongThreads lock(counted.mutex);
        const auto [found, is_new] =
            counted.by_shape.try_emplace(shape_of(graph.topology, graph.stencil, nodes, {false, false}));
        if (is_new)
            found->second = schedules::count_edges(graph.topology, graph.stencil, nodes);
        graph.edge_counts = found->second;
    } catch (const NoMemory&) {
        // The report will not show them.
    }
}

/// Completes the graph of the communicator, and takes the other results into `detected`. If the graph is left to the
/// MPI library, there is no group. Collective: over the communicator.
void complete(Detected& detected, const std::shared_ptr<Graph>& made, const Proposal& proposal,
              CollectiveConsensus& consensus, const Settings& settings)
{
    Graph& graph = *made;
    const Origin& origin = proposal.origin;
    const Agreement& agreed = proposal.agreement;
    const bool is_new = origin.duplicate_of == nullptr && !all_keep_one(proposal);
    bool lists_are_sound = true; // the lists of a known graph are sound
    if (is_new) {
        const bool hints_agree = agreed.equal(Field::hints_max, Field::hints_min);
        const std::vector<Candidate> hints = hints_agree ? origin.hints : std::vector<Candidate>();
        const ShownGrids shown{
            schedules::trusted_grids(graph.ranks, proposal.grid, set_grid(settings), hints),
            schedules::larger_grids(graph.ranks, proposal.grid, set_grid(settings), hints),
        };
        lists_are_sound = search_grid(consensus, graph, shown, settings.infer,
                                      may_combine(algorithms_of(graph, settings), *detected.group),
                                      schedules::decode_root(agreed[Field::root]), graph.out_degree_max);
    } else if (origin.new_lists && !graph.isomorphic())
        lists_are_sound = lists_agree(consensus, graph);
    if (!lists_are_sound) { // no message of ours can be sent on the graph
        graph.leave_to_library(schedules::reason::lists_disagree);
        return detected.group.reset();
    }
    const Ground ground{*detected.group, consensus.communicator(), detected.tags.set_up()};
    const Algorithms& algorithms = algorithms_of(graph, settings);
    Segment::Made memory = create_segment(ground, graph, proposal);
    detected.segment = std::move(memory.segment);
    graph.memory_refusal = in_words(memory.refusal);
    prepare_aggregation(detected, graph, ground, origin, algorithms);
    if (is_new && graph.parallel_edges)
        set_source_orders(consensus.communicator(), proposal.topology_kind, graph, settings);
    if (!is_new && !origin.new_lists)
        return; // the known graph has the rest
    graph.remote_positions = learn_remote_positions(graph.edges, ground);
    if (detected.staging != nullptr && wants(algorithms, Algorithm::automatic))
        predict_aggregation(ground, graph);
    if (settings.report != "off")
        count_edges(graph, detected.group->node_map());
    if (is_new && graph.memory_refusal.empty())
        keep_graph(inputs_of(proposal, detected.group), agreed[Field::serial], made);
}

} // namespace

void warn_of_different_keys()
{
    log(LogLevel::warn, std::string("processes give different values of the info key ") + info_key::algorithm.name +
                            ", which has no effect");
}

std::optional<Detected> conclude(std::unique_ptr<Proposal> proposal, CollectiveConsensus& consensus,
                                 const Settings& settings)
{
    const Origin& origin = proposal->origin;
    Agreement& agreed = proposal->agreement;
    consensus.maxima(agreed.values, Agreement::count);
    if (agreed[Field::given_up] != 0)
        return std::nullopt;

    Detected detected;
    detected.site = proposal->site;
    detected.call_site = origin.call_site;
    std::shared_ptr<Graph> made = proposal->graph;
    detected.graph = made;
    Graph& graph = *made;
    const std::vector<int>& members = proposal->members;
    detected.key = (static_cast<std::uint64_t>(members[0]) << 32) | static_cast<std::uint64_t>(agreed[Field::serial]);
    detected.origin = std::accumulate(members.begin(), members.end(),
                                      static_cast<std::uint64_t>(agreed[Field::call_site]), schedules::hash_with);
    fill_degrees(graph, agreed);
    if (agreed[Field::device_buffers] == static_cast<std::int64_t>(DeviceBuffers::taken) &&
        settings.device_bytes != automatic_bytes)
        graph.most_staged_bytes = settings.device_bytes;
    if (agreed.equal(Field::algorithms_max, Field::algorithms_min))
        graph.algorithms = origin.algorithms;
    else if (graph.edges.rank == 0)
        warn_of_different_keys();
    const Reordering reordering = agreed_reordering(agreed);
    detected.may_reorder = reordering == Reordering::wanted;
    if (reordering == Reordering::not_wanted)
        graph.reorder = reordering_not_asked_for;
    if (!origin.reorder.empty())
        graph.reorder = origin.reorder;
    const Algorithms& algorithms = algorithms_of(graph, settings);
    graph.native_reason = schedules::unusable_reason(agreed, algorithms, graph.algorithms.has_value());
    graph.state = graph.native_reason.empty() ? GraphState::ready : GraphState::left_to_library;
    if (!graph.is_ready())
        return detected;

    const std::shared_ptr<ProcessGroup> group = agree_on_group(consensus, *proposal, settings);
    if (group == nullptr) {
        graph.leave_to_library(schedules::reason::no_communicator);
        return detected;
    }
    const bool is_new = group->id() == agreed[Field::serial];
    try {
        detected.tags = group->tags(is_new ? ProcessGroup::first_block : agreed[Field::tag_block]);
    } catch (const MpiError&) {
        graph.leave_to_library(schedules::reason::no_tags);
        return detected;
    }
    detected.group = group;
    const bool no_message = sends_no_message(*proposal);
    const std::optional<std::size_t> waits_for = library_carries_first(*proposal, settings, no_message);
    if (all_keep_one(*proposal)) {
        if (!waits_for.has_value() && no_message && is_made_alike(*proposal->kept->graph, graph)) {
            detected.graph = proposal->kept->graph;
            if (group->size() > 1)
                detected.segment = std::move(proposal->spare);
            return detected;
        }
        made = std::make_shared<Graph>(with_neighborhood_of(*proposal->kept->graph, graph));
        detected.graph = made;
    }
    if (waits_for.has_value()) {
        made->state = GraphState::waiting;
        made->native_reason = reason_of_rented(*waits_for);
        detected.rented_calls = *waits_for;
        proposal->spare.reset();
        detected.set_up_later = std::move(proposal);
    } else {
        complete(detected, made, *proposal, consensus, settings);
    }
    return detected;
}

void set_up(Detected& detected, const Proposal& set_up_later, const Settings& settings)
{
    const auto graph = std::make_shared<Graph>(*detected.graph);
    graph->state = GraphState::ready;
    graph->native_reason = {};
    CollectiveConsensus consensus(set_up_later.comm);
    complete(detected, graph, set_up_later, consensus, settings);
    detected.graph = graph;
}

void leave_to_library(Detected& detected, schedules::Reason reason)
{
    const auto graph = std::make_shared<Graph>(*detected.graph);
    graph->leave_to_library(std::move(reason));
    detected.graph = graph;
    detected.staging.reset();
    detected.segment.reset();
}

} // namespace hopscotch::shim
