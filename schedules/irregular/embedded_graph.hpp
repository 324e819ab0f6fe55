// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the cost of a graph in one embedding into a process grid, with some of its edges combined.
#pragma once

#include "schedules/grid/partial_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hopscotch::schedules
{

/// A guess at the cells of the processes. Cells may be empty.
struct Embedding {
    Lattice cells;
    std::vector<int> cell_of_rank; // each cell once; empty: rank r is in cell r
    GridOrigin found = GridOrigin::none;

    int cell(int rank) const { return cell_of_rank.empty() ? rank : cell_of_rank[static_cast<std::size_t>(rank)]; }
};

/// The `order`-th edge from a process to another.
struct OrderedEdge {
    int from;
    int to;
    int order;
};

/// The edges of a graph in one embedding. Keeps references to both. An item is an offset that some edges have, or
/// parallel edges of some order.
class EmbeddedGraph
{
  public:
    EmbeddedGraph(const Embedding& embedding, std::size_t processes, const std::vector<OrderedEdge>& edges);

    /// The cost of the graph if the edges of some items are combined.
    struct Cost {
        std::int64_t messages = 0;
        std::int64_t volume = 0;
        std::int64_t combined_edges = 0;
    };

    /// For each item, whether it is made of steps that at least `least` edges share.
    std::vector<bool> items_with(int least) const;

    /// The steps of the search that cost() takes.
    std::size_t effort(const std::vector<bool>& items) const;

    /// `combined`: becomes true for the edges that are, by their number. Ends after more than `most_messages`. `loads`:
    /// of all processes; null if they are not wanted.
    Cost cost(const std::vector<bool>& items, const std::vector<int>& dimension_order, std::vector<bool>& combined,
              std::int64_t most_messages = std::numeric_limits<std::int64_t>::max(),
              std::vector<PartialGrid::Load>* loads = nullptr) const;

    /// The grid whose stencil has these items.
    PartialGrid make(const std::vector<bool>& items, std::size_t processes) const;

    int most_edges_of_an_item() const;

  private:
    struct Item {
        std::vector<int> steps;
        int order;
        int count; // edges
    };

    /// Numbers of the steps that items are made of: of each dimension those between the least and the most shift.
    class StepNumbers
    {
      public:
        StepNumbers() = default;
        StepNumbers(int dimensions, const std::vector<Item>& items);
        std::size_t count() const { return first_.back(); }
        std::size_t of(std::size_t k, int shift) const
        {
            return first_[k] + static_cast<std::size_t>(shift - least_[k]);
        }

      private:
        std::vector<int> least_;
        std::vector<std::size_t> first_;
    };

    struct Step {
        int k;
        int shift;
    };

    static void add(std::vector<PartialGrid::Load>& loads, int rank, bool is_new_message);
    std::vector<PartialGrid::Load> merged_loads(std::size_t processes) const;
    bool find_way(int from, const std::vector<int>& numbers, const std::vector<Step>& steps,
                  std::vector<std::size_t>& way) const;
    int moved(int cell, const Step& step) const;

    const Embedding& embedding_;
    const std::vector<OrderedEdge>& edges_;
    std::vector<int> rank_of_cell_;
    std::vector<int> coordinates_; // of all cells
    std::vector<Item> items_;
    std::vector<int> item_of_edge_;
    StepNumbers numbers_;
};

} // namespace hopscotch::schedules
