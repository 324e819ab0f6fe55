// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Searches the process grid that explains the neighbor lists of all processes of a graph.
#include "shim/graph/grid_search.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace hopscotch::shim
{

using schedules::Candidate;

namespace
{

/// List entries looked at in the search for a mesh none of whose processes sees the whole stencil: some milliseconds.
constexpr std::size_t most_covered = 1 << 18;

/// All functions are collective.
struct GridSearch {
    CollectiveConsensus& consensus;
    Graph& graph;
    int root;
    std::vector<int> root_destinations;
    std::size_t tried = 0;

    /// Whether a candidate survives on all processes; the best is the graph's then.
    bool choose_among(const std::vector<Candidate>& candidates, schedules::Survivors survivors,
                      const std::function<schedules::Stencil(std::size_t candidate)>& stencil_of)
    {
        tried += candidates.size();
        consensus.common_bits(survivors.data(), survivors.size());
        std::optional<schedules::Explanation> best = schedules::best_explanation(survivors, stencil_of);
        if (!best)
            return false;
        graph.topology = candidates[best->candidate].topology;
        graph.stencil = std::move(best->stencil);
        graph.periodic = schedules::periods_to_show(candidates, best->candidate, graph.stencil);
        graph.found = candidates[best->candidate].found;
        return true;
    }

    bool choose(const std::vector<Candidate>& candidates)
    {
        return !candidates.empty() &&
               choose_among(
                   candidates, schedules::like_root(candidates, root, root_destinations, graph.edges),
                   [&](std::size_t i) { return schedules::offsets(candidates[i].topology, root, root_destinations); });
    }

    /// A small mesh may have no process that sees the whole stencil: then it is the union of what all of them see.
    bool choose_covering(std::vector<Candidate> candidates)
    {
        const std::size_t entries = graph.ranks * root_destinations.size();
        if (entries == 0)
            return false;
        candidates.resize(std::min(candidates.size(), most_covered / entries));
        if (candidates.empty())
            return false;
        const schedules::Covers covers =
            schedules::cover(candidates, consensus.lists(graph.edges.destinations), graph.out_degree_max, graph.edges);
        return choose_among(candidates, covers.survivors, [&](std::size_t i) { return covers.stencils[i]; });
    }
};

} // namespace

void search_grid(CollectiveConsensus& consensus, Graph& graph, const std::vector<Candidate>& trusted, bool infer,
                 int root, int root_degree)
{
    std::vector<int> destinations = graph.edges.destinations;
    destinations.erase(std::remove(destinations.begin(), destinations.end(), schedules::no_rank), destinations.end());
    destinations.resize(root_degree);
    consensus.broadcast(destinations.data(), destinations.size() * sizeof(int), root);
    GridSearch search{consensus, graph, root, std::move(destinations)};
    if (search.choose(trusted))
        return;
    std::vector<Candidate> all = trusted;
    if (infer) {
        if (search.choose(schedules::inferred_grids(graph.ranks, false)))
            return;
        const std::vector<Candidate> inferred = schedules::inferred_grids(graph.ranks, true);
        if (search.choose(inferred))
            return;
        all.insert(all.end(), inferred.begin(), inferred.end());
    }
    if (!search.choose_covering(std::move(all)))
        graph.declined = "not isomorphic: no process grid explains the neighbors of all processes (" +
                         std::to_string(search.tried) + " grids tried)";
}

} // namespace hopscotch::shim
