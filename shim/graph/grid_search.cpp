// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Searches the process grid that explains the neighbor lists of all processes of a graph.
#include "shim/graph/grid_search.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

using schedules::Topology;

namespace
{

/// List entries looked at in the search for a mesh none of whose processes sees the whole stencil: some milliseconds.
constexpr std::size_t most_covered = 1 << 18;

void append(std::vector<Candidate>& candidates, const std::vector<Candidate>& more)
{
    candidates.insert(candidates.end(), more.begin(), more.end());
}

} // namespace

GridSearch::GridSearch(CollectiveConsensus& consensus, Graph& graph, const Settings& settings,
                       const std::optional<Topology>& parent_grid, const std::vector<Candidate>& hints)
    : consensus_(consensus), graph_(graph), settings_(settings), hints_(hints)
{
    if (parent_grid.has_value() && parent_grid->size() == graph.ranks)
        append(common_, schedules::in_all_patterns(*parent_grid, "parent"));
    if (settings.grid.has_value()) {
        const Topology hint(settings.grid->dims, settings.grid->periodic);
        if (hint.size() == graph.ranks)
            append(common_, schedules::in_all_patterns(hint, "hint"));
    }
}

/// Picks the best of the candidates that survive on all processes. Collective.
bool GridSearch::choose_among(const std::vector<Candidate>& candidates, schedules::Survivors survivors,
                              const std::function<schedules::Stencil(std::size_t candidate)>& stencil_of)
{
    consensus_.common_bits(survivors.data(), survivors.size());
    std::optional<schedules::Explanation> best = schedules::best_explanation(survivors, stencil_of);
    if (!best)
        return false;
    graph_.topology = candidates[best->candidate].topology;
    graph_.stencil = std::move(best->stencil);
    graph_.periodic = schedules::periods_to_show(candidates, best->candidate, graph_.stencil);
    graph_.found = candidates[best->candidate].found;
    return true;
}

bool GridSearch::choose(const std::vector<Candidate>& candidates)
{
    if (candidates.empty())
        return false;
    tried_ += candidates.size();
    return choose_among(
        candidates, schedules::like_root(candidates, root_, root_destinations_, graph_.edges),
        [&](std::size_t i) { return schedules::offsets(candidates[i].topology, root_, root_destinations_); });
}

/// A small mesh may have no process that sees the whole stencil: then it is the union of what all of them see.
bool GridSearch::choose_covering(const std::vector<Candidate>& trusted)
{
    const std::size_t entries = static_cast<std::size_t>(graph_.ranks) * root_destinations_.size();
    if (entries == 0 || entries > most_covered)
        return false;
    std::vector<Candidate> candidates = trusted;
    if (settings_.infer)
        append(candidates, schedules::inferred_grids(graph_.ranks, true));
    if (candidates.size() > most_covered / entries)
        candidates.resize(most_covered / entries);
    if (candidates.empty())
        return false;
    tried_ += candidates.size();
    const schedules::Covers covers =
        schedules::cover(candidates, consensus_.lists(graph_.edges.destinations), graph_.out_degree_max, graph_.edges);
    return choose_among(candidates, covers.survivors, [&](std::size_t i) { return covers.stencils[i]; });
}

std::string GridSearch::decline(const std::vector<Candidate>& trusted)
{
    std::string reason = "not isomorphic: no process grid explains the neighbors of all processes";
    if (trusted.empty())
        return reason + " (" + std::to_string(tried_) + " grids tried)";
    const Topology& grid = trusted.front().topology;
    const bool differs = !schedules::same_as(grid, root_, root_destinations_, graph_.edges.rank,
                                             graph_.edges.destinations, graph_.edges.sources);
    const int differing = consensus_.count(differs);
    return reason + " (" + std::to_string(tried_) + " tried; in the grid " + schedules::to_string(grid) + ", " +
           std::to_string(differing) + " of " + std::to_string(graph_.ranks) + " processes differ from rank " +
           std::to_string(root_) + ")";
}

void GridSearch::run(int root, int root_degree, bool hints_agree)
{
    root_ = root;
    root_destinations_ = graph_.edges.destinations;
    root_destinations_.erase(std::remove(root_destinations_.begin(), root_destinations_.end(), schedules::no_rank),
                             root_destinations_.end());
    root_destinations_.resize(static_cast<std::size_t>(root_degree));
    consensus_.broadcast(root_destinations_.data(), root_destinations_.size() * sizeof(int), root);

    std::vector<Candidate> trusted = common_;
    if (hints_agree)
        append(trusted, hints_);
    if (choose(trusted))
        return;
    const auto inferred = [&](bool all_patterns) { return schedules::inferred_grids(graph_.ranks, all_patterns); };
    if (settings_.infer && (choose(inferred(false)) || choose(inferred(true))))
        return;
    if (choose_covering(trusted))
        return;
    graph_.declined = decline(trusted);
}

} // namespace hopscotch::shim
