// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the process grid and the stencil with the fewest messages, for a graph that no grid explains as a whole.
#include "schedules/irregular/partial_choice.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/allgather.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
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

/// Those of all processes but for edges to oneself, which no message carries.
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

/// Whether edges, in whatever direction, lead from each process to each.
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

/// An offset that some edges have, or parallel edges of some order.
struct Item {
    std::vector<int> steps;
    int order;
    int count; // edges
};

/// The edges of a graph in one embedding.
class Embedded
{
  public:
    Embedded(const Embedding& embedding, const std::vector<Edge>& edges)
        : embedding_(embedding), edges_(edges), rank_of_cell_(static_cast<std::size_t>(embedding.cells.size()), no_rank)
    {
        const std::size_t d = static_cast<std::size_t>(embedding.cells.dimensions());
        std::vector<int> coordinates(embedding.cell_of_rank.size() * d);
        for (std::size_t rank = 0; rank < embedding.cell_of_rank.size(); ++rank) {
            rank_of_cell_[static_cast<std::size_t>(embedding.cell_of_rank[rank])] = static_cast<int>(rank);
            embedding.cells.coordinates(embedding.cell_of_rank[rank], coordinates.data() + rank * d);
        }
        std::vector<int> first_item(rank_of_cell_.size(), -1); // by the cell that lies so from cell 0
        std::map<std::pair<int, int>, int> further_items;      // of parallel edges
        std::vector<int> steps(d);
        for (const Edge& edge : edges) {
            for (std::size_t k = 0; k < d; ++k)
                steps[k] = coordinates[static_cast<std::size_t>(edge.to) * d + k] -
                           coordinates[static_cast<std::size_t>(edge.from) * d + k];
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
    }

    /// The number of offsets of three quarters of the edges, those with the most common ones: small in the right
    /// embedding.
    std::size_t variety() const
    {
        std::vector<int> counts;
        for (const Item& item : items_)
            counts.push_back(item.count);
        std::sort(counts.begin(), counts.end(), std::greater<>());
        std::size_t left = edges_.size() - edges_.size() / 4;
        std::size_t offsets = 0;
        for (; offsets < counts.size() && left > 0; ++offsets)
            left -= std::min(left, static_cast<std::size_t>(counts[offsets]));
        return offsets;
    }

    /// Of the graph, if the edges of some items are combined.
    struct Cost {
        std::int64_t messages = 0;
        std::int64_t volume = 0;
        std::int64_t combined_edges = 0;
    };

    /// The items that are made of steps which also offsets of at least `least` edges have.
    std::vector<bool> items_with(int least) const
    {
        std::set<std::pair<int, int>> common; // dimensions and shifts
        for (const Item& item : items_)
            for (std::size_t k = 0; k < item.steps.size(); ++k)
                if (item.count >= least && item.steps[k] != 0)
                    common.insert({static_cast<int>(k), item.steps[k]});
        std::vector<bool> result;
        for (const Item& item : items_) {
            bool all = true;
            for (std::size_t k = 0; k < item.steps.size(); ++k)
                all = all && (item.steps[k] == 0 || common.count({static_cast<int>(k), item.steps[k]}) > 0);
            result.push_back(all);
        }
        return result;
    }

    /// `combined`: becomes true for the edges that are, by their number.
    Cost cost(const std::vector<bool>& items, const std::vector<int>& dimension_order,
              std::vector<bool>& combined) const
    {
        std::map<std::pair<int, int>, int> number_of_step;
        std::vector<std::vector<int>> steps(items_.size()); // by item: the numbers of its steps in their order
        std::vector<std::pair<int, int>> step_of_number;
        for (std::size_t i = 0; i < items_.size(); ++i)
            for (const int k : dimension_order)
                if (const int shift = items_[i].steps[static_cast<std::size_t>(k)]; items[i] && shift != 0) {
                    const auto [found, is_new] = number_of_step.try_emplace({k, shift}, step_of_number.size());
                    if (is_new)
                        step_of_number.push_back({k, shift});
                    steps[i].push_back(found->second);
                }
        Cost cost;
        std::vector<bool> sends(rank_of_cell_.size() * step_of_number.size());
        std::vector<int> told_by(embedding_.cell_of_rank.size(), no_rank); // who has sent to a process directly
        combined.assign(edges_.size(), false);
        std::vector<std::size_t> way;
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const Edge& edge = edges_[e];
            const auto item = static_cast<std::size_t>(item_of_edge_[e]);
            if (items[item] && find_way(edge.from, steps[item], step_of_number, way)) {
                combined[e] = true;
                ++cost.combined_edges;
                cost.volume += static_cast<std::int64_t>(way.size());
                for (const std::size_t message : way) {
                    cost.messages += sends[message] ? 0 : 1;
                    sends[message] = true;
                }
                continue;
            }
            ++cost.volume;
            int& told = told_by[static_cast<std::size_t>(edge.to)];
            cost.messages += told == edge.from ? 0 : 1;
            told = edge.from;
        }
        return cost;
    }

