// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/irregular/embedded_graph.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/allgather.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace hopscotch::schedules
{

EmbeddedGraph::StepNumbers::StepNumbers(int dimensions, const std::vector<Item>& items)
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

EmbeddedGraph::EmbeddedGraph(const Embedding& embedding, std::size_t processes, const std::vector<OrderedEdge>& edges)
    : embedding_(embedding), edges_(edges), rank_of_cell_(static_cast<std::size_t>(embedding.cells.size()), no_rank)
{
    const auto d = static_cast<std::size_t>(embedding.cells.dimensions());
    coordinates_.resize(rank_of_cell_.size() * d);
    for (std::size_t cell = 0; cell < rank_of_cell_.size(); ++cell)
        embedding.cells.coordinates(static_cast<int>(cell), coordinates_.data() + cell * d);
    for (std::size_t rank = 0; rank < processes; ++rank)
        rank_of_cell_[static_cast<std::size_t>(embedding.cell(static_cast<int>(rank)))] = static_cast<int>(rank);
    std::vector<int> first_item(rank_of_cell_.size(), -1); // by the cell that lies so from cell 0
    std::map<std::pair<int, int>, int> further_items;      // items of parallel edges
    std::vector<int> steps(d);
    for (const OrderedEdge& edge : edges) {
        const int* const here = coordinates_.data() + static_cast<std::size_t>(embedding.cell(edge.from)) * d;
        const int* const there = coordinates_.data() + static_cast<std::size_t>(embedding.cell(edge.to)) * d;
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

std::vector<bool> EmbeddedGraph::items_with(int least) const
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

std::size_t EmbeddedGraph::effort(const std::vector<bool>& items) const
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

void EmbeddedGraph::add(std::vector<PartialGrid::Load>& loads, int rank, bool is_new_message)
{
    PartialGrid::Load& load = loads[static_cast<std::size_t>(rank)];
    load.messages += is_new_message ? 1 : 0;
    ++load.volume;
}

/// The messages that carry a block, each by its sender's cell and step; false if a cell on the way is empty.
bool EmbeddedGraph::find_way(int from, const std::vector<int>& numbers, const std::vector<Step>& steps,
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
int EmbeddedGraph::moved(int cell, const Step& step) const
{
    const Lattice& cells = embedding_.cells;
    if (!cells.is_torus())
        return cells.moved(cell, step.k, step.shift);
    const int extent = cells.extent(step.k);
    const int here = coordinates_[static_cast<std::size_t>(cell * cells.dimensions() + step.k)];
    const int there = here + step.shift; // by less than the extent
    const int wrapped = there >= extent ? there - extent : there < 0 ? there + extent : there;
    return cell + (wrapped - here) * cells.stride(step.k);
}

EmbeddedGraph::Cost EmbeddedGraph::cost(const std::vector<bool>& items, const std::vector<int>& dimension_order,
                                        std::vector<bool>& combined, std::int64_t most_messages,
                                        std::vector<PartialGrid::Load>* loads) const
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
        const OrderedEdge& edge = edges_[e];
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

/// The loads of all processes without any grid.
std::vector<PartialGrid::Load> EmbeddedGraph::merged_loads(std::size_t processes) const
{
    std::vector<PartialGrid::Load> loads(processes);
    for (const OrderedEdge& edge : edges_) {
        PartialGrid::Load& load = loads[static_cast<std::size_t>(edge.from)];
        ++load.edges;
        load.merged_messages += edge.order == 0 ? 1 : 0;
    }
    return loads;
}

PartialGrid EmbeddedGraph::make(const std::vector<bool>& items, std::size_t processes) const
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

int EmbeddedGraph::most_edges_of_an_item() const
{
    int most = 0;
    for (const Item& item : items_)
        most = std::max(most, item.count);
    return most;
}

} // namespace hopscotch::schedules
