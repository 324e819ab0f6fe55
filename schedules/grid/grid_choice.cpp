// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/grid_choice.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

constexpr std::size_t bits_of_word = 64;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value)
{
    return (hash ^ value) * 0x100000001b3u;
}

/// The candidates for which `survives` is true.
template <class Survives>
Survivors survivors_of(const std::vector<Candidate>& candidates, const Survives& survives)
{
    Survivors survivors(words_for(candidates.size()), 0);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (survives(i))
            survivors[i / bits_of_word] |= std::uint64_t{1} << (i % bits_of_word);
    return survivors;
}

/// Compares the neighbors of a process with those of the root, moved, in one grid after the other.
class LikeRoot
{
  public:
    LikeRoot(int root, const std::vector<int>& root_destinations, const Edges& own)
        : root_(root), own_(own.rank), of_root_(without_null(root_destinations)), to_(own.destinations),
          from_(own.sources)
    {
    }

    /// The result of same_as in this grid. False after the end of the budget.
    bool in(const Topology& grid, SearchBudget& budget)
    {
        constexpr std::size_t steps_of_grid = 3;
        if (budget.has_left_out())
            return false;
        if (grid.dims() != dims_) {
            dims_ = grid.dims();
            periods_matter_ = true;
        }
        if (!periods_matter_)
            return budget.take(1) && result_;
        looks_ = 0;
        periods_matter_ = false;
        grid.coordinates(root_, resized(root_at_));
        grid.coordinates(own_, resized(own_at_));
        result_ = same(grid, to_, 1) && same(grid, from_, -1);
        return budget.take(steps_of_grid + looks_ / 2) && result_;
    }

  private:
    /// A neighbor list, as it is and sorted.
    struct Listed {
        explicit Listed(const std::vector<int>& list) : ranks(without_null(list)), sorted(ranks)
        {
            std::sort(sorted.begin(), sorted.end());
        }

        bool has(int rank) const { return std::binary_search(sorted.begin(), sorted.end(), rank); }

        std::vector<int> ranks;
        std::vector<int> sorted;
    };

    static std::vector<int> without_null(std::vector<int> ranks)
    {
        ranks.erase(std::remove(ranks.begin(), ranks.end(), no_rank), ranks.end());
        return ranks;
    }

    int* resized(std::vector<int>& coordinates) const
    {
        coordinates.resize(dims_.size());
        return coordinates.data();
    }

    /// The process that lies from this one, ahead or back, as entry i of the root's list from the root.
    int moved(const Topology& grid, std::size_t i, int direction)
    {
        ++looks_;
        int rest = of_root_[i];
        int rank = 0;
        int stride = 1;
        for (std::size_t k = dims_.size(); k-- > 0;) {
            const int extent = dims_[k];
            int at = own_at_[k] + direction * (rest % extent - root_at_[k]);
            rest /= extent;
            if (at < 0 || at >= extent) {
                periods_matter_ = true;
                if (!grid.periodic(static_cast<int>(k)))
                    return no_rank;
                at += at < 0 ? extent : -extent;
            }
            rank += at * stride;
            stride *= extent;
        }
        return rank;
    }

    bool same(const Topology& grid, const Listed& list, int direction)
    {
        constexpr std::size_t probes = 8; // nearly every wrong grid ends here
        const std::size_t t = of_root_.size();
        for (std::size_t probe = 0; t > probes && probe < probes; ++probe)
            if (const int rank = moved(grid, probe * t / probes, direction); rank != no_rank && !list.has(rank))
                return false;
        wanted_.clear();
        bool in_step = true;
        for (std::size_t i = 0; i < t; ++i) {
            const int rank = moved(grid, i, direction);
            if (rank == no_rank)
                continue;
            if (wanted_.size() == list.ranks.size())
                return false;
            if (rank != list.ranks[wanted_.size()]) {
                in_step = false;
                if (!list.has(rank))
                    return false;
            }
            wanted_.push_back(rank);
        }
        if (in_step || wanted_.size() != list.ranks.size())
            return wanted_.size() == list.ranks.size();
        looks_ += t;
        std::sort(wanted_.begin(), wanted_.end());
        return wanted_ == list.sorted;
    }

