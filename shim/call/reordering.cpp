// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes a communicator with a topology once more, with its ranks mapped to the nodes of its processes.
#include "shim/call/reordering.hpp"

#include "schedules/mapping/remapping.hpp"
#include "shim/mpi/info_value.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

bool covers(Reorder setting, Call created_by)
{
    return setting == Reorder::all || setting == (created_by == Call::Cart_create ? Reorder::cart : Reorder::graph);
}

/// What the best mapper would spare. Found by the first process alone, since it takes O(p t). Collective: over the
/// communicator.
schedules::Remapping agreed_remapping(CollectiveConsensus& consensus, const Graph& graph, const schedules::Nodes& nodes)
{
    schedules::Remapping remapping;
    if (graph.edges.rank == 0)
        remapping = schedules::best_remapping(graph.topology, graph.stencil, nodes);
    consensus.broadcast(&remapping, sizeof remapping, 0);
    return remapping;
}

/// A step that all processes take together. Returns whether it succeeded on all of them.
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

/// Every process hands what it was told of the node with its old rank to the process that has this rank now.
/// Collective: over processes.
WeightedLists handed_over(const WeightedLists& own, int old_rank, MPI_Comm processes)
{
    constexpr int tag = 0;
    const std::vector<int> sent = schedules::packed(own);
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    check(next.Isend(sent.data(), static_cast<int>(sent.size()), MPI_INT, old_rank, tag, processes, &requests[0]));
    int is_there = 0;
    MPI_Status status;
    while (is_there == 0)
        check(next.Iprobe(MPI_ANY_SOURCE, tag, processes, &is_there, &status));
    std::vector<int> received(received_bytes(status) / sizeof(int));
    check(next.Irecv(received.data(), static_cast<int>(received.size()), MPI_INT, status.MPI_SOURCE, tag, processes,
                     &requests[1]));
    check(next.Waitall(2, requests, MPI_STATUSES_IGNORE));
    return schedules::unpacked(received);
}

/// The lists of all nodes of a graph made by MPI_Graph_create, whose processes all know them. Collective: over
/// processes.
MPI_Comm make_graph_like(MPI_Comm graph, int nodes, MPI_Comm processes)
{
    std::vector<int> index;
    std::vector<int> edges;
    for (int node = 0; node < nodes; ++node) {
        int count = 0;
        check(next.Graph_neighbors_count(graph, node, &count));
        const std::size_t before = edges.size();
        edges.resize(before + static_cast<std::size_t>(count) + 1); // one more: never an empty list
        check(next.Graph_neighbors(graph, node, count, edges.data() + before));
        edges.pop_back();
        index.push_back(static_cast<int>(edges.size()));
    }
    MPI_Comm made = MPI_COMM_NULL;
    check(next.Graph_create(processes, nodes, index.data(), edges.data(), 0, &made));
    return made;
}

MPI_Comm make_cartesian(const schedules::Topology& grid, MPI_Comm processes)
{
    const std::vector<int> periods(grid.periods().begin(), grid.periods().end());
    MPI_Comm made = MPI_COMM_NULL;
    check(next.Cart_create(processes, grid.dimensions(), grid.dims().data(), periods.data(), 0, &made));
    return made;
}

/// What comm is, of the processes in an order of their own. MPI_COMM_NULL on all of them where a process fails.
/// Collective: over comm.
MPI_Comm made_again(CollectiveConsensus& consensus, int old_rank, int new_rank, MPI_Info info)
{
    const MPI_Comm comm = consensus.communicator();
    MPI_Comm processes = MPI_COMM_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    int kind = MPI_UNDEFINED;
    WeightedLists lists;
    const auto split = [&] {
        check(next.Topo_test(comm, &kind));
        check(next.Comm_split(comm, 0, new_rank, &processes));
    };
    const auto hand_over = [&] {
        if (kind == MPI_DIST_GRAPH)
            lists = handed_over(weighted_lists(comm), old_rank, processes);
    };
    const auto make = [&] {
        int size = 0;
        check(next.Comm_size(comm, &size));
        made = kind == MPI_CART    ? make_cartesian(*cartesian_grid(comm), processes)
               : kind == MPI_GRAPH ? make_graph_like(comm, size, processes)
                                   : make_distributed_graph(processes, std::move(lists), info);
    };
    const bool done = all_do(consensus, split) && all_do(consensus, hand_over) && all_do(consensus, make);
    if (processes != MPI_COMM_NULL)
        next.Comm_free(&processes);
    if (!done && made != MPI_COMM_NULL)
        next.Comm_free(&made);
    return made;
}

} // namespace

Reordering wanted_reordering(Call created_by, int reorder, MPI_Info info)
{
    if (reorder == 0 || !runtime().active)
        return Reordering::not_allowed;
    try {
        const std::optional<bool> asked = parsed_info(info, info_key::reorder, parse_switch, "which is not on or off");
        return asked.value_or(covers(runtime().settings.reorder, created_by)) ? Reordering::wanted
                                                                              : Reordering::not_wanted;
    } catch (const MpiError&) {
        return Reordering::not_wanted; // the library will say what is wrong with the info object
    } catch (const NoMemory&) {
        return Reordering::not_wanted;
    }
}

MPI_Comm reordered(CollectiveConsensus& consensus, const Detected& detected, MPI_Info info)
{
    Graph& graph = *detected.graph;
    const auto kept = [&graph](std::string_view why) {
        graph.reorder = "ranks stay: ";
        graph.reorder += why;
        return MPI_COMM_NULL;
    };
    if (!graph.isomorphic())
        return kept(graph.unusable.empty() ? std::string_view(graph.declined) : graph.unusable);
    if (detected.group->nodes() == 1)
        return kept("all processes are on one node");
    const schedules::Nodes& nodes = detected.group->node_map();
    const schedules::Remapping remapping = agreed_remapping(consensus, graph, nodes);
    if (!remapping.spares_edges())
        return kept("no mapping was found that has fewer edges between nodes");
    const int old_rank = graph.edges.rank;
    const int new_rank = schedules::new_rank(remapping.mapper, graph.topology, graph.stencil, nodes, old_rank);
    const MPI_Comm made = made_again(consensus, old_rank, new_rank, info);
    if (made == MPI_COMM_NULL)
        return kept("the MPI library could not make the communicator again");
    graph.reorder = "mapped by " + to_string(remapping.mapper) + "; " + std::to_string(remapping.now.sum) +
                    " edges between nodes before";
    return made;
}

} // namespace hopscotch::shim
