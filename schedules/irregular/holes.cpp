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
using CellNumber = std::int64_t;

/// The format of coordinates in a CellNumber. Coordinates too far away are read as others: a wrong guess.
class Places
{
  public:
    explicit Places(int dimensions) : bits_(62 / dimensions), coordinates_(static_cast<std::size_t>(dimensions)) {}

    CellNumber at(const int* coordinates) const
    {
        CellNumber result = 0;
        for (std::size_t k = 0; k < coordinates_; ++k)
            result = result * (CellNumber{1} << bits_) + coordinates[k];
        return result;
    }

    void coordinates(CellNumber place, CellNumber* coordinates) const
    {
        const CellNumber base = CellNumber{1} << bits_;
        for (std::size_t k = coordinates_; k-- > 0;) {
            const CellNumber digit = k > 0 ? ((place + base / 2) & (base - 1)) - base / 2 : place;
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
    void add(CellNumber place) { new_.push_back(place); }

    /// A number for each place.
    const std::vector<std::pair<CellNumber, int>>& counted()
    {
        if (new_.empty())
            return counts_;
        std::sort(new_.begin(), new_.end());
        std::vector<std::pair<CellNumber, int>> all;
        auto old = counts_.begin();
        for (std::size_t i = 0; i < new_.size();) {
            for (; old != counts_.end() && old->first < new_[i]; ++old)
                all.push_back(*old);
            int times = 0;
            if (old != counts_.end() && old->first == new_[i])
                times = old++->second;
            const CellNumber place = new_[i];
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
    std::vector<std::pair<CellNumber, int>> counts_;
    std::vector<CellNumber> new_;
};

/// Places the processes of a graph for one stencil, which must be symmetric and sorted.
class Placing
{
  public:
    Placing(const std::vector<std::vector<int>>& lists, const Stencil& stencil, SearchBudget& budget)
        : lists_(lists), stencil_(stencil), budget_(budget), layout_(stencil.dimensions()), places_(lists.size()),
          is_placed_(lists.size())
    {
        for (int i = 0; i < stencil.size(); ++i)
            offsets_.push_back(layout_.at(stencil.offset(i)));
        for (std::size_t rank = 0; rank < lists.size(); ++rank) {
            inner_.push_back(is_inner(static_cast<int>(rank)));
            edges_ += lists[rank].size();
        }
    }

    std::optional<Embedding> embedding()
    {
        place_inner_ones();
        if (taken_.empty())
            return std::nullopt;
        place_beside_inner_ones();
        place_others();
        constexpr int most_trials = 4;
        for (int i = 0; i < most_trials && place_again(); ++i)
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

    void place(std::size_t rank, CellNumber there)
    {
        taken_.insert(there);
        places_[rank] = there;
        is_placed_[rank] = true;
    }

    /// The inner processes that name each other so, from `start` on.
    std::vector<std::pair<int, CellNumber>> connected(int start, std::vector<bool>& seen) const
    {
        std::vector<std::pair<int, CellNumber>> found{{start, 0}};
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
        std::vector<std::pair<int, CellNumber>> most;
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
                if (const Guess found = guess(votes[rank], rank); found.votes > 0)
                    place(rank, found.there);
    }

    /// The likeliest place of a process.
    struct Guess {
        CellNumber there = 0;
        int votes = 0;
        int as_likely = 0; // places with as many votes
    };

    /// The place with the most votes; the placed ranks before and after it must leave this place to it.
    Guess guess(Votes& votes, std::size_t rank)
    {
        const std::vector<std::pair<CellNumber, int>>& counts = votes.counted();
        std::size_t before = rank;
        while (before > 0 && !is_placed_[before - 1])
            --before;
        std::size_t after = rank + 1;
        while (after < lists_.size() && !is_placed_[after])
            ++after;
        budget_.take(counts.size() / 8 + (after - before) / 8 + 1);
        Guess best;
        for (const auto& [there, number] : counts) {
            const bool keeps_order =
                (before == 0 || places_[before - 1] < there) && (after == lists_.size() || there < places_[after]);
            if (number < best.votes || !keeps_order || taken_.count(there) > 0)
                continue;
            if (number > best.votes)
                best = {there, number, 0};
            ++best.as_likely;
        }
        return best;
    }

    /// The cell of a process votes for the cells of the processes around it.
    void tell_neighbors(std::size_t rank)
    {
        for (const int other : lists_[rank]) {
            const auto neighbor = static_cast<std::size_t>(other);
            if (is_placed_[neighbor] || !budget_.take(offsets_.size()))
                continue;
            ++voters_[neighbor];
            for (const CellNumber offset : offsets_)
                votes_[neighbor].add(places_[rank] - offset);
        }
    }

    /// Places processes all of whose placed neighbors agree, or else the one with the best reasons; false if none is
    /// left.
    bool place_beside_others()
    {
        bool any = false;
        Guess best;
        std::size_t best_rank = 0;
        for (std::size_t rank = 0; rank < lists_.size(); ++rank) {
            if (is_placed_[rank] || voters_[rank] == 0)
                continue;
            if (budget_.has_left_out())
                return false;
            const Guess found = guess(votes_[rank], rank);
            if (found.votes == 0)
                continue;
            if (found.as_likely > 1 || found.votes < voters_[rank]) {
                if (found.votes > best.votes) {
                    best = found;
                    best_rank = rank;
                }
                continue;
            }
            place(rank, found.there);
            tell_neighbors(rank);
            any = true;
        }
        if (!any && best.votes > 0) {
            place(best_rank, best.there);
            tell_neighbors(best_rank);
            any = true;
        }
        return any;
    }

    /// Moves processes to free places beside more of their neighbors; true if there were any. Counts the neighbors of
    /// all around their places before.
    bool move_to_more_neighbors()
    {
        bool any = false;
        around_ = 0;
        for (std::size_t rank = 0; rank < lists_.size() && budget_.take(lists_[rank].size() / 4 + 1); ++rank) {
            const std::size_t here = neighbors_around(rank);
            around_ += here;
            const bool is_at_home = !is_placed_[rank] || here == lists_[rank].size();
            if (is_at_home || !budget_.take(lists_[rank].size() * offsets_.size()))
                continue;
            Votes votes;
            for (const int other : lists_[rank])
                for (std::size_t i = 0; is_placed_[static_cast<std::size_t>(other)] && i < offsets_.size(); ++i)
                    votes.add(places_[static_cast<std::size_t>(other)] - offsets_[i]);
            auto most = static_cast<int>(here);
            CellNumber best = places_[rank];
            for (const auto& [there, number] : votes.counted())
                if (number > most && taken_.count(there) == 0) {
                    most = number;
                    best = there;
                }
            any = any || best != places_[rank];
            taken_.erase(places_[rank]);
            place(rank, best);
        }
        return any;
    }

    /// The number of neighbors that lie in the stencil around a process; 0 without a place.
    std::size_t neighbors_around(std::size_t rank) const
    {
        const auto is_around = [this, rank](int other) {
            const auto neighbor = static_cast<std::size_t>(other);
            const CellNumber offset = places_[neighbor] - places_[rank];
            return is_placed_[neighbor] && std::binary_search(offsets_.begin(), offsets_.end(), offset);
        };
        const std::vector<int>& list = lists_[rank];
        return is_placed_[rank] ? static_cast<std::size_t>(std::count_if(list.begin(), list.end(), is_around)) : 0;
    }

    /// True if the places explain half of the edges.
    bool are_likely() const noexcept { return around_ * 2 >= edges_; }

    /// Places all others as well as it can.
    void place_others()
    {
        votes_.assign(lists_.size(), {});
        voters_.assign(lists_.size(), 0);
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (is_placed_[rank])
                tell_neighbors(rank);
        while (place_beside_others())
            ;
        around_ = 0;
        for (std::size_t rank = 0; rank < lists_.size() && budget_.take(lists_[rank].size() / 4 + 1); ++rank)
            around_ += neighbors_around(rank);
        for (bool any = are_likely(); any;)
            any = move_to_more_neighbors();
    }

    /// Places those once more that lack more than a quarter of their neighbors; false, and all as before, if that does
    /// not help.
    bool place_again()
    {
        if (!are_likely())
            return false;
        const std::vector<CellNumber> places = places_;
        const std::vector<bool> is_placed = is_placed_;
        const std::unordered_set<CellNumber> taken = taken_;
        const std::size_t before = around_;
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (is_placed_[rank] && neighbors_around(rank) * 4 < lists_[rank].size() * 3) {
                is_placed_[rank] = false;
                taken_.erase(places_[rank]);
            }
        place_others();
        if (around_ > before)
            return true;
        places_ = places;
        is_placed_ = is_placed;
        taken_ = taken;
        return false;
    }

    /// The smallest box around all places, with more rows if processes without a place do not fit in.
    std::optional<Embedding> in_a_box() const
    {
        const auto d = static_cast<std::size_t>(stencil_.dimensions());
        std::vector<CellNumber> least(d, std::numeric_limits<CellNumber>::max());
        std::vector<CellNumber> most(d, std::numeric_limits<CellNumber>::min());
        std::vector<CellNumber> there(d);
        for (std::size_t rank = 0; rank < lists_.size(); ++rank) {
            if (!is_placed_[rank])
                continue;
            layout_.coordinates(places_[rank], there.data());
            for (std::size_t k = 0; k < d; ++k) {
                least[k] = std::min(least[k], there[k]);
                most[k] = std::max(most[k], there[k]);
            }
        }
        const auto processes = static_cast<CellNumber>(lists_.size());
        std::vector<int> extents;
        CellNumber cells = 1;
        for (std::size_t k = 0; k < d; ++k) {
            const CellNumber extent = most[k] - least[k] + 1;
            if (extent > 4 * processes / cells)
                return std::nullopt;
            extents.push_back(static_cast<int>(extent));
            cells *= extent;
        }
        const CellNumber row = cells / extents[0];
        extents[0] = static_cast<int>(std::max<CellNumber>(extents[0], (processes + row - 1) / row));
        Embedding result{Lattice(extents), std::vector<int>(lists_.size(), no_rank), GridOrigin::inferred};
        std::vector<bool> full(static_cast<std::size_t>(result.cells.size()));
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (is_placed_[rank]) {
                layout_.coordinates(places_[rank], there.data());
                CellNumber cell = 0;
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
    std::vector<CellNumber> offsets_; // offsets of the stencil
    std::vector<bool> inner_;
    std::vector<CellNumber> places_;
    std::vector<bool> is_placed_;
    std::vector<Votes> votes_;
    std::vector<int> voters_; // neighbors that have told it
    std::unordered_set<CellNumber> taken_;
    std::size_t edges_ = 0;
    std::size_t around_ = 0; // edges between processes at places beside each other
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
