// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the process grid and the stencil with the fewest messages, for a graph that no grid explains as a whole.
#include "schedules/irregular/partial_choice.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/allgather.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// The `order`-th edge from a process to another.
struct Edge {
    int from;
    int to;
    int order;
};

/// The edges of all processes, without edges to oneself, which need no message.
std::vector<Edge> edges_of_all(const std::vector<std::vector<int>>& destinations)
{
    std::vector<Edge> edges;
    for (std::size_t rank = 0; rank < destinations.size(); ++rank) {
        const std::vector<int> order = occurrence(destinations[rank]);
        for (std::size_t i = 0; i < order.size(); ++i)
            if (const int to = destinations[rank][i]; to != no_rank && to != static_cast<int>(rank))
                edges.push_back({static_cast<int>(rank), to, order[i]});
    }
    return edges;
}

/// True if edges, in either direction, connect all processes.
bool are_connected(std::size_t processes, const std::vector<Edge>& edges)
{
    std::vector<int> leader = identity(static_cast<int>(processes));
    const auto find = [&leader](int rank) {
        while (leader[static_cast<std::size_t>(rank)] != rank) {
            int& above = leader[static_cast<std::size_t>(rank)];
            above = leader[static_cast<std::size_t>(above)];
            rank = above;
        }
        return rank;
    };
    std::size_t parts = processes;
    for (const Edge& edge : edges) {
        const int from = find(edge.from);
        const int to = find(edge.to);
        leader[static_cast<std::size_t>(from)] = to;
        parts -= from != to ? 1 : 0;
    }
    return parts == 1;
}

/// `most` edges, or all, evenly spread over the processes and their lists.
std::vector<Edge> sample_of(const std::vector<Edge>& edges, std::size_t most)
{
    if (edges.size() <= most)
        return edges;
    std::size_t stride = edges.size() * 5 / 8;
    while (std::gcd(stride, edges.size()) != 1)
        ++stride;
    std::vector<Edge> sample;
    for (std::size_t i = 0, at = 0; i < most; ++i, at = (at + stride) % edges.size())
        sample.push_back(edges[at]);
    return sample;
}

/// The number of offsets of three quarters of the edges, those with the most common ones: small in the right embedding.
std::size_t variety(const Embedding& embedding, const std::vector<Edge>& edges)
{
    const auto d = static_cast<std::size_t>(embedding.cells.dimensions());
    std::vector<int> here(d);
    std::vector<int> there(d);
    std::vector<int> offsets; // the cells that lie so from cell 0
    for (const Edge& edge : edges) {
        embedding.cells.coordinates(embedding.cell(edge.from), here.data());
        embedding.cells.coordinates(embedding.cell(edge.to), there.data());
        for (std::size_t k = 0; k < d; ++k)
            there[k] -= here[k];
        offsets.push_back(embedding.cells.reduce(there.data()));
    }
    std::sort(offsets.begin(), offsets.end());
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (i == 0 || offsets[i] != offsets[i - 1])
            counts.push_back(0);
        ++counts.back();
    }
    std::sort(counts.begin(), counts.end(), std::greater<>());
    std::size_t left = edges.size() - edges.size() / 4;
    std::size_t result = 0;
    for (; result < counts.size() && left > 0; ++result)
        left -= std::min(left, counts[result]);
    return result;
}

/// An offset that some edges have, or parallel edges of some order.
struct Item {
    std::vector<int> steps;
    int order;
    int count; // edges
};

/// Numbers of the steps that items are made of: of each dimension those between the least and the most shift.
class StepNumbers
{
  public:
    StepNumbers(int dimensions, const std::vector<Item>& items)
        : least_(static_cast<std::size_t>(dimensions)), first_(least_.size() + 1)
    {
        std::vector<int> most(least_.size());
        for (const Item& item : items)
            for (std::size_t k = 0; k < least_.size(); ++k) {
                least_[k] = std::min(least_[k], item.steps[k]);
                most[k] = std::max(most[k], item.steps[k]);
            }
        for (std::size_t k = 0; k < least_.size(); ++k)
            first_[k + 1] = first_[k] + static_cast<std::size_t>(most[k] - least_[k]) + 1;
    }

