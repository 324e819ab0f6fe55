// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/graph/kept_graphs.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/no_memory.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/group/process_group.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// A graph with copies of its inputs.
struct GraphWithInputs {
    std::uint64_t settings_hash;
    std::weak_ptr<ProcessGroup> group;
    int topology_kind;
    std::vector<schedules::Candidate> hints;
    std::optional<schedules::Topology> grid;
    std::optional<Algorithms> algorithms;
    RecordedPlace place; // a search for partial grids starts there
    std::shared_ptr<const KeptGraph> kept;
};

struct GraphsWithInputs {
    std::mutex mutex;
    std::list<GraphWithInputs> newest_first;
};

bool are_equal(const std::vector<schedules::Candidate>& some, const std::vector<schedules::Candidate>& others)
{
    const auto is_same = [](const schedules::Candidate& one, const schedules::Candidate& other) {
        return one.topology == other.topology && one.found == other.found;
    };
    return std::equal(some.begin(), some.end(), others.begin(), others.end(), is_same);
}

/// Without a new owner, which might become the last one.
bool is_same(const std::weak_ptr<ProcessGroup>& one, const std::shared_ptr<ProcessGroup>& other)
{
    return !one.owner_before(other) && !other.owner_before(one);
}

bool has_inputs(const GraphWithInputs& entry, const SetUpInputs& inputs, const RecordedPlace& place)
{
    const schedules::Edges& edges = entry.kept->graph->edges;
    return entry.settings_hash == inputs.settings_hash && is_same(entry.group, inputs.group) &&
           entry.topology_kind == inputs.topology_kind && edges.rank == inputs.edges.rank &&
           edges.sources == inputs.edges.sources && edges.destinations == inputs.edges.destinations &&
           entry.place.cell == place.cell && entry.place.dims == place.dims && entry.grid == inputs.grid &&
           entry.algorithms == inputs.algorithms && are_equal(entry.hints, inputs.hints);
}

RecordedPlace place_in(const ProcessGroup& group)
{
    return recorded_place(group.size());
}

} // namespace

void keep_graph(const SetUpInputs& inputs, std::int64_t id, std::shared_ptr<const Graph> graph) noexcept
{
    const std::size_t processes = graph->partial != nullptr ? static_cast<std::size_t>(graph->ranks) : 0;
    if (std::max(graph->edges.sources.size() + graph->edges.destinations.size(), processes) > most_kept_edges)
        return;
    try {
        std::list<GraphWithInputs> added;
        added.push_back({inputs.settings_hash, inputs.group, inputs.topology_kind, inputs.hints, inputs.grid,
                         inputs.algorithms, place_in(*inputs.group),
                         std::make_shared<const KeptGraph>(KeptGraph{id, std::move(graph)})});
        GraphsWithInputs& all = immortal<GraphsWithInputs>();
        const LockAmongThreads lock(all.mutex);
        all.newest_first.remove_if([&](const GraphWithInputs& entry) {
            return entry.group.expired() || has_inputs(entry, inputs, added.front().place);
        });
        all.newest_first.splice(all.newest_first.begin(), added);
        if (all.newest_first.size() > most_kept_graphs)
            all.newest_first.pop_back();
    } catch (const NoMemory&) {
        // The next one is set up by messages.
    }
}

std::shared_ptr<const KeptGraph> find_kept_graph(const SetUpInputs& inputs)
{
    const RecordedPlace place = place_in(*inputs.group);
    GraphsWithInputs& all = immortal<GraphsWithInputs>();
    const LockAmongThreads lock(all.mutex);
    auto& entries = all.newest_first;
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const GraphWithInputs& entry) { return has_inputs(entry, inputs, place); });
    if (found == entries.end())
        return nullptr;
    entries.splice(entries.begin(), entries, found);
    return found->kept;
}

} // namespace hopscotch::shim
