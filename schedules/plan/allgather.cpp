// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/allgather.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/combining.hpp"

#include <cstddef>
#include <limits>

namespace hopscotch::schedules
{

namespace
{

constexpr int none = -1;

/// Counts, for every set of dimensions, the edges that one of them adds when it is travelled last of the set.
/// Sets are bit masks of dimensions.
class TreeEdges
{
  public:
    explicit TreeEdges(const Stencil& stencil)
        : dimensions_(static_cast<std::size_t>(stencil.dimensions())),
          edges_((std::size_t{1} << dimensions_) * dimensions_, 0)
    {
        for (std::size_t k = 0; k < dimensions_; ++k) {
            shifts_.push_back(shifts_along(stencil, static_cast<int>(k)));
            orders_.push_back(identity(stencil.size()));
            sort_by(orders_.back(), shifts_.back());
        }
        const std::vector<int> all_equal(static_cast<std::size_t>(stencil.size()), 0);
        for (std::size_t k = 0; k < dimensions_; ++k)
            visit(0, all_equal, k);
    }

    int edges(std::size_t set, std::size_t last) const { return edges_[set * dimensions_ + last]; }

  private:
    /// `prefix` numbers the distinct projections of the offsets on the set; adds dimension k, then those behind it.
    void visit(std::size_t set, const std::vector<int>& prefix, std::size_t k)
    {
        set |= std::size_t{1} << k;
        std::vector<int> order = orders_[k];
        sort_by(order, prefix);
        std::vector<int> projection(order.size());
        int number = none;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int b = order[i];
            if (i == 0 || prefix[b] != prefix[order[i - 1]] || shifts_[k][b] != shifts_[k][order[i - 1]]) {
                ++number;
                count(set, b);
            }
            projection[b] = number;
        }
        for (std::size_t next = k + 1; next < dimensions_; ++next)
            visit(set, projection, next);
    }

    void count(std::size_t set, int b)
    {
        for (std::size_t last = 0; last < dimensions_; ++last)
            if ((set >> last & 1) != 0 && shifts_[last][b] != 0)
                ++edges_[set * dimensions_ + last];
    }

    std::size_t dimensions_;
    std::vector<std::vector<int>> shifts_;
    std::vector<std::vector<int>> orders_; // per dimension: the offsets by their shift
    std::vector<int> edges_;
};

} // namespace

int tree_volume(const Stencil& stencil, const std::vector<int>& dimension_order)
{
    return total(tree_loads(route_along(stencil, dimension_order), stencil.size())).blocks;
}

std::vector<int> best_dimension_order(const Stencil& stencil)
{
    constexpr int most_compared = 6;
    if (stencil.dimensions() > most_compared)
        return dimensions_by_rounds(stencil);
    const TreeEdges counts(stencil);
    const auto dimensions = static_cast<std::size_t>(stencil.dimensions());
    const std::size_t all = (std::size_t{1} << dimensions) - 1;
    // remaining[set]: the fewest edges of the dimensions still to come once those of the set are travelled.
    std::vector<int> remaining(all + 1, 0);
    std::vector<std::size_t> next(all + 1, 0);
    for (std::size_t set = all; set-- > 0;) {
        remaining[set] = std::numeric_limits<int>::max();
        for (std::size_t k = 0; k < dimensions; ++k) {
            const std::size_t with = set | std::size_t{1} << k;
            if (with == set || counts.edges(with, k) + remaining[with] >= remaining[set])
                continue;
            remaining[set] = counts.edges(with, k) + remaining[with];
            next[set] = k;
        }
    }
    std::vector<int> order;
    for (std::size_t set = 0; set != all; set |= std::size_t{1} << next[set])
        order.push_back(static_cast<int>(next[set]));
    return order;
}

Schedule global_allgather(const Topology& grid, int rank)
{
    const int dimensions = grid.dimensions();
    const Topology torus(grid.dims(), std::vector<bool>(static_cast<std::size_t>(dimensions), true));
    std::vector<int> offset(static_cast<std::size_t>(dimensions));
    Stencil everyone(dimensions, {});
    for (int other = 0; other < torus.size(); ++other) {
        torus.coordinates(other, offset.data());
        for (int k = 0; k < dimensions; ++k)
            offset[static_cast<std::size_t>(k)] = torus.canonical_shift(k, offset[static_cast<std::size_t>(k)]);
        everyone.append(offset.data());
    }
    const Neighborhood placed = place(torus, sorted(everyone), edges_to_everyone(torus.size(), rank));
    return combining_allgather(placed, route_by_bits(placed.stencil, torus));
}

} // namespace hopscotch::schedules