    std::size_t count() const { return first_.back(); }
    std::size_t of(std::size_t k, int shift) const { return first_[k] + static_cast<std::size_t>(shift - least_[k]); }

  private:
    std::vector<int> least_;
    std::vector<std::size_t> first_;
};

/// The edges of a graph in one embedding.
class Embedded
{
  public:
    Embedded(const Embedding& embedding, std::size_t processes, const std::vector<Edge>& edges)
        : embedding_(embedding), edges_(edges), rank_of_cell_(static_cast<std::size_t>(embedding.cells.size()), no_rank)
    {
        const auto d = static_cast<std::size_t>(embedding.cells.dimensions());
        places_.resize(rank_of_cell_.size() * d);
        for (std::size_t cell = 0; cell < rank_of_cell_.size(); ++cell)
            embedding.cells.coordinates(static_cast<int>(cell), places_.data() + cell * d);
        for (std::size_t rank = 0; rank < processes; ++rank)
            rank_of_cell_[static_cast<std::size_t>(embedding.cell(static_cast<int>(rank)))] = static_cast<int>(rank);
        std::vector<int> first_item(rank_of_cell_.size(), -1); // by the cell that lies so from cell 0
        std::map<std::pair<int, int>, int> further_items;      // items of parallel edges
        std::vector<int> steps(d);
        for (const Edge& edge : edges) {
            const int* const here = places_.data() + static_cast<std::size_t>(embedding.cell(edge.from)) * d;
            const int* const there = places_.data() + static_cast<std::size_t>(embedding.cell(edge.to)) * d;
            for (std::size_t k = 0; k < d; ++k)
                steps[k] = there[k] - here[k];
            const int cell = embedding.cells.reduce(steps.data());
            int& item = edge.order == 0 ? first_item[static_cast<std::size_t>(cell)]
                                        : further_items.try_emplace({cell, edge.order}, -1).first->second;
            if (item < 0) {
                item = static_cast<int>(items_.size());
                items_.push_back({steps, edge.order, 0});
                embedding.cells.shortest(steps.data(), items_.back().steps.data());
            }
            ++items_[static_cast<std::size_t>(item)].count;
            item_of_edge_.push_back(item);
        }
        numbers_ = StepNumbers(embedding.cells.dimensions(), items_);
    }

    /// The cost of the graph if the edges of some items are combined.
    struct Cost {
        std::int64_t messages = 0;
        std::int64_t volume = 0;
        std::int64_t combined_edges = 0;
    };

    /// The items made of steps that at least `least` edges share.
    std::vector<bool> items_with(int least) const
    {
        std::vector<bool> common(numbers_.count());
        for (const Item& item : items_)
            for (std::size_t k = 0; k < item.steps.size(); ++k)
                if (item.count >= least)
                    common[numbers_.of(k, item.steps[k])] = true;
        std::vector<bool> result;
        for (const Item& item : items_) {
            bool all = true;
            for (std::size_t k = 0; k < item.steps.size(); ++k)
                all = all && (item.steps[k] == 0 || common[numbers_.of(k, item.steps[k])]);
            result.push_back(all);
        }
        return result;
    }

    /// Steps of the search that cost() takes.
    std::size_t effort(const std::vector<bool>& items) const
    {
        constexpr std::size_t per_item = 4;
        constexpr std::size_t bits_per_step = 1024;
        std::vector<bool> used(numbers_.count());
        for (std::size_t i = 0; i < items_.size(); ++i)
            for (std::size_t k = 0; items[i] && k < items_[i].steps.size(); ++k)
                used[numbers_.of(k, items_[i].steps[k])] = true;
        const auto number = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
        return edges_.size() + per_item * items_.size() + rank_of_cell_.size() * number / bits_per_step;
    }

