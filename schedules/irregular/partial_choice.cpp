// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/irregular/partial_choice.hpp"

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// The edges of all processes, without edges to oneself, which need no message.
std::vector<OrderedEdge> edges_of_all(const std::vector<std::vector<int>>& destinations)
{
    std::vector<OrderedEdge> edges;
    for (std::size_t rank = 0; rank < destinations.size(); ++rank) {
        const std::vector<int> order = occurrence(destinations[rank]);
        for (std::size_t i = 0; i < order.size(); ++i)
            if (const int to = destinations[rank][i]; to != no_rank && to != static_cast<int>(rank))
                edges.push_back({static_cast<int>(rank), to, order[i]});
    }
    return edges;
}

/// True if edges, in either direction, connect all processes.
bool are_connected(std::size_t processes, const std::vector<OrderedEdge>& edges)
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
    for (const OrderedEdge& edge : edges) {
        const int from = find(edge.from);
        const int to = find(edge.to);
        leader[static_cast<std::size_t>(from)] = to;
        parts -= from != to ? 1 : 0;
    }
    return parts == 1;
}

/// `most` edges, or all, evenly spread over the processes and their lists.
std::vector<OrderedEdge> sample_of(const std::vector<OrderedEdge>& edges, std::size_t most)
{
    if (edges.size() <= most)
        return edges;
    std::size_t stride = edges.size() * 5 / 8;
    while (std::gcd(stride, edges.size()) != 1)
        ++stride;
    std::vector<OrderedEdge> sample;
    for (std::size_t i = 0, at = 0; i < most; ++i, at = (at + stride) % edges.size())
        sample.push_back(edges[at]);
    return sample;
}

/// The number of offsets of three quarters of the edges, those with the most common ones: small in the right embedding.
std::size_t variety(const Embedding& embedding, const std::vector<OrderedEdge>& edges)
{
    const auto d = static_cast<std::size_t>(embedding.cells.dimensions());
    std::vector<int> here(d);
    std::vector<int> there(d);
    std::vector<int> offsets; // the cells that lie so from cell 0
    for (const OrderedEdge& edge : edges) {
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

/// An embedding with the stencil that needs the fewest messages on it.
struct Best {
    std::unique_ptr<const EmbeddedGraph> embedded;
    std::vector<bool> items;
    EmbeddedGraph::Cost cost;

    bool is_cheaper_than(const Best& other) const
    {
        return std::tie(cost.messages, cost.volume) < std::tie(other.cost.messages, other.cost.volume);
    }
};

/// No stencil if none is cheaper than `known`, if there is one.
Best with_best_stencil(std::unique_ptr<const EmbeddedGraph> embedded, int dimensions, const std::optional<Best>& known,
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
        const EmbeddedGraph::Cost cost = best.embedded->cost(items, by_number, combined, most);
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
std::vector<const Embedding*> likely(const std::vector<Embedding>& embeddings, const std::vector<OrderedEdge>& edges,
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
    const std::vector<OrderedEdge> sample = sample_of(edges, sampled);
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
    const std::vector<OrderedEdge> edges = edges_of_all(destinations);
    if (edges.empty())
        return std::nullopt;
    std::optional<Best> best;
    for (const Embedding* const embedding : likely(embeddings, edges, budget)) {
        if (!budget.take(edges.size() * steps_of_edge))
            break;
        Best here = with_best_stencil(std::make_unique<const EmbeddedGraph>(*embedding, destinations.size(), edges),
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
