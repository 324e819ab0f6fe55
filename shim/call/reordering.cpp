// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes a communicator with a topology once more, with its ranks mapped to the nodes of its processes.
#include "shim/call/reordering.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/call/new_ranks.hpp"
#include "shim/group/own_world.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/info_value.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

bool covers(Reorder setting, Call created_by)
{
    return setting == Reorder::all || setting == (created_by == Call::MPI_Cart_create ? Reorder::cart : Reorder::graph);
}

/// A step that all processes take together. Returns true if it succeeded on all of them.
template <class Step>
bool all_do(CollectiveConsensus& consensus, Step&& step)
{
    bool done = true;
    try {
        step();
    } catch (const MpiError&) {
        done = false;
    }
    return consensus.all_have_done(done);
}

/// The lists of all nodes of a graph made by MPI_Graph_create; all its processes know them. Local.
std::vector<std::vector<int>> lists_of(MPI_Comm graph)
{
    const int nodes = size_of(graph);
    std::vector<std::vector<int>> lists;
    for (int node = 0; node < nodes; ++node) {
        int count = 0;
        check(next.MPI_Graph_neighbors_count(graph, node, &count));
        std::vector<int> list(static_cast<std::size_t>(count) + 1); // one more: never an empty list
        check(next.MPI_Graph_neighbors(graph, node, count, list.data()));
        list.pop_back();
        lists.push_back(std::move(list));
    }
    return lists;
}

/// A communicator with the graph of another one, on `processes`. Collective: over processes.
MPI_Comm make_graph_like(MPI_Comm graph, MPI_Comm processes)
{
    std::vector<int> index;
    std::vector<int> edges;
    for (const std::vector<int>& list : lists_of(graph)) {
        edges.insert(edges.end(), list.begin(), list.end());
        index.push_back(static_cast<int>(edges.size()));
    }
    edges.push_back(0); // no null pointer
    MPI_Comm made = MPI_COMM_NULL;
    check(next.MPI_Graph_create(processes, static_cast<int>(index.size()), index.data(), edges.data(), 0, &made));
    return made;
}

MPI_Comm make_cartesian(const schedules::Topology& grid, MPI_Comm processes)
{
    const std::vector<int> periods(grid.periods().begin(), grid.periods().end());
    MPI_Comm made = MPI_COMM_NULL;
    check(next.MPI_Cart_create(processes, grid.dimensions(), grid.dims().data(), periods.data(), 0, &made));
    return made;
}

/// MPI_Cart_map and MPI_Graph_map know only the arguments of the program, so these count here, too.
/// Local; the same on all processes.
std::optional<schedules::StencilOnGrid> what_is_mapped(const Graph& graph, MPI_Comm comm, int kind)
{
    if (kind == MPI_CART)
        return schedules::nearest_neighbors(*cartesian_grid(comm));
    if (kind == MPI_GRAPH)
        return grid_of_lists(lists_of(comm));
    if (!graph.isomorphic())
        return std::nullopt;
    return schedules::StencilOnGrid{graph.topology, graph.stencil};
}

/// The weights of the edges that leave this process, by offset; none if the program gave none. Local.
std::vector<int> own_weights(const schedules::StencilOnGrid& mapped, const schedules::Edges& edges, MPI_Comm comm)
{
    try {
        const WeightedLists lists = weighted_lists(comm);
        if (!lists.weighted)
            return {};
        return schedules::by_offset(mapped.grid, mapped.stencil, edges.rank, edges.destinations,
                                    lists.destination_weights);
    } catch (const MpiError&) {
        return {}; // others count on this process
    }
}

} // namespace

std::vector<int> handed_over(const std::vector<int>& own, int old_rank, MPI_Comm processes)
{
    constexpr int tag = 0;
    SetUpMessages messages(processes, tag);
    messages.send(own.data(), own.size() * sizeof(int), old_rank);
    const std::string bytes = next_message(processes, MPI_ANY_SOURCE, tag);
    messages.finish();
    std::vector<int> received(bytes.size() / sizeof(int));
    bytes.copy(reinterpret_cast<char*>(received.data()), bytes.size());
    return received;
}