    /// `combined`: becomes true for the edges that are, by their number. Ends after more than `most_messages`. `loads`:
    /// of all processes, if they are wanted.
    Cost cost(const std::vector<bool>& items, const std::vector<int>& dimension_order, std::vector<bool>& combined,
              std::int64_t most_messages = std::numeric_limits<std::int64_t>::max(),
              std::vector<PartialGrid::Load>* loads = nullptr) const
    {
        std::vector<int> number(numbers_.count(), -1); // numbers of the steps in use
        std::vector<Step> steps;
        std::vector<std::vector<int>> ways(items_.size()); // by item: the numbers of its steps in their order
        for (std::size_t i = 0; i < items_.size(); ++i)
            for (const int k : dimension_order)
                if (const int shift = items_[i].steps[static_cast<std::size_t>(k)]; items[i] && shift != 0) {
                    int& step = number[numbers_.of(static_cast<std::size_t>(k), shift)];
                    if (step < 0) {
                        step = static_cast<int>(steps.size());
                        steps.push_back({k, shift});
                    }
                    ways[i].push_back(step);
                }
        Cost cost;
        std::vector<bool> sends(rank_of_cell_.size() * steps.size());
        std::vector<int> told_by(rank_of_cell_.size(), no_rank); // the last process that has sent to each process
                                                                 // directly
        combined.assign(edges_.size(), false);
        std::vector<std::size_t> way;
        for (std::size_t e = 0; e < edges_.size() && cost.messages <= most_messages; ++e) {
            const Edge& edge = edges_[e];
            const auto item = static_cast<std::size_t>(item_of_edge_[e]);
            if (items[item] && find_way(edge.from, ways[item], steps, way)) {
                combined[e] = true;
                ++cost.combined_edges;
                cost.volume += static_cast<std::int64_t>(way.size());
                for (const std::size_t message : way) {
                    if (loads != nullptr)
                        add(*loads, rank_of_cell_[message / steps.size()], !sends[message]);
                    cost.messages += sends[message] ? 0 : 1;
                    sends[message] = true;
                }
                continue;
            }
            ++cost.volume;
            int& told = told_by[static_cast<std::size_t>(edge.to)];
            if (loads != nullptr)
                add(*loads, edge.from, told != edge.from);
            cost.messages += told == edge.from ? 0 : 1;
            told = edge.from;
        }
        return cost;
    }

    /// Without any grid, of all processes.
    std::vector<PartialGrid::Load> merged_loads(std::size_t processes) const
    {
        std::vector<PartialGrid::Load> loads(processes);
        for (const Edge& edge : edges_) {
            PartialGrid::Load& load = loads[static_cast<std::size_t>(edge.from)];
            ++load.edges;
            load.merged_messages += edge.order == 0 ? 1 : 0;
        }
        return loads;
    }

