// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses the cells of processes on a grid, for graphs that no grid explains as a whole. A wrong guess costs time,
// never data: its other edges travel directly.
#include "schedules/irregular/embeddings.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/irregular/few_holes.hpp"
#include "schedules/irregular/holes.hpp"
#include "schedules/irregular/numberings.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// True if the grid explains nearly all edges with clearly fewer messages than a Moore stencil has on a torus.
bool is_likely(const PartialGrid& grid, const std::vector<std::vector<int>>& destinations)
{
    const std::int64_t of_moore = 2 * likely_dimensions(destinations) * static_cast<std::int64_t>(destinations.size());
    return grid.combined_edges * 10 > grid.edges * 9 && grid.messages * 10 <= of_moore * 8;
}

/// First the embeddings of so many dimensions, then all others; each group by its longest extent.
std::vector<Embedding> likeliest_first(std::vector<Embedding> embeddings, int dimensions)
{
    const auto key = [dimensions](const Embedding& embedding) {
        const std::vector<int>& extents = embedding.cells.extents();
        const auto longest = std::max_element(extents.begin(), extents.end());
        return std::make_pair(embedding.cells.dimensions() != dimensions, longest != extents.end() ? *longest : 0);
    };
    std::stable_sort(embeddings.begin(), embeddings.end(),
                     [&key](const Embedding& a, const Embedding& b) { return key(a) < key(b); });
    return embeddings;
}

using Permutation = std::vector<int>; // permutation of the processes

/// Entry i of all lists; none if it is the identity or no permutation.
std::optional<Permutation> entries(const std::vector<std::vector<int>>& lists, std::size_t i)
{
    Permutation result;
    std::vector<bool> seen(lists.size());
    bool moves = false;
    for (std::size_t rank = 0; rank < lists.size(); ++rank) {
        const int to = lists[rank][i];
        if (to == no_rank || seen[static_cast<std::size_t>(to)])
            return std::nullopt;
        seen[static_cast<std::size_t>(to)] = true;
        moves = moves || to != static_cast<int>(rank);
        result.push_back(to);
    }
    return moves ? std::optional(result) : std::nullopt;
}

bool commute(const Permutation& a, const Permutation& b)
{
    for (std::size_t rank = 0; rank < a.size(); ++rank)
        if (a[static_cast<std::size_t>(b[rank])] != b[static_cast<std::size_t>(a[rank])])
            return false;
    return true;
}

/// The processes that some dimensions reach from rank 0, with their steps along each.
class Reached
{
  public:
    explicit Reached(std::size_t processes) : steps_(processes), ranks_{0}, reached_(processes) { reached_[0] = true; }

    bool all() const noexcept { return ranks_.size() == reached_.size(); }
    bool has(int rank) const { return reached_[static_cast<std::size_t>(rank)]; }

    /// Adds a dimension along which `step` leads. Requires: it leads from rank 0 to one that is not reached yet.
    void add_dimension(const Permutation& step)
    {
        const std::vector<int> before = ranks_;
        int extent = 1;
        int at = step[0];
        for (; !has(at); at = step[static_cast<std::size_t>(at)])
            ++extent;
        for (auto& steps : steps_)
            steps.push_back(0);
        std::vector<int> wrap = steps_[static_cast<std::size_t>(at)];
        wrap.pop_back();
        wraps_.push_back(std::move(wrap));
        extents_.push_back(extent);
        std::vector<int> layer = before;
        for (int i = 1; i < extent; ++i)
            for (int& rank : layer) {
                std::vector<int> steps = steps_[static_cast<std::size_t>(rank)];
                ++steps.back();
                rank = step[static_cast<std::size_t>(rank)];
                steps_[static_cast<std::size_t>(rank)] = std::move(steps);
                reached_[static_cast<std::size_t>(rank)] = true;
                ranks_.push_back(rank);
            }
    }

