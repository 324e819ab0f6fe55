// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/reduction.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/cost.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// A partial result of one level is folded from those of the level before, each brought from so far away.
struct Reference {
    int shift;
    int child;
    int times;
};
using Node = std::vector<Reference>;

/// The children that a message of a level carries for each shift, increasing.
using Cargo = std::map<int, std::set<int>>;

/// The offsets as a tree with the result at its root: the children of a node have the same last-traversed shifts, and
/// nodes that are alike are one. Level k has traversed k dimensions; level 0 are the values that processes start with.
class ReductionTree
{
  public:
    ReductionTree(const Stencil& stencil, const std::vector<int>& dimension_order, Blocks blocks)
        : stencil_(stencil), order_(dimension_order), blocks_(blocks), nodes_(order_.size() + 1), states_(order_.size())
    {
        if (static_cast<int>(order_.size()) != stencil.dimensions() || !is_permutation(order_))
            throw std::invalid_argument("reduction: the dimension order is no permutation of the dimensions");
        std::vector<int> last_first(order_.rbegin(), order_.rend());
        leaves_ = lexicographic_order(stencil, last_first);
        if (blocks_ == Blocks::common)
            first_ = {{0}};
        node(0, leaves_.size(), levels());
    }

    int levels() const noexcept { return static_cast<int>(order_.size()); }
    int dimension(int level) const noexcept { return order_[static_cast<std::size_t>(level) - 1]; }
    const std::vector<Node>& nodes(int level) const noexcept { return nodes_[static_cast<std::size_t>(level)]; }

    /// Send blocks of each value of level 0.
    const std::vector<std::vector<int>>& first() const noexcept { return first_; }

  private:
    /// The node that stands for the leaves [begin, end).
    int node(std::size_t begin, std::size_t end, int level)
    {
        if (level == 0)
            return leaf(begin, end);
        Node made;
        std::vector<int> key;
        for (std::size_t from = begin, to = begin; from < end; from = to) {
            const int shift = shift_of(from, level);
            while (to < end && shift_of(to, level) == shift)
                ++to;
            const int child = node(from, to, level - 1);
            const bool counts = level == 1 && blocks_ == Blocks::common;
            made.push_back({shift, child, counts ? static_cast<int>(to - from) : 1});
            key.insert(key.end(), {shift, child, made.back().times});
        }
        std::vector<Node>& same_level = nodes_[static_cast<std::size_t>(level)];
        const auto known = states_[static_cast<std::size_t>(level) - 1].try_emplace(std::move(key), same_level.size());
        if (known.second)
            same_level.push_back(std::move(made));
        return static_cast<int>(known.first->second);
    }

    int leaf(std::size_t begin, std::size_t end)
    {
        if (blocks_ == Blocks::common)
            return 0;
        first_.emplace_back(leaves_.begin() + static_cast<std::ptrdiff_t>(begin),
                            leaves_.begin() + static_cast<std::ptrdiff_t>(end));
        return static_cast<int>(first_.size()) - 1;
    }

    int shift_of(std::size_t leaf, int level) const { return stencil_.shift(leaves_[leaf], dimension(level)); }

    const Stencil& stencil_;
    std::vector<int> order_;
    Blocks blocks_;
    std::vector<int> leaves_;
    std::vector<std::vector<int>> first_;
    std::vector<std::vector<Node>> nodes_;
    std::vector<std::map<std::vector<int>, std::size_t>> states_;
};

Cargo cargo_of(const std::vector<Node>& nodes)
{
    Cargo cargo;
    for (const Node& node : nodes)
        for (const Reference& reference : node)
            if (reference.shift != 0)
                cargo[reference.shift].insert(reference.child);
    return cargo;
}

/// Plans the part of one process. The coordinates that sender and receiver of a phase have in common decide if a
/// partial result exists, and if it is needed.
class ReductionPlanner
{
  public:
    ReductionPlanner(const Topology& topology, const ReductionTree& tree, int rank)
        : topology_(topology), tree_(tree), rank_(rank)
    {
        find_needed();
        for (std::size_t i = 0; i < tree_.first().size(); ++i)
            result_.first.push_back(needed_[0][i] ? tree_.first()[i] : std::vector<int>{});
        std::vector<bool> exists(tree_.first().size(), true);
        for (int level = 1; level <= tree_.levels(); ++level)
            exists = add_phase(level, exists);
    }

    Reduction take() { return std::move(result_); }

  private:
    bool reaches(int level, int shift) const
    {
        return topology_.shifted(rank_, tree_.dimension(level), shift) != no_rank;
    }

    void find_needed()
    {
        needed_.resize(static_cast<std::size_t>(tree_.levels()) + 1);
        needed_.back().assign(1, true);
        for (int level = tree_.levels(); level > 0; --level) {
            const auto k = static_cast<std::size_t>(level);
            needed_[k - 1].assign(level == 1 ? tree_.first().size() : tree_.nodes(level - 1).size(), false);
            for (std::size_t i = 0; i < needed_[k].size(); ++i)
                for (const Reference& reference : needed_[k][i] ? tree_.nodes(level)[i] : Node{})
                    if (reaches(level, reference.shift))
                        needed_[k - 1][static_cast<std::size_t>(reference.child)] = true;
        }
    }