    PartialGrid make(const std::vector<bool>& items, std::size_t processes) const
    {
        PartialGrid grid;
        grid.cells = embedding_.cells;
        for (std::size_t rank = 0; rank < processes; ++rank)
            grid.cell_of_rank.push_back(embedding_.cell(static_cast<int>(rank)));
        grid.rank_of_cell = rank_of_cell_;
        grid.found = embedding_.found;
        grid.edges = static_cast<std::int64_t>(edges_.size());
        std::vector<int> used;
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (items[i])
                used.push_back(static_cast<int>(i));
        std::sort(used.begin(), used.end(), [this](int a, int b) {
            return std::tie(items_[a].steps, items_[a].order) < std::tie(items_[b].steps, items_[b].order);
        });
        std::vector<int> block_of_item(items_.size(), -1);
        grid.stencil = Stencil(embedding_.cells.dimensions(), {});
        for (const int item : used) {
            block_of_item[static_cast<std::size_t>(item)] = grid.stencil.size();
            grid.stencil.append(items_[static_cast<std::size_t>(item)].steps.data());
        }
        grid.gather_order = best_dimension_order(grid.stencil);
        const std::vector<int> by_number = identity(grid.cells.dimensions());
        const std::vector<PartialGrid::Load> directly = merged_loads(processes);
        for (const Blocks blocks : {Blocks::common, Blocks::individual}) {
            const bool individual = blocks == Blocks::individual;
            std::vector<bool> combined;
            std::vector<PartialGrid::Load> loads = directly;
            const Cost found = cost(items, individual ? by_number : grid.gather_order, combined,
                                    std::numeric_limits<std::int64_t>::max(), &loads);
            grid.add_loads(blocks, loads);
            std::vector<bool>& bits = grid.combined[static_cast<std::size_t>(blocks)];
            bits.assign(grid.cell_of_rank.size() * used.size(), false);
            for (std::size_t e = 0; e < edges_.size(); ++e)
                if (combined[e])
                    bits[static_cast<std::size_t>(edges_[e].from) * used.size() +
                         static_cast<std::size_t>(block_of_item[static_cast<std::size_t>(item_of_edge_[e])])] = true;
            grid.messages = found.messages; // alltoall comes last
            grid.volume = found.volume;
            grid.combined_edges = found.combined_edges;
        }
        return grid;
    }

    int most_edges_of_an_item() const
    {
        int most = 0;
        for (const Item& item : items_)
            most = std::max(most, item.count);
        return most;
    }

  private:
    struct Step {
        int k;
        int shift;
    };

    static void add(std::vector<PartialGrid::Load>& loads, int rank, bool is_new_message)
    {
        PartialGrid::Load& load = loads[static_cast<std::size_t>(rank)];
        load.messages += is_new_message ? 1 : 0;
        ++load.volume;
    }

    /// The messages that carry a block, each by its sender's cell and step; false if a cell on the way is empty.
    bool find_way(int from, const std::vector<int>& numbers, const std::vector<Step>& steps,
                  std::vector<std::size_t>& way) const
    {
        way.clear();
        int cell = embedding_.cell(from);
        for (const int step : numbers) {
            if (rank_of_cell_[static_cast<std::size_t>(cell)] == no_rank)
                return false;
            way.push_back(static_cast<std::size_t>(cell) * steps.size() + static_cast<std::size_t>(step));
            cell = moved(cell, steps[static_cast<std::size_t>(step)]);
        }
        return true;
    }

    /// Lattice::moved without divisions on a torus.
    int moved(int cell, const Step& step) const
    {
        const Lattice& cells = embedding_.cells;
        if (!cells.is_torus())
            return cells.moved(cell, step.k, step.shift);
        const int extent = cells.extent(step.k);
        const int here = places_[static_cast<std::size_t>(cell * cells.dimensions() + step.k)];
        const int there = here + step.shift; // by less than the extent
        const int wrapped = there >= extent ? there - extent : there < 0 ? there + extent : there;
        return cell + (wrapped - here) * cells.stride(step.k);
    }

    const Embedding& embedding_;
    const std::vector<Edge>& edges_;
    std::vector<int> rank_of_cell_;
    std::vector<int> places_; // coordinates of all cells
    std::vector<Item> items_;
    std::vector<int> item_of_edge_;
    StepNumbers numbers_{0, {}};
};

/// An embedding with the stencil that needs the fewest messages on it.
struct Best {
    std::unique_ptr<const Embedded> embedded;
    std::vector<bool> items;
    Embedded::Cost cost;

    bool is_cheaper_than(const Best& other) const
    {
        return std::tie(cost.messages, cost.volume) < std::tie(other.cost.messages, other.cost.volume);
    }
};