    Embedding embedding() const
    {
        Embedding result{Lattice(extents_, wraps_), {}, "list order"};
        for (std::vector<int> steps : steps_)
            result.cell_of_rank.push_back(result.cells.reduce(steps.data()));
        return result;
    }

  private:
    std::vector<std::vector<int>> steps_; // by rank
    std::vector<int> ranks_;
    std::vector<bool> reached_;
    std::vector<int> extents_;
    std::vector<std::vector<int>> wraps_;
};

bool each_once(std::vector<int> cells)
{
    std::sort(cells.begin(), cells.end());
    return std::adjacent_find(cells.begin(), cells.end()) == cells.end();
}

} // namespace

std::vector<Embedding> in_rank_order(const std::vector<Candidate>& candidates)
{
    constexpr int most_dimensions = 16;
    std::set<std::vector<int>> seen;
    std::vector<Embedding> result;
    for (const Candidate& candidate : candidates)
        if (candidate.topology.dimensions() <= most_dimensions && seen.insert(candidate.topology.dims()).second)
            result.push_back({Lattice(candidate.topology.dims()), {}, candidate.found});
    return result;
}

std::optional<Embedding> by_list_order(const std::vector<std::vector<int>>& destinations)
{
    constexpr std::size_t most_dimensions = 6;
    const std::size_t t = destinations.empty() ? 0 : destinations.front().size();
    const auto is_shorter = [t](const std::vector<int>& list) { return list.size() != t; };
    if (t == 0 || std::any_of(destinations.begin(), destinations.end(), is_shorter))
        return std::nullopt;
    std::vector<Permutation> dimensions;
    Reached reached(destinations.size());
    for (std::size_t i = 0; i < t && !reached.all() && dimensions.size() < most_dimensions; ++i) {
        const std::optional<Permutation> step = entries(destinations, i);
        if (!step || reached.has((*step)[0]))
            continue;
        const auto differs = [&step](const Permutation& other) { return !commute(*step, other); };
        if (std::any_of(dimensions.begin(), dimensions.end(), differs))
            continue;
        reached.add_dimension(*step);
        dimensions.push_back(*step);
    }
    if (!reached.all())
        return std::nullopt;
    Embedding result = reached.embedding();
    return each_once(result.cell_of_rank) ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<PartialGrid> find_partial_grid(const std::vector<Candidate>& trusted, bool infer,
                                             const std::vector<std::vector<int>>& destinations, SearchBudget& budget)
{
    std::vector<Embedding> embeddings = in_rank_order(trusted);
    const auto add = [&embeddings](std::vector<Embedding> more) {
        std::move(more.begin(), more.end(), std::back_inserter(embeddings));
    };
    if (infer) {
        if (std::optional<Embedding> found = by_list_order(destinations))
            embeddings.push_back(std::move(*found));
        add(likeliest_first(in_rank_order(inferred_grids(static_cast<int>(destinations.size()), false)),
                            likely_dimensions(destinations)));
    }
    std::optional<PartialGrid> best = best_partial_grid(embeddings, destinations, budget);
    if (!infer || (best && is_likely(*best, destinations)))
        return best;
    const auto try_more = [&](SearchBudget& steps) {
        std::optional<PartialGrid> found = best_partial_grid(embeddings, destinations, steps);
        if (found && (!best || found->messages < best->messages))
            best = std::move(found);
    };
    SearchBudget half = budget.lend(3);
    SearchBudget part = half.lend(4);
    embeddings = in_known_numberings(destinations, part);
    half.give_back(part);
    try_more(half);
    budget.give_back(half);
    if (best && is_likely(*best, destinations))
        return best;
    part = budget.lend(4);
    embeddings = around_holes(destinations, part);
    budget.give_back(part);
    part = budget.lend(2);
    add(around_few_holes(destinations, part));
    budget.give_back(part);
    try_more(budget);
    return best;
}

} // namespace hopscotch::schedules
