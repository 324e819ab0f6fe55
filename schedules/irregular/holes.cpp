// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses the empty cells of a grid whose other cells have their ranks row by row, like the seas of an ocean model.
#include "schedules/irregular/holes.hpp"

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/stencil.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Place = std::vector<int>; // coordinates, from some origin; empty: not known

Place moved(const Place& from, const int* offset, int direction)
{
    Place to(from);
    for (std::size_t k = 0; k < to.size(); ++k)
        to[k] += direction * offset[k];
    return to;
}

/// Places the processes of a graph for one stencil, which must be symmetric and sorted.
class Placing
{
  public:
    Placing(const std::vector<std::vector<int>>& lists, Stencil stencil, std::size_t most_looks)
        : lists_(lists), stencil_(std::move(stencil)), looks_left_(most_looks), places_(lists.size())
    {
        for (std::size_t rank = 0; rank < lists.size(); ++rank)
            inner_.push_back(is_inner(static_cast<int>(rank)));
    }

    std::optional<Embedding> embedding()
    {
        place_inner_ones();
        if (taken_.empty())
            return std::nullopt;
        place_beside_inner_ones();
        while (place_beside_others(true) || place_beside_others(false))
            ;
        return in_a_box();
    }

  private:
    /// Whether the order of its neighbors is that of the stencil's offsets, as far as this process can tell.
    bool is_inner(int rank) const
    {
        const std::vector<int>& list = lists_[static_cast<std::size_t>(rank)];
        const auto t = static_cast<std::size_t>(stencil_.size());
        return list.size() == t && list[t / 2 - 1] == rank - 1 && list[t / 2] == rank + 1;
    }

    bool is_placed(int rank) const { return !places_[static_cast<std::size_t>(rank)].empty(); }

    void place(int rank, Place there)
    {
        taken_.insert(there);
        places_[static_cast<std::size_t>(rank)] = std::move(there);
    }

    /// The inner processes that name each other so, from `start` on.
    std::vector<std::pair<int, Place>> connected(int start, std::vector<bool>& seen) const
    {
        std::vector<std::pair<int, Place>> found{{start, Place(static_cast<std::size_t>(stencil_.dimensions()), 0)}};
        seen[static_cast<std::size_t>(start)] = true;
        for (std::size_t next = 0; next < found.size(); ++next) {
            const int rank = found[next].first;
            const Place here = found[next].second;
            const std::vector<int>& list = lists_[static_cast<std::size_t>(rank)];
            for (std::size_t i = 0; i < list.size(); ++i) {
                const auto other = static_cast<std::size_t>(list[i]);
                if (!inner_[other] || seen[other] || lists_[other][list.size() - 1 - i] != rank)
                    continue;
                seen[other] = true;
                found.push_back({list[i], moved(here, stencil_.offset(static_cast<int>(i)), 1)});
            }
        }
        return found;
    }

    /// Those of the largest group.
    void place_inner_ones()
    {
        std::vector<bool> seen(lists_.size());
        std::vector<std::pair<int, Place>> most;
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (inner_[rank] && !seen[rank])
                if (auto group = connected(static_cast<int>(rank), seen); group.size() > most.size())
                    most = std::move(group);
        for (auto& [rank, there] : most)
            if (taken_.count(there) == 0)
                place(rank, std::move(there));
    }

    /// Most of the inner ones beside a process agree where it is.
    void place_beside_inner_ones()
    {
        std::vector<std::map<Place, int>> votes(lists_.size());
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            for (std::size_t i = 0; inner_[rank] && is_placed(static_cast<int>(rank)) && i < lists_[rank].size(); ++i)
                ++votes[static_cast<std::size_t>(lists_[rank][i])]
                       [moved(places_[rank], stencil_.offset(static_cast<int>(i)), 1)];
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (!is_placed(static_cast<int>(rank)))
                place_by(votes[rank], static_cast<int>(rank), false);
    }

    /// Whether the ranks before and after it that have a place leave it this one.
    bool keeps_order(int rank, const Place& there) const
    {
        for (int before = rank - 1; before >= 0; --before)
            if (is_placed(before)) {
                if (!(places_[static_cast<std::size_t>(before)] < there))
                    return false;
                break;
            }
        for (std::size_t after = static_cast<std::size_t>(rank) + 1; after < places_.size(); ++after)
            if (!places_[after].empty())
                return there < places_[after];
        return true;
    }