/// No stencil if none is cheaper than `known`, if there is one.
Best with_best_stencil(std::unique_ptr<const Embedded> embedded, int dimensions, const std::optional<Best>& known,
                       SearchBudget& budget)
{
    Best best{std::move(embedded), {}, {}};
    const std::vector<int> by_number = identity(dimensions);
    std::int64_t most = known ? known->cost.messages : std::numeric_limits<std::int64_t>::max();
    constexpr int most_in_vain = 2; // sets of offsets tried
    int in_vain = 0;
    std::vector<bool> before;
    std::vector<bool> combined;
    for (int least = best.embedded->most_edges_of_an_item(); least > 0; least /= 2) {
        std::vector<bool> items = best.embedded->items_with(least);
        if (items == before)
            continue;
        if (!budget.take(best.embedded->effort(items)))
            break;
        const Embedded::Cost cost = best.embedded->cost(items, by_number, combined, most);
        if (cost.messages < most || (cost.messages == most && best.items.empty())) {
            best.items = items;
            best.cost = cost;
            most = cost.messages;
            in_vain = 0;
        } else if (++in_vain == most_in_vain) {
            break;
        }
        before = std::move(items);
    }
    return best;
}

/// The likely ones, the most likely first.
std::vector<const Embedding*> likely(const std::vector<Embedding>& embeddings, const std::vector<Edge>& edges,
                                     SearchBudget& budget)
{
    constexpr std::size_t most_priced = 8;
    constexpr std::size_t least_sampled = 64;
    constexpr std::size_t steps_of_sampled = 3;
    if (embeddings.size() < 2)
        return embeddings.empty() ? std::vector<const Embedding*>()
                                  : std::vector<const Embedding*>{&embeddings.front()};
    SearchBudget lent = budget.lend(3);
    const std::size_t sampled = std::max(lent.left() / (embeddings.size() * steps_of_sampled), least_sampled);
    const std::vector<Edge> sample = sample_of(edges, sampled);
    std::vector<std::pair<std::size_t, std::size_t>> by_variety; // with the embedding's number
    for (std::size_t i = 0; i < embeddings.size() && lent.take(sample.size() * steps_of_sampled); ++i)
        by_variety.push_back({variety(embeddings[i], sample), i});
    budget.give_back(lent);
    std::sort(by_variety.begin(), by_variety.end());
    by_variety.resize(std::min(by_variety.size(), most_priced));
    std::vector<const Embedding*> result;
    for (const auto& [variety, i] : by_variety)
        if (variety <= 2 * by_variety.front().first)
            result.push_back(&embeddings[i]);
    return result;
}

} // namespace

std::optional<PartialGrid> best_partial_grid(const std::vector<Embedding>& embeddings,
                                             const std::vector<std::vector<int>>& destinations, SearchBudget& budget)
{
    constexpr std::size_t steps_of_list = 4;
    constexpr std::size_t steps_of_edge = 2;
    std::size_t entries = 0;
    for (const std::vector<int>& list : destinations)
        entries += list.size();
    if (!budget.take(entries + destinations.size() * steps_of_list))
        return std::nullopt;
    const std::vector<Edge> edges = edges_of_all(destinations);
    if (edges.empty())
        return std::nullopt;
    std::optional<Best> best;
    for (const Embedding* const embedding : likely(embeddings, edges, budget)) {
        if (!budget.take(edges.size() * steps_of_edge))
            break;
        Best here = with_best_stencil(std::make_unique<const Embedded>(*embedding, destinations.size(), edges),
                                      embedding->cells.dimensions(), best, budget);
        if (!here.items.empty() && (!best || here.is_cheaper_than(*best)))
            best = std::move(here);
    }
    if (!best)
        return std::nullopt;
    std::vector<bool> combined;
    const std::vector<bool> nothing(best->items.size(), false);
    const std::int64_t merged = best->embedded->cost(nothing, {}, combined).messages;
    if (best->cost.messages >= merged)
        return std::nullopt;
    PartialGrid grid = best->embedded->make(best->items, destinations.size());
    grid.merged_messages = merged;
    grid.connected = are_connected(destinations.size(), edges);
    return grid;
}

} // namespace hopscotch::schedules
