// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/combining.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/block_mask.hpp"

#include <cstddef>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

constexpr int nowhere = -1;

/// The routing tree as the list of its leaves: the node of level k + 1 that leaf i belongs to begins at the last leaf
/// j <= i with branches_at(j) <= k. A common block has a tree whose leaves are sorted by their ways. Individual blocks
/// have nothing in common: each has a branch of its own.
class CombiningTree
{
  public:
    CombiningTree(const Routing& routing, int blocks, Blocks kind)
        : routing_(routing), leaves_(identity(blocks)), branch_(leaves_.size(), 0)
    {
        if (kind == Blocks::individual)
            return;
        for (int level = levels(); level-- > 0;)
            sort_by(leaves_, routing[level].of_block);
        for (std::size_t i = 1; i < leaves_.size(); ++i)
            while (branch_[i] < levels() && step(i, branch_[i]) == step(i - 1, branch_[i]))
                ++branch_[i];
    }

    int levels() const noexcept { return static_cast<int>(routing_.size()); }
    std::size_t size() const noexcept { return leaves_.size(); }
    int block(std::size_t leaf) const noexcept { return leaves_[leaf]; }

    /// Step from level to level + 1 on the path to the leaf.
    int step(std::size_t leaf, int level) const noexcept { return routing_[level].of_block[leaves_[leaf]]; }
    bool moves(std::size_t leaf, int level) const noexcept { return step(leaf, level) != routing_[level].none; }

    /// First level at which the leaf's path leaves that of the leaf before it; levels() for a repeated offset.
    int branches_at(std::size_t leaf) const noexcept { return branch_[leaf]; }

  private:
    const Routing& routing_;
    std::vector<int> leaves_;
    std::vector<int> branch_;
};

/// Walks the tree level by level and writes down what one process does.
class CombiningPlanner
{
  public:
    CombiningPlanner(const Neighborhood& neighborhood, const Routing& routing, Blocks kind)
        : neighborhood_(neighborhood), routing_(routing), tree_(routing, neighborhood.stencil.size(), kind),
          mask_(neighborhood), rest_(tree_.size(), Slot{Place::send, 0}), last_(tree_.size(), nowhere)
    {
        for (std::size_t leaf = 0; leaf < tree_.size(); ++leaf) {
            if (kind == Blocks::individual)
                rest_[leaf].index = neighborhood.send_slot[tree_.block(leaf)];
            for (int level = 0; level < tree_.levels(); ++level)
                if (tree_.moves(leaf, level))
                    last_[leaf] = level;
        }
    }

    Schedule plan()
    {
        for (std::size_t leaf = 0; leaf < tree_.size(); ++leaf)
            if (last_[leaf] == nowhere && mask_.holds(tree_.block(leaf)))
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
        std::vector<std::vector<Child>> children(static_cast<std::size_t>(routing_[level].distinct.size())); // by step
        std::size_t end = 0;
        for (std::size_t begin = 0; begin < tree_.size(); begin = end) {
            for (end = begin + 1; end < tree_.size() && tree_.branches_at(end) > level;)
                ++end;
            children[tree_.step(begin, level)].push_back({begin, end});
        }
        children[routing_[level].none].clear();
        const BlockMask before = mask_;
        mask_.travel(routing_[level]);
        Phase phase;
        for (std::size_t step = 0; step < children.size(); ++step) {
            Round round;
            round.first_arrival = schedule_.arrivals;
            round.sends.reserve(children[step].size());
            for (const Child& child : children[step])
                add(round, child, level, before);
            if (!round.sends.empty())
                round.destination = process(routing_[level], static_cast<int>(step), 1);
            if (round.arrivals > 0)
                round.source = process(routing_[level], static_cast<int>(step), -1);
            if (round.destination != no_rank || round.source != no_rank)
                phase.rounds.push_back(std::move(round));
        }
        schedule_.phases.push_back(std::move(phase));
    }

    /// The step to one child: this process sends it on when a target below the child remains inside the grid, and gets
    /// its own from the other side likewise. Both ends of a message walk the same children in the same order.
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

    /// The process that lies one step ahead, or behind with direction -1.
    int process(const Steps& steps, int step, int direction) const
    {
        int result = neighborhood_.rank;
        for (std::size_t j = 0; j < steps.dimensions.size() && result != no_rank; ++j)
            result = neighborhood_.process(result, steps.dimensions[j],
                                           direction * steps.distinct.shift(step, static_cast<int>(j)));
        return result;
    }

    const Neighborhood& neighborhood_;
    const Routing& routing_;
    CombiningTree tree_;
    BlockMask mask_;
    std::vector<Slot> rest_; // per leaf: where the block of the node above it rests here now
    std::vector<int> last_;  // per leaf: the last level with a step
    Schedule schedule_;
};

} // namespace

Schedule combining_alltoall(const Neighborhood& neighborhood, const Routing& routing)
{
    return CombiningPlanner(neighborhood, routing, Blocks::individual).plan();
}

Schedule combining_alltoall(const Neighborhood& neighborhood)
{
    return combining_alltoall(neighborhood,
                              route_along(neighborhood.stencil, identity(neighborhood.stencil.dimensions())));
}

Schedule combining_allgather(const Neighborhood& neighborhood, const Routing& routing)
{
    return CombiningPlanner(neighborhood, routing, Blocks::common).plan();
}

std::vector<Load> tree_loads(const Routing& routing, int blocks)
{
    const CombiningTree tree(routing, blocks, Blocks::common);
    std::vector<Load> loads;
    for (const Steps& phase : routing)
        loads.push_back({phase.load().rounds, 0});
    for (std::size_t leaf = 0; leaf < tree.size(); ++leaf)
        for (int level = tree.branches_at(leaf); level < tree.levels(); ++level)
            loads[static_cast<std::size_t>(level)].blocks += tree.moves(leaf, level) ? 1 : 0;
    return loads;
}

} // namespace hopscotch::schedules