    /// The place for which most speak, or, if it must be `certain`, all.
    bool place_by(const std::map<Place, int>& votes, int rank, bool certain, int voters = 0)
    {
        const Place* best = nullptr;
        int most = 0;
        int as_many = 0;
        for (const auto& [there, number] : votes) {
            if (number < most || taken_.count(there) > 0 || !keeps_order(rank, there))
                continue;
            as_many = number == most ? as_many + 1 : 1;
            if (number > most)
                best = &there;
            most = number;
        }
        if (best == nullptr || (certain && (as_many > 1 || most < voters)))
            return false;
        place(rank, *best);
        return true;
    }

    /// Those with neighbors that have a place; whether there were any.
    bool place_beside_others(bool certain)
    {
        bool any = false;
        for (std::size_t rank = 0; rank < lists_.size(); ++rank) {
            if (is_placed(static_cast<int>(rank)))
                continue;
            std::map<Place, int> votes;
            int voters = 0;
            for (const int other : lists_[rank]) {
                if (!is_placed(other))
                    continue;
                const auto looks = static_cast<std::size_t>(stencil_.size());
                if (looks_left_ < looks)
                    return false;
                looks_left_ -= looks;
                ++voters;
                for (int i = 0; i < stencil_.size(); ++i)
                    ++votes[moved(places_[static_cast<std::size_t>(other)], stencil_.offset(i), -1)];
            }
            any = place_by(votes, static_cast<int>(rank), certain, voters) || any;
            if (any && !certain)
                return true; // it may make others certain
        }
        return any;
    }

    /// The smallest box around all places, with more rows where processes without a place do not fit in.
    std::optional<Embedding> in_a_box() const
    {
        const auto d = static_cast<std::size_t>(stencil_.dimensions());
        Place least(*taken_.begin());
        Place most(least);
        for (const Place& there : taken_)
            for (std::size_t k = 0; k < d; ++k) {
                least[k] = std::min(least[k], there[k]);
                most[k] = std::max(most[k], there[k]);
            }
        std::vector<int> extents;
        long long row = 1;
        for (std::size_t k = 0; k < d; ++k) {
            extents.push_back(most[k] - least[k] + 1);
            row *= k > 0 ? extents[k] : 1;
        }
        const auto processes = static_cast<long long>(lists_.size());
        if (row * extents[0] > 4 * processes)
            return std::nullopt;
        extents[0] = static_cast<int>(std::max<long long>(extents[0], (processes + row - 1) / row));
        Embedding result{Lattice(extents), std::vector<int>(lists_.size(), no_rank), "inferred"};
        std::vector<bool> full(static_cast<std::size_t>(result.cells.size()));
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (!places_[rank].empty()) {
                Place there = moved(places_[rank], least.data(), -1);
                result.cell_of_rank[rank] = result.cells.reduce(there.data());
                full[static_cast<std::size_t>(result.cell_of_rank[rank])] = true;
            }
        std::size_t free = 0;
        for (int& cell : result.cell_of_rank)
            if (cell == no_rank) {
                while (full[free])
                    ++free;
                cell = static_cast<int>(free);
                full[free] = true;
            }
        return result;
    }

    const std::vector<std::vector<int>>& lists_; // increasing, each neighbor once
    Stencil stencil_;
    std::size_t looks_left_;
    std::vector<bool> inner_;
    std::vector<Place> places_;
    std::set<Place> taken_;
};

std::vector<Stencil> common_stencils(std::size_t neighbors)
{
    constexpr int most_dimensions = 4;
    std::vector<Stencil> found;
    for (int d = 1; d <= most_dimensions; ++d)
        for (int radius = 1; radius <= 2; ++radius)
            for (Stencil stencil : {moore(d, radius), star(d, radius)})
                if (static_cast<std::size_t>(stencil.size()) == neighbors)
                    found.push_back(sorted(stencil));
    return found;
}

} // namespace

std::vector<Embedding> around_holes(const std::vector<std::vector<int>>& destinations, std::size_t most_looks)
{
    std::vector<std::vector<int>> lists;
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < destinations.size(); ++rank) {
        lists.push_back(distinct_others(destinations[rank], static_cast<int>(rank)));
        most = std::max(most, lists.back().size());
    }
    std::vector<Embedding> result;
    for (const Stencil& stencil : common_stencils(most))
        if (std::optional<Embedding> found = Placing(lists, stencil, most_looks).embedding())
            result.push_back(std::move(*found));
    return result;
}

} // namespace hopscotch::schedules