    int root_;
    int own_;
    std::vector<int> of_root_;
    Listed to_;
    Listed from_;
    std::vector<int> dims_; // dims of the last grid
    std::vector<int> root_at_;
    std::vector<int> own_at_;
    std::vector<int> wanted_;
    std::size_t looks_ = 0;      // at neighbors
    bool periods_matter_ = true; // some way looked at led over a border: grids with other periods may differ
    bool result_ = false;
};

/// True if every offset with a step in dimension k appears an even number of times, and there is at least one.
bool steps_come_twice(const Stencil& sorted, int k)
{
    bool any = false;
    for (int first = 0, end = 0; first < sorted.size(); first = end) {
        const auto same = [&](int i) {
            return std::equal(sorted.offset(i), sorted.offset(i) + sorted.dimensions(), sorted.offset(first));
        };
        for (end = first + 1; end < sorted.size() && same(end);)
            ++end;
        if (sorted.shift(first, k) == 0)
            continue;
        if ((end - first) % 2 != 0)
            return false;
        any = true;
    }
    return any;
}

/// True if the process is its own neighbor as often as both directions along every dimension of one process make it.
bool is_own_neighbor_both_ways(const Topology& grid, const Stencil& stencil)
{
    int narrow = 0;
    int own = 0;
    for (int k = 0; k < grid.dimensions(); ++k)
        narrow += grid.extent(k) == 1 ? 1 : 0;
    for (int i = 0; i < stencil.size(); ++i)
        own += hops(stencil, i) == 0 ? 1 : 0;
    return narrow > 0 && own >= 2 * narrow;
}

/// The given grid from which the candidate was made; null if there is none.
const Topology* given_grid(const std::vector<Candidate>& candidates, const Candidate& candidate)
{
    const GridOrigin found = candidate.found;
    if (found != GridOrigin::parent && found != GridOrigin::hint)
        return nullptr;
    for (const Candidate& each : candidates) // the first of a pattern is the one that was given
        if (found == each.found && each.topology.dims() == candidate.topology.dims())
            return &each.topology;
    return nullptr;
}

} // namespace

std::size_t words_for(std::size_t candidates) noexcept
{
    return (candidates + bits_of_word - 1) / bits_of_word;
}

std::int64_t hash_of(const std::vector<Candidate>& candidates) noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Candidate& candidate : candidates) {
        hash = mix(hash, static_cast<std::uint64_t>(candidate.found));
        for (int k = 0; k < candidate.topology.dimensions(); ++k)
            hash = mix(mix(hash, static_cast<std::uint64_t>(candidate.topology.extent(k))),
                       candidate.topology.periodic(k) ? 1 : 2);
    }
    return static_cast<std::int64_t>(hash >> 1);
}

std::vector<Candidate> in_all_patterns(const Topology& grid, GridOrigin found)
{
    std::vector<Candidate> candidates{{grid, found}};
    for (Topology& topology : with_periods(grid.dims(), true))
        if (!(topology == grid))
            candidates.push_back({std::move(topology), found});
    return candidates;
}

std::vector<Candidate> trusted_grids(int p, const std::optional<Topology>& parent, const std::optional<Topology>& set,
                                     const std::vector<Candidate>& hints)
{
    std::vector<Candidate> trusted;
    const auto add = [&trusted](const std::vector<Candidate>& more) {
        trusted.insert(trusted.end(), more.begin(), more.end());
    };
    if (parent && parent->size() == p)
        add(in_all_patterns(*parent, GridOrigin::parent));
    if (set && set->size() == p)
        add(in_all_patterns(*set, GridOrigin::hint));
    std::copy_if(hints.begin(), hints.end(), std::back_inserter(trusted),
                 [p](const Candidate& hint) { return hint.topology.size() == p; });
    return trusted;
}

std::vector<Candidate> larger_grids(int p, const std::optional<Topology>& parent, const std::optional<Topology>& set,
                                    const std::vector<Candidate>& hints)
{
    constexpr int most_times = 8; // memory is needed for each cell
    std::vector<Candidate> larger;
    const auto add = [&larger, p](const Topology& grid, GridOrigin found) {
        if (grid.size() > p && grid.size() / most_times < p)
            larger.push_back({grid, found});
    };
    if (parent)
        add(*parent, GridOrigin::parent);
    if (set)
        add(*set, GridOrigin::hint);
    for (const Candidate& hint : hints)
        add(hint.topology, hint.found);
    return larger;
}

