// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The search for a process box that explains the neighbor lists of all processes of a graph.
#include "shim/graph/box_search.hpp"

#include "schedules/cost.hpp"
#include "schedules/infer.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::Topology;

namespace
{

/// More boxes than this are not tried: the rest have many dimensions and save little.
constexpr std::size_t most_factorizations = 8192;
constexpr std::size_t most_boxes = 16384;
constexpr int most_dimensions = 6;

/// List entries looked at in the search for a mesh none of whose processes sees the whole stencil: some milliseconds.
constexpr std::size_t most_covered = 1 << 18;

} // namespace

BoxSearch::BoxSearch(const Together& together, Graph& graph, const Settings& settings,
                     const std::optional<Topology>& parent_box, const std::vector<Candidate>& hints)
    : together_(together), graph_(graph), settings_(settings), hints_(hints)
{
    if (parent_box.has_value() && parent_box->size() == graph.ranks)
        append_patterns(common_, *parent_box, "parent");
    if (settings.box.has_value()) {
        const Topology hint(settings.box->dims, settings.box->periodic);
        if (hint.size() == graph.ranks) {
            append_patterns(common_, hint, "hint");
        }
    }
}

/// Picks the best of the candidates alive on all processes. Collective.
bool BoxSearch::choose_among(const std::vector<Candidate>& candidates, const std::vector<schedules::Stencil>& stencils,
                             std::vector<std::uint64_t> alive)
{
    together_.common_bits(alive);
    std::vector<std::size_t> living;
    std::vector<schedules::Stencil> living_stencils;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if ((alive[i / 64] >> (i % 64) & 1) == 0)
            continue;
        living.push_back(i);
        living_stencils.push_back(
            stencils.empty() ? schedules::offsets(candidates[i].topology, root_, root_destinations_) : stencils[i]);
    }
    if (living.empty())
        return false;
    const std::size_t winner = schedules::best(living_stencils);
    graph_.topology = candidates[living[winner]].topology;
    graph_.stencil = schedules::sorted(living_stencils[winner]);
    graph_.found = candidates[living[winner]].found;
    return true;
}

bool BoxSearch::choose(const std::vector<Candidate>& candidates)
{
    if (candidates.empty())
        return false;
    tried_ += candidates.size();
    std::vector<std::uint64_t> alive((candidates.size() + 63) / 64, 0);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (schedules::same_as(candidates[i].topology, root_, root_destinations_, graph_.edges.rank,
                               graph_.edges.destinations, graph_.edges.sources))
            alive[i / 64] |= std::uint64_t{1} << (i % 64);
    return choose_among(candidates, {}, std::move(alive));
}

/// A small mesh may have no process that sees the whole stencil: then it is the union of what all of them see.
bool BoxSearch::choose_covering(const std::vector<Candidate>& trusted)
{
    const std::size_t entries = static_cast<std::size_t>(graph_.ranks) * root_destinations_.size();
    std::vector<Candidate> candidates = trusted;
    if (settings_.infer) {
        const std::vector<Candidate> more = inferred(true);
        candidates.insert(candidates.end(), more.begin(), more.end());
    }
    if (entries == 0 || entries > most_covered)
        return false;
    if (candidates.size() > most_covered / entries)
        candidates.resize(most_covered / entries);
    if (candidates.empty())
        return false;
    tried_ += candidates.size();
    const std::vector<std::vector<int>> lists = together_.lists(graph_.edges.destinations);
    std::vector<std::uint64_t> alive((candidates.size() + 63) / 64, 0);
    std::vector<schedules::Stencil> stencils;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        std::optional<schedules::Stencil> cover = schedules::covering(candidates[i].topology, lists);
        stencils.push_back(cover.value_or(schedules::Stencil()));
        // One-dimensional boxes can explain almost anything: a box that saves no message is no explanation.
        const bool saves = cover && schedules::rounds(stencils.back()) < graph_.out_degree_max;
        if (saves && schedules::explains(candidates[i].topology, stencils.back(), graph_.edges.rank,
                                         graph_.edges.destinations, graph_.edges.sources))
            alive[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    return choose_among(candidates, stencils, std::move(alive));
}

std::vector<Candidate> BoxSearch::inferred(bool all_patterns) const
{
    std::vector<Candidate> candidates;
    for (const auto& dims : schedules::factorizations(graph_.ranks, most_dimensions, most_factorizations)) {
        for (Topology& topology : schedules::with_periods(dims, all_patterns)) {
            if (all_patterns && topology.fully_periodic())
                continue; // tried before
            if (candidates.size() == most_boxes)
                return candidates;
            candidates.push_back({std::move(topology), "inferred"});
        }
    }
    return candidates;
}

std::string BoxSearch::decline(const std::vector<Candidate>& trusted) const
{
    std::string reason = "not isomorphic: no process box explains the neighbors of all processes";
    if (trusted.empty())
        return reason + " (" + std::to_string(tried_) + " boxes tried)";
    const Topology& box = trusted.front().topology;
    const bool differs = !schedules::same_as(box, root_, root_destinations_, graph_.edges.rank,
                                             graph_.edges.destinations, graph_.edges.sources);
    const int differing = together_.count(differs);
    return reason + " (" + std::to_string(tried_) + " tried; in the box " + schedules::to_string(box) + ", " +
           std::to_string(differing) + " of " + std::to_string(graph_.ranks) + " processes differ from rank " +
           std::to_string(root_) + ")";
}

void BoxSearch::run(int root, int root_degree, bool hints_agree)
{
    root_ = root;
    root_destinations_ = graph_.edges.destinations;
    root_destinations_.erase(std::remove(root_destinations_.begin(), root_destinations_.end(), schedules::no_rank),
                             root_destinations_.end());
    root_destinations_.resize(static_cast<std::size_t>(root_degree));
    together_.broadcast(root_destinations_, root);

    std::vector<Candidate> trusted = common_;
    if (hints_agree)
        trusted.insert(trusted.end(), hints_.begin(), hints_.end());
    if (choose(trusted))
        return;
    if (settings_.infer && (choose(inferred(false)) || choose(inferred(true))))
        return;
    if (choose_covering(trusted))
        return;
    graph_.declined = decline(trusted);
}

} // namespace hopscotch::shim
