// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses the cells of processes on a grid, for graphs that no grid explains as a whole. A wrong guess costs time,
// never data: its other edges travel directly.
#include "schedules/irregular/embeddings.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/irregular/few_holes.hpp"
#include "schedules/irregular/holes.hpp"
#include "schedules/irregular/numberings.hpp"
#include "schedules/irregular/regularity.hpp"
#include "schedules/irregular/relief.hpp"

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

using Lists = std::vector<std::vector<int>>;
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
        Embedding result{Lattice(extents_, wraps_), {}, GridOrigin::list_order};
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

/// The number of times that entry i leads on until it comes back to rank 0; no more than there are processes.
int length_of_circle(const Lists& lists, std::size_t i)
{
    int length = 1;
    for (int at = lists[0][i]; at > 0 && length < static_cast<int>(lists.size()); ++length)
        at = lists[static_cast<std::size_t>(at)][i];
    return length;
}

/// The numbers of the entries of all lists, those first whose process has most neighbors in common with rank 0, and of
/// these the ones with the shortest circles. On stencils like boxes they are the steps along single dimensions.
std::vector<int> likely_dimensions_first(const Lists& lists)
{
    constexpr std::size_t most_entries = 256;
    std::vector<int> order = identity(static_cast<int>(lists[0].size()));
    if (lists[0].size() > most_entries)
        return order;
    std::vector<bool> is_near(lists.size() + 1); // by rank + 1: no_rank is not near
    is_near[1] = true;
    for (const int rank : lists[0])
        is_near[static_cast<std::size_t>(rank + 1)] = rank != no_rank;
    std::vector<int> far;
    std::vector<int> lengths;
    for (std::size_t i = 0; i < lists[0].size(); ++i) {
        const std::vector<int>& list = lists[static_cast<std::size_t>(std::max(lists[0][i], 0))];
        const auto is_far = [&is_near](int rank) { return !is_near[static_cast<std::size_t>(rank + 1)]; };
        far.push_back(static_cast<int>(std::count_if(list.begin(), list.end(), is_far)));
        lengths.push_back(length_of_circle(lists, i));
    }
    sort_by(order, lengths);
    sort_by(order, far);
    return order;
}

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
    for (const int entry : likely_dimensions_first(destinations)) {
        if (reached.all() || dimensions.size() == most_dimensions)
            break;
        const std::optional<Permutation> step = entries(destinations, static_cast<std::size_t>(entry));
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

std::optional<Embedding> by_shown_places(const std::vector<int>& dims, std::vector<int> cell_of_rank)
{
    Lattice cells(dims);
    const auto is_outside = [&cells](int cell) { return cell < 0 || cell >= cells.size(); };
    if (dims.empty() || std::any_of(cell_of_rank.begin(), cell_of_rank.end(), is_outside) || !each_once(cell_of_rank))
        return std::nullopt;
    return Embedding{std::move(cells), std::move(cell_of_rank), GridOrigin::recorded};
}

namespace
{

std::optional<PartialGrid> best_guess(const std::optional<Embedding>& shown, const std::vector<Candidate>& trusted,
                                      bool infer, const Lists& destinations, SearchBudget& budget)
{
    std::vector<Embedding> embeddings = in_rank_order(trusted);
    if (shown)
        embeddings.insert(embeddings.begin(), *shown);
    const auto add = [&embeddings](std::vector<Embedding> more) {
        std::move(more.begin(), more.end(), std::back_inserter(embeddings));
    };
    if (infer) {
        if (std::optional<Embedding> found = by_list_order(destinations))
            embeddings.push_back(std::move(*found));
        SearchBudget part = budget.lend(4);
        add(likeliest_first(in_rank_order(inferred_grids(static_cast<int>(destinations.size()), false, part)),
                            likely_dimensions(destinations)));
        budget.give_back(part);
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

} // namespace

std::optional<PartialGrid> find_partial_grid(const std::optional<Embedding>& shown,
                                             const std::vector<Candidate>& trusted, bool infer,
                                             const Lists& destinations, SearchBudget& budget)
{
    constexpr std::size_t part_of_relief = 8;
    SearchBudget for_relief = budget.lend(part_of_relief);
    infer = infer && may_be_regular(destinations, budget);
    std::optional<PartialGrid> best = best_guess(shown, trusted, infer, destinations, budget);
    for_relief.give_back(budget);
    budget = for_relief;
    if (best && !relieve(*best, destinations, budget))
        best.reset();
    return best;
}

} // namespace hopscotch::schedules
