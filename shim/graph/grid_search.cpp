// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Searches the process grid that explains the neighbor lists of all processes of a graph.
#include "shim/graph/grid_search.hpp"

#include "schedules/selection/reasons.hpp"

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

/// Where there are no more tori, other grids are tried in the same agreement.
constexpr std::size_t few = 8;

/// All functions are collective.
struct GridSearch {
    CollectiveConsensus& consensus;
    Graph& graph;
    int root;
    std::vector<int> root_destinations;
    std::size_t tried = 0;
    std::optional<std::uint64_t> imbalance; // of all lists, once they are known

    void choose(const std::vector<Candidate>& candidates, schedules::Explanation best)
    {
        graph.topology = candidates[best.candidate].topology;
        graph.stencil = std::move(best.stencil);
        graph.periodic = schedules::periods_to_show(candidates, best.candidate, graph.stencil);
        graph.found = candidates[best.candidate].found;
    }

    /// Whether candidates survive on all processes; the best of the first list that has one is the graph's then.
    bool choose_from(const std::vector<std::vector<Candidate>>& lists)
    {
        schedules::Survivors all;
        for (const std::vector<Candidate>& candidates : lists) {
            tried += candidates.size();
            const schedules::Survivors more = schedules::like_root(candidates, root, root_destinations, graph.edges);
            all.insert(all.end(), more.begin(), more.end());
        }
        if (all.empty())
            return false;
        consensus.common_bits(all.data(), all.size());
        auto next_word = all.begin();
        for (const std::vector<Candidate>& candidates : lists) {
            const auto words = static_cast<std::ptrdiff_t>(schedules::words_for(candidates.size()));
            const schedules::Survivors survivors(next_word, next_word + words);
            next_word += words;
            const auto stencil_of = [&](std::size_t i) {
                return schedules::offsets(candidates[i].topology, root, root_destinations);
            };
            if (std::optional<schedules::Explanation> best = schedules::best_explanation(survivors, stencil_of)) {
                choose(candidates, std::move(*best));
                return true;
            }
        }
        return false;
    }

    /// The lists of all processes. Each adds its part of the imbalance.
    std::vector<std::vector<int>> gather_lists()
    {
        constexpr unsigned half = 32;
        const std::uint64_t own = schedules::imbalance(graph.edges);
        std::vector<int> list = graph.edges.destinations;
        list.push_back(static_cast<int>(own >> half));
        list.push_back(static_cast<int>(own));
        std::vector<std::vector<int>> lists = consensus.lists(list);
        imbalance = 0;
        for (std::vector<int>& each : lists) {
            const std::uint64_t low = static_cast<std::uint32_t>(each.back());
            each.pop_back();
            *imbalance += (static_cast<std::uint64_t>(static_cast<std::uint32_t>(each.back())) << half) + low;
            each.pop_back();
        }
        return lists;
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
        tried += candidates.size();
        schedules::Covers covers = schedules::cover(candidates, gather_lists(), graph.out_degree_max, graph.edges);
        if (!covers.any)
            return false;
        consensus.common_bits(covers.survivors.data(), covers.survivors.size());
        std::optional<schedules::Explanation> best =
            schedules::best_explanation(covers.survivors, [&](std::size_t i) { return covers.stencils[i]; });
        if (best)
            choose(candidates, std::move(*best));
        return best.has_value();
    }

    bool found(const std::vector<Candidate>& trusted, bool infer)
    {
        if (choose_from({trusted}))
            return true;
        std::vector<Candidate> all = trusted;
        if (infer) {
            const std::vector<Candidate> tori = schedules::inferred_grids(graph.ranks, false);
            if (tori.size() > few && choose_from({tori}))
                return true;
            const std::vector<Candidate> others = schedules::inferred_grids(graph.ranks, true);
            if (tori.size() > few ? choose_from({others}) : choose_from({tori, others}))
                return true;
            all.insert(all.end(), others.begin(), others.end());
        }
        return choose_covering(std::move(all));
    }
};

} // namespace

bool lists_agree(CollectiveConsensus& consensus, const Graph& graph)
{
    auto sum = static_cast<std::int64_t>(schedules::imbalance(graph.edges));
    consensus.sums(&sum, 1);
    return sum == 0;
}

bool search_grid(CollectiveConsensus& consensus, Graph& graph, const std::vector<Candidate>& trusted, bool infer,
                 int root, int root_degree)
{
    std::vector<int> destinations = graph.edges.destinations;
    destinations.erase(std::remove(destinations.begin(), destinations.end(), schedules::no_rank), destinations.end());
    destinations.resize(root_degree);
    consensus.broadcast(destinations.data(), destinations.size() * sizeof(int), root);
    GridSearch search{consensus, graph, root, std::move(destinations), 0, {}};
    if (search.found(trusted, infer))
        return true; // no list can disagree with the grid
    const std::string tried =
        " (" + std::to_string(search.tried) + (search.tried == 1 ? " grid tried)" : " grids tried)");
    if (infer)
        graph.declined = schedules::reason::not_isomorphic + tried;
    else if (search.tried > 0)
        graph.declined = schedules::reason::no_known_grid_explains + tried;
    else
        graph.declined = schedules::reason::no_grid_known;
    return search.imbalance ? *search.imbalance == 0 : lists_agree(consensus, graph);
}

} // namespace hopscotch::shim
