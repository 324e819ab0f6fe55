// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/graph/grid_search.hpp"

#include "schedules/irregular/embeddings.hpp"
#include "schedules/selection/reasons.hpp"
#include "shim/base/immortal.hpp"
#include "shim/base/log.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace hopscotch::shim
{

using schedules::Candidate;

namespace
{

/// Steps of the search for a grid that explains some of the edges, and for one that explains all on processes with very
/// many neighbors: some 5 ms.
constexpr std::size_t most_steps = 1 << 18;

/// Steps of the search for a grid that explains all edges. Few candidates need so many.
std::size_t steps_for(std::size_t neighbors) noexcept
{
    constexpr std::size_t very_many = 256;
    return neighbors > very_many ? most_steps : 4 * most_steps;
}

/// If there are no more tori, other grids are tried in the same agreement.
constexpr std::size_t few = 4;

/// The last search for a grid that explains some edges: programs make the same graph again.
struct LastPartial {
    std::mutex mutex;
    std::vector<std::vector<int>> lists;
    std::vector<int> places;
    std::int64_t shown = 0; // grids
    bool infer = false;
    std::shared_ptr<const schedules::PartialGrid> found;
    bool broken_off = false;
};

/// All functions are collective.
struct GridSearch {
    CollectiveConsensus& consensus;
    Graph& graph;
    int root;
    std::vector<int> root_destinations;
    std::size_t tried = 0;
    std::vector<std::vector<int>> all_lists{}; // lists of all processes, once they are known
    RecordedPlace place{};                     // of this process, in a grid known to all; no dimensions: there is none
    std::vector<int> places{};                 // of all processes in that grid
    std::optional<std::uint64_t> imbalance{};  // imbalance of the lists
    schedules::SearchBudget budget{steps_for(root_destinations.size())};
    bool broken_off = false; // on some process; the same on all

    void choose(const std::vector<Candidate>& candidates, schedules::Explanation best)
    {
        graph.topology = candidates[best.candidate].topology;
        graph.stencil = std::move(best.stencil);
        graph.periodic = schedules::periods_to_show(candidates, best.candidate, graph.stencil);
        graph.found = candidates[best.candidate].found;
    }

    /// True if candidates survive on all processes; the best one of the first list with a survivor becomes the graph's
    /// grid.
    bool choose_from(const std::vector<std::vector<Candidate>>& lists)
    {
        schedules::Survivors all;
        for (const std::vector<Candidate>& candidates : lists) {
            tried += candidates.size();
            const schedules::Survivors more =
                schedules::like_root(candidates, root, root_destinations, graph.edges, budget);
            all.insert(all.end(), more.begin(), more.end());
        }
        if (all.empty())
            return false;
        all.push_back(budget.has_left_out() ? 0 : 1);
        consensus.common_bits(all.data(), all.size());
        broken_off = broken_off || all.back() == 0;
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

    /// Each process adds to its list its part of the imbalance, and its place in the grid that it has recorded.
    void gather_lists()
    {
        constexpr unsigned half = 32;
        const std::uint64_t own = schedules::imbalance(graph.edges);
        place = recorded_place(graph.ranks);
        std::vector<int> list = graph.edges.destinations;
        list.insert(list.end(), place.dims.begin(), place.dims.end());
        list.insert(list.end(), {static_cast<int>(place.dims.size()), place.cell, static_cast<int>(own >> half),
                                 static_cast<int>(own)});
        all_lists = consensus.lists(list);
        imbalance = 0;
        for (std::vector<int>& each : all_lists) {
            const auto take_last = [&each] {
                const auto last = static_cast<std::uint32_t>(each.back());
                each.pop_back();
                return last;
            };
            const std::uint64_t low = take_last();
            *imbalance += (std::uint64_t{take_last()} << half) + low;
            places.push_back(static_cast<int>(take_last()));
            const auto dims = each.end() - 1 - each.back();
            if (!std::equal(dims, each.end() - 1, place.dims.begin(), place.dims.end()))
                place.dims.clear();
            each.erase(dims, each.end());
        }
    }

    std::size_t most_covered() const
    {
        return schedules::most_covered(static_cast<std::size_t>(graph.ranks) * root_destinations.size());
    }

    /// In a small mesh perhaps no process sees the whole stencil: then the stencil is the union of those seen by all.
    bool choose_covering(const std::vector<Candidate>& trusted, const std::vector<Candidate>& others)
    {
        std::vector<Candidate> candidates = trusted;
        candidates.insert(candidates.end(), others.begin(), others.end());
        if (const std::size_t most = most_covered(); candidates.size() > most) {
            candidates.resize(most);
            broken_off = true;
        }
        if (candidates.empty())
            return false;
        tried += candidates.size();
        gather_lists();
        schedules::Covers covers = schedules::cover(candidates, all_lists, graph.out_degree_max, graph.edges);
        consensus.common_bits(covers.survivors.data(), covers.survivors.size());
        std::optional<schedules::Explanation> best =
            schedules::best_explanation(covers.survivors, [&](std::size_t i) { return covers.stencils[i]; });
        if (best)
            choose(candidates, std::move(*best));
        return best.has_value();
    }

    /// All processes choose alike, since they know all lists.
    void choose_partial(const ShownGrids& shown, bool infer)
    {
        std::vector<Candidate> grids = shown.trusted;
        grids.insert(grids.end(), shown.larger.begin(), shown.larger.end());
        const std::int64_t of_shown = schedules::hash_of(grids);
        if (place.dims.empty())
            places.clear();
        auto& last = immortal<LastPartial>();
        const LockAmongThreads lock(last.mutex);
        if (last.lists != all_lists || last.places != places || last.shown != of_shown || last.infer != infer) {
            schedules::SearchBudget steps(most_steps);
            std::optional<schedules::PartialGrid> found = schedules::find_partial_grid(
                schedules::by_shown_places(place.dims, places), grids, infer, all_lists, steps);
            last.found = found ? std::make_shared<schedules::PartialGrid>(std::move(*found)) : nullptr;
            last.broken_off = steps.has_left_out();
            last.places = std::move(places);
            last.shown = of_shown;
            last.infer = infer;
            last.lists = std::move(all_lists);
        }
        graph.partial = last.found;
        broken_off = broken_off || last.broken_off;
    }

    bool found(const std::vector<Candidate>& trusted, bool infer)
    {
        if (choose_from({trusted}))
            return true;
        std::vector<Candidate> others;
        if (infer) {
            schedules::SearchBudget making = budget.lend(2); // the same on all processes: it depends on no list
            const std::vector<Candidate> tori = schedules::inferred_grids(graph.ranks, false, making);
            if (tori.size() > few && choose_from({tori}))
                return true;
            others = schedules::inferred_grids(graph.ranks, true, making);
            broken_off = broken_off || making.has_left_out();
            budget.give_back(schedules::SearchBudget(making.left()));
            if (tori.size() > few ? choose_from({others}) : choose_from({tori, others}))
                return true;
        }
        return choose_covering(trusted, others);
    }
};

} // namespace

bool lists_agree(CollectiveConsensus& consensus, const Graph& graph)
{
    return consensus.sum(static_cast<std::int64_t>(schedules::imbalance(graph.edges))) == 0;
}

bool search_grid(CollectiveConsensus& consensus, Graph& graph, const ShownGrids& shown, bool infer, bool partly,
                 int root, int root_degree)
{
    std::vector<int> destinations = graph.edges.destinations;
    destinations.erase(std::remove(destinations.begin(), destinations.end(), schedules::no_rank), destinations.end());
    destinations.resize(root_degree);
    consensus.broadcast(destinations.data(), destinations.size() * sizeof(int), root);
    GridSearch search{consensus, graph, root, std::move(destinations)};
    const bool found = search.found(shown.trusted, infer);
    if (partly && !found && search.all_lists.empty() && !shown.larger.empty() && search.most_covered() > 0)
        search.gather_lists();
    const bool saves_messages = found && schedules::rounds(graph.stencil) < graph.out_degree_max;
    if (partly && !saves_messages && !search.all_lists.empty() && *search.imbalance == 0)
        search.choose_partial(shown, infer);
    if (found)
        return true; // no list can disagree with the grid
    const std::string tried = " (" + std::to_string(search.tried) + (search.tried == 1 ? " grid" : " grids") +
                              (search.broken_off ? " tried, not all that may be)" : " tried)");
    if (search.broken_off && graph.edges.rank == 0)
        log(LogLevel::info, "the search for a process grid was broken off, so that it ends in some milliseconds; "
                            "HOPSCOTCH_DIMS names one");
    if (infer)
        graph.declined = {schedules::reason::not_isomorphic, tried};
    else if (search.tried > 0)
        graph.declined = {schedules::reason::no_known_grid_explains, tried};
    else
        graph.declined = schedules::reason::no_grid_known;
    return search.imbalance ? *search.imbalance == 0 : lists_agree(consensus, graph);
}

} // namespace hopscotch::shim
