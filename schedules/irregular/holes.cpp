// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses the empty cells of a grid, like the seas of an ocean model; the other cells have their ranks row by row.
#include "schedules/irregular/holes.hpp"

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/stencil.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// Coordinates from some origin as one number, which increases row by row; offsets have the same form.
using Place = std::int64_t;

/// The format of coordinates in a place. Coordinates too far away are read as others: a wrong guess.
class Places
{
  public:
    explicit Places(int dimensions) : bits_(62 / dimensions), coordinates_(static_cast<std::size_t>(dimensions)) {}

    Place at(const int* coordinates) const
    {
        Place result = 0;
        for (std::size_t k = 0; k < coordinates_; ++k)
            result = result * (Place{1} << bits_) + coordinates[k];
        return result;
    }

    void coordinates(Place place, Place* coordinates) const
    {
        const Place base = Place{1} << bits_;
        for (std::size_t k = coordinates_; k-- > 0;) {
            const Place digit = k > 0 ? ((place + base / 2) & (base - 1)) - base / 2 : place;
            coordinates[k] = digit;
            place = k > 0 ? (place - digit) / base : 0;
        }
    }

  private:
    int bits_; // bits of each coordinate
    std::size_t coordinates_;
};

/// The number of votes for each place, sorted by place.
class Votes
{
  public:
    void add(Place place) { new_.push_back(place); }

    /// A number for each place.
    const std::vector<std::pair<Place, int>>& counted()
    {
        if (new_.empty())
            return counts_;
        std::sort(new_.begin(), new_.end());
        std::vector<std::pair<Place, int>> all;
        auto old = counts_.begin();
        for (std::size_t i = 0; i < new_.size();) {
            for (; old != counts_.end() && old->first < new_[i]; ++old)
                all.push_back(*old);
            int times = 0;
            if (old != counts_.end() && old->first == new_[i])
                times = old++->second;
            const Place place = new_[i];
            for (; i < new_.size() && new_[i] == place; ++i)
                ++times;
            all.push_back({place, times});
        }
        all.insert(all.end(), old, counts_.end());
        counts_ = std::move(all);
        new_.clear();
        return counts_;
    }

  private:
    std::vector<std::pair<Place, int>> counts_;
    std::vector<Place> new_;
};

/// Places the processes of a graph for one stencil, which must be symmetric and sorted.
class Placing
{
  public:
    Placing(const std::vector<std::vector<int>>& lists, const Stencil& stencil, SearchBudget& budget)
        : lists_(lists), stencil_(stencil), budget_(budget), layout_(stencil.dimensions()), places_(lists.size()),
          is_placed_(lists.size()), votes_(lists.size()), voters_(lists.size())
    {
        for (int i = 0; i < stencil.size(); ++i)
            offsets_.push_back(layout_.at(stencil.offset(i)));
        for (std::size_t rank = 0; rank < lists.size(); ++rank)
            inner_.push_back(is_inner(static_cast<int>(rank)));
    }

    std::optional<Embedding> embedding()
    {
        place_inner_ones();
        if (taken_.empty())
            return std::nullopt;
        place_beside_inner_ones();
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (is_placed_[rank])
                tell_neighbors(rank);
        while (place_beside_others(true) || place_beside_others(false))
            ;
        return in_a_box();
    }

  private:
    /// True if the order of its neighbors is that of the stencil's offsets, as far as this process can tell.
    bool is_inner(int rank) const
    {
        const std::vector<int>& list = lists_[static_cast<std::size_t>(rank)];
        const std::size_t t = offsets_.size();
        return list.size() == t && list[t / 2 - 1] == rank - 1 && list[t / 2] == rank + 1;
    }

    void place(std::size_t rank, Place there)
    {
        taken_.insert(there);
        places_[rank] = there;
        is_placed_[rank] = true;
    }

    /// The inner processes that name each other so, from `start` on.
    std::vector<std::pair<int, Place>> connected(int start, std::vector<bool>& seen) const
    {
        std::vector<std::pair<int, Place>> found{{start, 0}};
        seen[static_cast<std::size_t>(start)] = true;
        for (std::size_t next = 0; next < found.size(); ++next) {
            const auto [rank, here] = found[next];
            const std::vector<int>& list = lists_[static_cast<std::size_t>(rank)];
            for (std::size_t i = 0; i < list.size(); ++i) {
                const auto other = static_cast<std::size_t>(list[i]);
                if (!inner_[other] || seen[other] || lists_[other][list.size() - 1 - i] != rank)
                    continue;
                seen[other] = true;
                found.push_back({list[i], here + offsets_[i]});
            }
        }
        return found;
    }

    /// Places the inner processes of the largest group.
    void place_inner_ones()
    {
        std::vector<bool> seen(lists_.size());
        std::vector<std::pair<int, Place>> most;
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (inner_[rank] && !seen[rank])
                if (auto group = connected(static_cast<int>(rank), seen); group.size() > most.size())
                    most = std::move(group);
        for (const auto& [rank, there] : most)
            if (taken_.count(there) == 0)
                place(static_cast<std::size_t>(rank), there);
    }