    PartialGrid make(const std::vector<bool>& items) const
    {
        PartialGrid grid;
        grid.cells = embedding_.cells;
        grid.cell_of_rank = embedding_.cell_of_rank;
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
        for (const Blocks blocks : {Blocks::common, Blocks::individual}) {
            const bool individual = blocks == Blocks::individual;
            std::vector<bool> combined;
            const Cost found = cost(items, individual ? by_number : grid.gather_order, combined);
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
    /// The messages that carry a block, each by its sender's cell and step; false where a cell on the way is empty.
    bool find_way(int from, const std::vector<int>& steps, const std::vector<std::pair<int, int>>& step_of_number,
                  std::vector<std::size_t>& way) const
    {
        way.clear();
        int cell = embedding_.cell_of_rank[static_cast<std::size_t>(from)];
        for (const int step : steps) {
            if (rank_of_cell_[static_cast<std::size_t>(cell)] == no_rank)
                return false;
            way.push_back(static_cast<std::size_t>(cell) * step_of_number.size() + static_cast<std::size_t>(step));
            const auto [k, shift] = step_of_number[static_cast<std::size_t>(step)];
            cell = embedding_.cells.moved(cell, k, shift);
        }
        return true;
    }

    const Embedding& embedding_;
    const std::vector<Edge>& edges_;
    std::vector<int> rank_of_cell_;
    std::vector<Item> items_;
    std::vector<int> item_of_edge_;
};

/// An embedding with the stencil by which it needs the fewest messages.
struct Best {
    std::unique_ptr<const Embedded> embedded;
    std::vector<bool> items;
    Embedded::Cost cost;

    bool is_cheaper_than(const Best& other) const
    {
        return std::tie(cost.messages, cost.volume) < std::tie(other.cost.messages, other.cost.volume);
    }
};

Best with_best_stencil(const Embedding& embedding, const std::vector<Edge>& edges, std::size_t& looks)
{
    Best best{std::make_unique<const Embedded>(embedding, edges), {}, {}};
    const Embedded& embedded = *best.embedded;
    const std::vector<int> by_number = identity(embedding.cells.dimensions());
    std::vector<bool> before;
    std::vector<bool> combined;
    for (int least = embedded.most_edges_of_an_item(); least > 0; least /= 2) {
        std::vector<bool> items = embedded.items_with(least);
        if (items == before)
            continue;
        before = items;
        looks += edges.size();
        const Embedded::Cost cost = embedded.cost(items, by_number, combined);
        if (best.items.empty() || cost.messages < best.cost.messages) {
            best.items = std::move(items);
            best.cost = cost;
        }
    }
    return best;
}

} // namespace

std::optional<PartialGrid> best_partial_grid(const std::vector<Embedding>& embeddings,
                                             const std::vector<std::vector<int>>& destinations, std::size_t most_looks)
{
    constexpr std::size_t most_priced = 8;
    const std::vector<Edge> edges = edges_of_all(destinations);
    if (edges.empty())
        return std::nullopt;
    std::size_t looks = 0;
    std::vector<std::pair<std::size_t, std::size_t>> by_variety; // with the embedding's number
    for (std::size_t i = 0; i < embeddings.size() && looks < most_looks / 2; ++i, looks += edges.size())
        by_variety.push_back({Embedded(embeddings[i], edges).variety(), i});
    std::sort(by_variety.begin(), by_variety.end());
    by_variety.resize(std::min(by_variety.size(), most_priced));
    std::optional<Best> best;
    for (const auto& [variety, i] : by_variety) {
        if (best && looks > most_looks)
            break;
        Best here = with_best_stencil(embeddings[i], edges, looks);
        if (!best || here.is_cheaper_than(*best))
            best = std::move(here);
    }
    if (!best)
        return std::nullopt;
    std::vector<bool> combined;
    const std::vector<bool> nothing(best->items.size(), false);
    const std::int64_t merged = best->embedded->cost(nothing, {}, combined).messages;
    if (best->cost.messages >= merged)
        return std::nullopt;
    PartialGrid grid = best->embedded->make(best->items);
    grid.merged_messages = merged;
    grid.connected = are_connected(destinations.size(), edges);
    return grid;
}

} // namespace hopscotch::schedules