MPI_Comm made_again(CollectiveConsensus& consensus, int old_rank, int new_rank, MPI_Info info)
{
    const MPI_Comm comm = consensus.communicator();
    MPI_Comm processes = MPI_COMM_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    int kind = MPI_UNDEFINED;
    WeightedLists lists;
    const auto split = [&] {
        kind = topology_kind(comm);
        check(next.MPI_Comm_split(comm, 0, new_rank, &processes));
    };
    const auto hand_over = [&] {
        if (kind == MPI_DIST_GRAPH)
            lists = schedules::unpacked(handed_over(schedules::packed(weighted_lists(comm)), old_rank, processes));
    };
    const auto make = [&] {
        made = kind == MPI_CART    ? make_cartesian(*cartesian_grid(comm), processes)
               : kind == MPI_GRAPH ? make_graph_like(comm, processes)
                                   : make_distributed_graph(processes, std::move(lists), info);
    };
    if (!all_do(consensus, split))
        return MPI_COMM_NULL;
    const bool done = all_do(consensus, hand_over) && all_do(consensus, make);
    next.MPI_Comm_free(&processes);
    if (!done && made != MPI_COMM_NULL)
        next.MPI_Comm_free(&made);
    return made;
}

Reordering wanted_reordering(Call created_by, int reorder, MPI_Info info)
{
    if (reorder == 0 || !runtime().active)
        return Reordering::not_allowed;
    try {
        const std::optional<bool> asked = parsed_info(info, info_key::reorder, parse_switch, "which is not on or off");
        return asked.value_or(covers(runtime().settings.reorder, created_by)) ? Reordering::wanted
                                                                              : Reordering::not_wanted;
    } catch (const MpiError&) {
        return Reordering::not_wanted; // the library will report the fault of the info object
    } catch (const NoMemory&) {
        return Reordering::not_wanted;
    }
}

MPI_Comm reordered(CollectiveConsensus& consensus, Detected& detected, MPI_Info info)
{
    const auto said = [&detected](std::string text) {
        const auto graph = std::make_shared<Graph>(*detected.graph);
        graph->reorder = std::move(text);
        detected.graph = graph;
    };
    const auto kept = [&said](std::string_view why) {
        said("ranks stay: " + std::string(why));
        return MPI_COMM_NULL;
    };
    const Graph& graph = *detected.graph;
    if (!graph.is_ready())
        return kept(graph.native_reason.text());
    if (detected.group->nodes() == 1)
        return kept("all processes are on one node");
    const MPI_Comm comm = consensus.communicator();
    const int kind = topology_kind(comm);
    const std::optional<schedules::StencilOnGrid> mapped = what_is_mapped(graph, comm, kind);
    if (!mapped)
        return kept(graph.declined.empty() ? std::string(text_of(schedules::reason::not_isomorphic))
                                           : graph.declined.text());
    std::vector<int> weights;
    if (kind == MPI_DIST_GRAPH)
        weights = own_weights(*mapped, graph.edges, comm);
    const NewRanks ranks =
        agreed_ranks(consensus, *mapped, detected.group->node_map(), std::move(weights), wanted_objective(info));
    if (ranks.of_rank.empty())
        return kept(no_better_mapping);
    const int old_rank = graph.edges.rank;
    const MPI_Comm made = made_again(consensus, old_rank, ranks.of_rank[static_cast<std::size_t>(old_rank)], info);
    if (made == MPI_COMM_NULL)
        return kept("the MPI library could not make the communicator again");
    said(in_words(ranks));
    return made;
}

void hand_on_handler(MPI_Comm from, MPI_Comm to)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    check(next.MPI_Comm_get_errhandler(from, &handler));
    check(next.MPI_Comm_set_errhandler(to, handler));
    check(next.MPI_Errhandler_free(&handler));
}

void replace(MPI_Comm& comm, MPI_Comm made)
{
    hand_on_handler(comm, made);
    check(next.MPI_Comm_free(&comm));
    comm = made;
}

std::optional<std::vector<int>> ranks_without_asking(Call created_by, MPI_Comm comm, int size, const MakeKnown& make)
{
    const Algorithms& algorithms = runtime().settings.algorithms;
    const bool all_native =
        std::all_of(algorithms.begin(), algorithms.end(), [](Algorithm each) { return each == Algorithm::native; });
    if (!runtime().active || !covers(runtime().settings.reorder, created_by) || all_native ||
        device_buffers() == DeviceBuffers::passed || nodes_of_world().empty() || !is_within_world(comm))
        return std::nullopt;
    std::vector<int> first = world_ranks(comm);
    first.resize(static_cast<std::size_t>(size));
    for (int& rank : first)
        rank = nodes_of_world()[static_cast<std::size_t>(rank)];
    const schedules::Nodes nodes = schedules::nodes_of(first);
    if (nodes.count() == 1)
        return std::nullopt;
    const std::optional<schedules::StencilOnGrid> mapped = make();
    if (!mapped)
        return std::nullopt;
    return ranks_of_all(*mapped, nodes);
}

} // namespace hopscotch::shim
