// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps the neighborhoods of the last graphs: the next graph with the same lists needs no messages for its set-up.
#pragma once

#include "schedules/grid/grid_choice.hpp"
#include "shim/graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

class ProcessGroup;

/// All that the set-up of a graph starts from on one process. References.
struct SetUpInputs {
    std::uint64_t settings_hash;                // of settings that never change
    const std::shared_ptr<ProcessGroup>& group; // not null
    int topology_kind;
    const schedules::Edges& edges; // this process's own
    const std::vector<schedules::Candidate>& hints;
    const std::optional<schedules::Topology>& grid; // of the communicator, or its parent
    const std::optional<Algorithms>& algorithms;    // requested by an info key
};

/// The result of a set-up.
struct KeptGraph {
    std::int64_t id; // within the group; the same on all processes of the graph
    std::shared_ptr<const Graph> graph;
};

/// The most graphs that a process keeps; a new one replaces that which has not been found for the longest time.
constexpr std::size_t most_kept_graphs = 32;

/// Graphs with more edges on this process are not kept, nor are those with a partial grid of more processes, which has
/// an entry for each.
constexpr std::size_t most_kept_edges = 4096;

/// Keeps a graph for the inputs of its set-up, which has succeeded, in place of an earlier one. Those of groups that
/// are gone go away. Local; any thread.
void keep_graph(const SetUpInputs& inputs, std::int64_t id, std::shared_ptr<const Graph> graph) noexcept;

/// The graph that had these inputs; null if none is kept. Lists and grids are compared, not their hashes. If all
/// processes find the same id, its set-up had the same inputs on all of them. Local; any thread.
std::shared_ptr<const KeptGraph> find_kept_graph(const SetUpInputs& inputs);

} // namespace hopscotch::shim