std::vector<Candidate> inferred_grids(int p, bool all_patterns)
{
    SearchBudget enough(std::numeric_limits<std::size_t>::max());
    return inferred_grids(p, all_patterns, enough);
}

std::vector<Candidate> inferred_grids(int p, bool all_patterns, SearchBudget& budget)
{
    constexpr std::size_t most_factorizations = 8192;
    constexpr std::size_t most_grids = 16384;
    constexpr int most_dimensions = 6;
    constexpr std::size_t steps_of_grid = 6;
    const std::size_t payable = budget.left() / steps_of_grid;
    const std::size_t most = std::min(payable, most_grids);
    std::vector<Candidate> candidates;
    candidates.reserve(std::min<std::size_t>(most, static_cast<std::size_t>(std::max(p, 1))));
    bool full = false;
    for (const auto& dims : factorizations(p, most_dimensions, std::min(most + 1, most_factorizations))) {
        for (Topology& topology : with_periods(dims, all_patterns)) {
            if (all_patterns && topology.fully_periodic())
                continue; // tried before
            full = full || candidates.size() == most;
            if (!full)
                candidates.push_back({std::move(topology), GridOrigin::inferred});
        }
        if (full)
            break;
    }
    if (full && most == payable)
        budget.leave_out();
    budget.take(candidates.size() * steps_of_grid);
    return candidates;
}

Survivors like_root(const std::vector<Candidate>& candidates, int root, const std::vector<int>& root_destinations,
                    const Edges& own, SearchBudget& budget)
{
    LikeRoot like(root, root_destinations, own);
    return survivors_of(candidates, [&](std::size_t i) { return like.in(candidates[i].topology, budget); });
}

bool is_told_by(const Stencil& stencil, int most_neighbors)
{
    return rounds(stencil) < most_neighbors || stencil.size() <= 2 * most_neighbors;
}

std::size_t most_covered(std::size_t entries) noexcept
{
    constexpr std::size_t most = 1 << 18; // some milliseconds
    return entries == 0 ? 0 : most / entries;
}

Covers cover(const std::vector<Candidate>& candidates, const std::vector<std::vector<int>>& destinations,
             int most_neighbors, const Edges& own)
{
    Covers covers;
    covers.survivors = survivors_of(candidates, [&](std::size_t i) {
        const Topology& topology = candidates[i].topology;
        std::optional<Stencil> found = covering(topology, destinations);
        if (found && !is_told_by(*found, most_neighbors))
            found.reset();
        covers.stencils.push_back(found.value_or(Stencil()));
        return found && explains(topology, *found, own.rank, own.destinations, own.sources);
    });
    return covers;
}

std::optional<Explanation> best_explanation(const Survivors& survivors,
                                            const std::function<Stencil(std::size_t candidate)>& stencil_of)
{
    std::vector<std::size_t> candidates;
    std::vector<Stencil> stencils;
    for (std::size_t i = 0; i < survivors.size() * bits_of_word; ++i) {
        if ((survivors[i / bits_of_word] >> (i % bits_of_word) & 1) == 0)
            continue;
        candidates.push_back(i);
        stencils.push_back(stencil_of(i));
    }
    if (candidates.empty())
        return std::nullopt;
    const std::size_t winner = best(stencils);
    return Explanation{candidates[winner], sorted(stencils[winner])};
}

std::vector<bool> periods_to_show(const std::vector<Candidate>& candidates, std::size_t best, const Stencil& stencil)
{
    const Topology& grid = candidates[best].topology;
    const Topology* const given = given_grid(candidates, candidates[best]);
    std::vector<bool> periods = grid.periods();
    for (int k = 0; k < grid.dimensions(); ++k) {
        if (grid.extent(k) > 2 || !grid.periodic(k))
            continue;
        periods[static_cast<std::size_t>(k)] = given != nullptr      ? given->periodic(k)
                                               : grid.extent(k) == 1 ? is_own_neighbor_both_ways(grid, stencil)
                                                                     : steps_come_twice(stencil, k);
    }
    return periods;
}

} // namespace hopscotch::schedules