    /// Places a process beside inner ones if most of them agree on its place.
    void place_beside_inner_ones()
    {
        std::vector<Votes> votes(lists_.size());
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            for (std::size_t i = 0; inner_[rank] && is_placed_[rank] && i < lists_[rank].size(); ++i)
                votes[static_cast<std::size_t>(lists_[rank][i])].add(places_[rank] + offsets_[i]);
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (!is_placed_[rank])
                place_by(votes[rank], rank, false);
    }

    /// The place with the most votes, or, if it must be `certain`, with all; the placed ranks before and after it must
    /// leave this place to it.
    bool place_by(Votes& votes, std::size_t rank, bool certain)
    {
        const std::vector<std::pair<Place, int>>& counts = votes.counted();
        std::size_t before = rank;
        while (before > 0 && !is_placed_[before - 1])
            --before;
        std::size_t after = rank + 1;
        while (after < lists_.size() && !is_placed_[after])
            ++after;
        budget_.take(counts.size() / 8 + (after - before) / 8 + 1);
        Place best = 0;
        int most = 0;
        int as_many = 0;
        for (const auto& [there, number] : counts) {
            const bool keeps_order =
                (before == 0 || places_[before - 1] < there) && (after == lists_.size() || there < places_[after]);
            if (number < most || !keeps_order || taken_.count(there) > 0)
                continue;
            as_many = number == most ? as_many + 1 : 1;
            if (number > most)
                best = there;
            most = number;
        }
        if (most == 0 || (certain && (as_many > 1 || most < voters_[rank])))
            return false;
        place(rank, best);
        return true;
    }

    /// Its place speaks for those around it.
    void tell_neighbors(std::size_t rank)
    {
        for (const int other : lists_[rank]) {
            const auto neighbor = static_cast<std::size_t>(other);
            if (is_placed_[neighbor] || !budget_.take(offsets_.size()))
                continue;
            ++voters_[neighbor];
            for (const Place offset : offsets_)
                votes_[neighbor].add(places_[rank] - offset);
        }
    }

    /// Places processes beside placed neighbors; true if there were any.
    bool place_beside_others(bool certain)
    {
        bool any = false;
        for (std::size_t rank = 0; rank < lists_.size(); ++rank) {
            if (is_placed_[rank] || voters_[rank] == 0)
                continue;
            if (budget_.has_left_out())
                return false;
            if (!place_by(votes_[rank], rank, certain))
                continue;
            tell_neighbors(rank);
            if (!certain)
                return true; // it may make others certain
            any = true;
        }
        return any;
    }

    /// The smallest box around all places, with more rows if processes without a place do not fit in.
    std::optional<Embedding> in_a_box() const
    {
        const auto d = static_cast<std::size_t>(stencil_.dimensions());
        std::vector<Place> least(d, std::numeric_limits<Place>::max());
        std::vector<Place> most(d, std::numeric_limits<Place>::min());
        std::vector<Place> there(d);
        for (std::size_t rank = 0; rank < lists_.size(); ++rank) {
            if (!is_placed_[rank])
                continue;
            layout_.coordinates(places_[rank], there.data());
            for (std::size_t k = 0; k < d; ++k) {
                least[k] = std::min(least[k], there[k]);
                most[k] = std::max(most[k], there[k]);
            }
        }
        const auto processes = static_cast<Place>(lists_.size());
        std::vector<int> extents;
        Place cells = 1;
        for (std::size_t k = 0; k < d; ++k) {
            const Place extent = most[k] - least[k] + 1;
            if (extent > 4 * processes / cells)
                return std::nullopt;
            extents.push_back(static_cast<int>(extent));
            cells *= extent;
        }
        const Place row = cells / extents[0];
        extents[0] = static_cast<int>(std::max<Place>(extents[0], (processes + row - 1) / row));
        Embedding result{Lattice(extents), std::vector<int>(lists_.size(), no_rank), "inferred"};
        std::vector<bool> full(static_cast<std::size_t>(result.cells.size()));
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (is_placed_[rank]) {
                layout_.coordinates(places_[rank], there.data());
                Place cell = 0;
                for (std::size_t k = 0; k < d; ++k)
                    cell = cell * extents[k] + there[k] - least[k];
                result.cell_of_rank[rank] = static_cast<int>(cell);
                full[static_cast<std::size_t>(cell)] = true;
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
    const Stencil& stencil_;
    SearchBudget& budget_;
    Places layout_;
    std::vector<Place> offsets_; // offsets of the stencil
    std::vector<bool> inner_;
    std::vector<Place> places_;
    std::vector<bool> is_placed_;
    std::vector<Votes> votes_;
    std::vector<int> voters_; // neighbors that have told it
    std::unordered_set<Place> taken_;
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

std::vector<Embedding> around_holes(const std::vector<std::vector<int>>& destinations, SearchBudget& budget)
{
    std::size_t entries = 0;
    for (const std::vector<int>& list : destinations)
        entries += list.size();
    if (!budget.take(entries))
        return {};
    std::vector<std::vector<int>> lists;
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < destinations.size(); ++rank) {
        lists.push_back(distinct_others(destinations[rank], static_cast<int>(rank)));
        most = std::max(most, lists.back().size());
    }
    std::vector<Embedding> result;
    for (const Stencil& stencil : common_stencils(most))
        if (std::optional<Embedding> found = Placing(lists, stencil, budget).embedding())
            result.push_back(std::move(*found));
    return result;
}

} // namespace hopscotch::schedules
