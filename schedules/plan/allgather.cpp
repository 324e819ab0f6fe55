// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The message-combining schedule of neighborhood allgather: one routing tree, the best dimension order.
#include "schedules/plan/allgather.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/block_mask.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace hopscotch::schedules
{

namespace
{

constexpr int none = -1;

/// The routing tree as the sorted list of its leaves: the node of level k + 1 that leaf i belongs to begins at the last
/// leaf j <= i with branches_at(j) <= k.
class Tree
{
  public:
    Tree(const Stencil& stencil, std::vector<int> dimension_order)
        : stencil_(stencil), dimension_order_(std::move(dimension_order)),
          leaves_(lexicographic_order(stencil, dimension_order_)), branch_(leaves_.size(), 0)
    {
        for (std::size_t i = 1; i < leaves_.size(); ++i)
            while (branch_[i] < levels() && shift(i, branch_[i]) == shift(i - 1, branch_[i]))
                ++branch_[i];
    }

    int levels() const noexcept { return static_cast<int>(dimension_order_.size()); }
    std::size_t size() const noexcept { return leaves_.size(); }
    int dimension(int level) const noexcept { return dimension_order_[level]; }
    int block(std::size_t leaf) const noexcept { return leaves_[leaf]; }

    /// Step from level to level + 1 on the path to the leaf.
    int shift(std::size_t leaf, int level) const noexcept
    {
        return stencil_.shift(leaves_[leaf], dimension_order_[level]);
    }

    /// First level at which the leaf's path leaves that of the leaf before it; levels() for a repeated offset.
    int branches_at(std::size_t leaf) const noexcept { return branch_[leaf]; }

  private:
    const Stencil& stencil_;
    std::vector<int> dimension_order_;
    std::vector<int> leaves_;
    std::vector<int> branch_;
};

std::vector<int> checked_order(const Stencil& stencil, const std::vector<int>& dimension_order)
{
    if (static_cast<int>(dimension_order.size()) != stencil.dimensions() || !is_permutation(dimension_order))
        throw std::invalid_argument("allgather: the dimension order is no permutation of " +
                                    std::to_string(stencil.dimensions()) + " dimensions");
    return dimension_order;
}

/// Walks the tree level by level and writes down what one process does.
class Planner
{
  public:
    Planner(const Neighborhood& neighborhood, const std::vector<int>& dimension_order)
        : neighborhood_(neighborhood),
          tree_(neighborhood.stencil, checked_order(neighborhood.stencil, dimension_order)), mask_(neighborhood),
          rest_(tree_.size(), Slot{Place::send, 0}), last_(tree_.size(), none)
    {
        for (std::size_t leaf = 0; leaf < tree_.size(); ++leaf)
            for (int level = 0; level < tree_.levels(); ++level)
                if (tree_.shift(leaf, level) != 0)
                    last_[leaf] = level;
    }

    Schedule plan()
    {
        for (std::size_t leaf = 0; leaf < tree_.size(); ++leaf)
            if (last_[leaf] == none && mask_.holds(tree_.block(leaf)))
                schedule_.copies.push_back({rest_[leaf], target(leaf)});
        for (int level = 0; level < tree_.levels(); ++level)
            plan_phase(level);
        return std::move(schedule_);
    }

  private:
    /// A node of the tree reached by a step: the leaves below it.
    struct Child {
        std::size_t begin;
        std::size_t end;
    };

    Slot target(std::size_t leaf) const { return {Place::receive, neighborhood_.receive_slot[tree_.block(leaf)]}; }

    void plan_phase(int level)
    {
        std::vector<Child> children;
        std::vector<int> shifts;
        std::size_t end = 0;
        for (std::size_t begin = 0; begin < tree_.size(); begin = end) {
            for (end = begin + 1; end < tree_.size() && tree_.branches_at(end) > level;)
                ++end;
            if (tree_.shift(begin, level) == 0)
                continue;
            children.push_back({begin, end});
            shifts.push_back(tree_.shift(begin, level));
        }
        if (children.empty())
            return;
        std::vector<int> order = identity(static_cast<int>(children.size()));
        sort_by(order, shifts);
        const BlockMask before = mask_;
        mask_.travel(tree_.dimension(level));
        Phase phase;
        for (std::size_t i = 0; i < order.size();) {
            Round round;
            round.first_arrival = schedule_.arrivals;
            const int shift = shifts[order[i]];
            for (; i < order.size() && shifts[order[i]] == shift; ++i)
                add(round, children[order[i]], level, before);
            set_peers(round, tree_.dimension(level), shift);
            if (round.destination != no_rank || round.source != no_rank)
                phase.rounds.push_back(std::move(round));
        }
        schedule_.phases.push_back(std::move(phase));
    }

    /// The step to one child: this process sends it on when a target below the child remains inside the grid, and gets
    /// its own from the other side likewise.
    void add(Round& round, const Child& child, int level, const BlockMask& before)
    {
        bool leaves = false;
        bool arrives = false;
        for (std::size_t leaf = child.begin; leaf < child.end; ++leaf) {
            leaves = leaves || before.holds(tree_.block(leaf));
            arrives = arrives || mask_.holds(tree_.block(leaf));
        }
        if (leaves)
            round.sends.push_back(rest_[child.begin]);
        if (!arrives)
            return;
        const Slot arrival{Place::transit, schedule_.arrivals++};
        ++round.arrivals;
        for (std::size_t leaf = child.begin; leaf < child.end; ++leaf) {
            rest_[leaf] = arrival;
            if (last_[leaf] == level && mask_.holds(tree_.block(leaf)))
                round.deliveries.push_back({arrival, target(leaf)});
        }
    }

    void set_peers(Round& round, int k, int shift) const
    {
        if (!round.sends.empty())
            round.destination = neighborhood_.process(k, shift);
        if (round.arrivals > 0)
            round.source = neighborhood_.process(k, -shift);
    }

    const Neighborhood& neighborhood_;
    Tree tree_;
    BlockMask mask_;
    std::vector<Slot> rest_; // per leaf: where the block of the node above it rests here now
    std::vector<int> last_;  // per leaf: the last level with a step
    Schedule schedule_;
};

/// Counts, for every set of dimensions, the edges that one of them adds when it is travelled last of the set.
/// Sets are bit masks of dimensions.
class EdgeCounts
{
  public:
    explicit EdgeCounts(const Stencil& stencil)
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
    const Tree tree(stencil, checked_order(stencil, dimension_order));
    int edges = 0;
    for (std::size_t leaf = 0; leaf < tree.size(); ++leaf)
        for (int level = tree.branches_at(leaf); level < tree.levels(); ++level)
            edges += tree.shift(leaf, level) != 0 ? 1 : 0;
    return edges;
}

std::vector<int> best_dimension_order(const Stencil& stencil)
{
    constexpr int most_compared = 6;
    if (stencil.dimensions() > most_compared)
        return dimensions_by_rounds(stencil);
    const EdgeCounts counts(stencil);
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

Schedule combining_allgather(const Neighborhood& neighborhood, const std::vector<int>& dimension_order)
{
    return Planner(neighborhood, dimension_order).plan();
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
    return combining_allgather(place(torus, sorted(everyone), edges_to_everyone(torus.size(), rank)),
                               identity(dimensions));
}

} // namespace hopscotch::schedules