    /// True if a reference has a value here after the phase's messages have arrived.
    bool arrives(int level, const Reference& reference, const std::vector<bool>& exists) const
    {
        return exists[static_cast<std::size_t>(reference.child)] && reaches(level, -reference.shift);
    }

    /// `existed`: the partial results of the level before. Returns those of this level.
    std::vector<bool> add_phase(int level, const std::vector<bool>& existed)
    {
        const std::vector<Node>& nodes = tree_.nodes(level);
        const std::vector<bool>& needed = needed_[static_cast<std::size_t>(level)];
        std::vector<Node> wanted;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            wanted.push_back(needed[i] ? nodes[i] : Node{});
        ReductionPhase phase;
        std::map<std::pair<int, int>, int> arrival; // arrivals of a child over a shift
        for (const auto& [shift, children] : cargo_of(wanted))
            add_round(level, shift, children, existed, phase, arrival);
        for (const Node& node : wanted) {
            std::vector<Operand> operands;
            for (const Reference& reference : node) {
                if (!arrives(level, reference, existed))
                    continue;
                const bool moved = reference.shift != 0;
                operands.push_back(
                    {moved, moved ? arrival.at({reference.shift, reference.child}) : reference.child, reference.times});
            }
            phase.partials.push_back(std::move(operands));
        }
        result_.phases.push_back(std::move(phase));
        return existing(level, existed);
    }

    /// The partial results of a level, needed here or not, with at least one source.
    std::vector<bool> existing(int level, const std::vector<bool>& existed) const
    {
        std::vector<bool> exist;
        for (const Node& node : tree_.nodes(level))
            exist.push_back(std::any_of(node.begin(), node.end(), [&](const Reference& reference) {
                return arrives(level, reference, existed);
            }));
        return exist;
    }

    void add_round(int level, int shift, const std::set<int>& children, const std::vector<bool>& existed,
                   ReductionPhase& phase, std::map<std::pair<int, int>, int>& arrival) const
    {
        ReductionRound round;
        round.destination = topology_.shifted(rank_, tree_.dimension(level), shift);
        round.source = topology_.shifted(rank_, tree_.dimension(level), -shift);
        round.first_arrival = phase.arrivals;
        for (const int child : children) {
            if (!existed[static_cast<std::size_t>(child)])
                continue;
            if (round.destination != no_rank)
                round.sends.push_back(child);
            if (round.source != no_rank)
                arrival[{shift, child}] = round.first_arrival + round.arrivals++;
        }
        phase.arrivals += round.arrivals;
        if (round.sends.empty())
            round.destination = no_rank;
        if (round.arrivals == 0)
            round.source = no_rank;
        if (round.destination != no_rank || round.source != no_rank)
            phase.rounds.push_back(std::move(round));
    }

    const Topology& topology_;
    const ReductionTree& tree_;
    int rank_;
    std::vector<std::vector<bool>> needed_; // by level and node
    Reduction result_;
};

/// The orders to compare.
std::vector<std::vector<int>> orders_of(const Stencil& stencil)
{
    constexpr int most_dimensions = 4;
    std::vector<int> order = identity(stencil.dimensions());
    std::vector<std::vector<int>> orders;
    if (stencil.dimensions() <= most_dimensions) {
        do
            orders.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
        return orders;
    }
    order = dimensions_by_rounds(stencil);
    orders.push_back(order);
    std::reverse(order.begin(), order.end());
    orders.push_back(std::move(order));
    return orders;
}

} // namespace

bool Reduction::has_result() const noexcept
{
    return phases.empty() || !phases.back().partials.front().empty();
}

Schedule Reduction::traffic() const
{
    Schedule schedule;
    for (const ReductionPhase& phase : phases) {
        Phase messages;
        for (const ReductionRound& round : phase.rounds)
            messages.rounds.push_back({round.destination,
                                       round.source,
                                       std::vector<Slot>(round.sends.size()),
                                       schedule.arrivals + round.first_arrival,
                                       round.arrivals,
                                       {}});
        schedule.arrivals += phase.arrivals;
        schedule.phases.push_back(std::move(messages));
    }
    return schedule;
}

int reduction_volume(const Stencil& stencil, const std::vector<int>& dimension_order, Blocks blocks)
{
    const ReductionTree tree(stencil, dimension_order, blocks);
    int volume = 0;
    for (int level = 1; level <= tree.levels(); ++level)
        for (const auto& [shift, children] : cargo_of(tree.nodes(level)))
            volume += static_cast<int>(children.size());
    return volume;
}

std::vector<int> reduction_order(const Stencil& stencil, Blocks blocks)
{
    std::vector<int> best;
    int least = 0;
    for (const std::vector<int>& order : orders_of(stencil)) {
        const int volume = reduction_volume(stencil, order, blocks);
        if (best.empty() || volume < least) {
            best = order;
            least = volume;
        }
    }
    return best;
}

Reduction combining_reduction(const Topology& topology, const Stencil& stencil, int rank,
                              const std::vector<int>& dimension_order, Blocks blocks)
{
    return ReductionPlanner(topology, ReductionTree(stencil, dimension_order, blocks), rank).take();
}

} // namespace hopscotch::schedules
