// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The hyperplane mapping cuts the process grid in two again and again.
#include "schedules/mapping/hyperplane_mapping.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace hopscotch::schedules
{

namespace
{

/// A part of the grid, and the processes placed in it: as many as it has places, counted from `first`.
struct GridPart {
    std::vector<int> origin;
    std::vector<int> extents;
    int first;
    int size;
};

/// The hyperplane in front of coordinate `at` of the part, counted from its origin: 0 < at < extent.
struct GridCut {
    int dimension;
    int at;
};

GridPart whole(const Topology& grid)
{
    return {std::vector<int>(grid.dims().size()), grid.dims(), 0, grid.size()};
}

/// Processes before the hyperplane.
int processes_before(const GridPart& part, GridCut cut)
{
    return part.size / part.extents[cut.dimension] * cut.at;
}

/// Leaves only the process's side of the cut.
void keep_side(GridPart& part, GridCut cut, int process)
{
    const int before = processes_before(part, cut);
    int& extent = part.extents[cut.dimension];
    if (process < part.first + before) {
        extent = cut.at;
        part.size = before;
        return;
    }
    extent -= cut.at;
    part.origin[cut.dimension] += cut.at;
    part.first += before;
    part.size -= before;
}

/// The rank at place `index` of the part, counted with the last dimension of `order` fastest.
int rank_within(const Topology& grid, const GridPart& part, const std::vector<int>& order, int index)
{
    std::vector<int> coordinates = part.origin;
    for (auto k = order.rbegin(); k != order.rend(); ++k) {
        coordinates[*k] += index % part.extents[*k];
        index /= part.extents[*k];
    }
    return grid.rank(coordinates.data());
}

/// The hyperplane at the beginning of a node that is nearest to the middle of the dimension; of two the one before the
/// middle.
std::optional<GridCut> cut_along(const GridPart& part, const NodeRanges& nodes, int dimension)
{
    const int extent = part.extents[dimension];
    const int middle = extent / 2;
    for (int away = 0; away <= middle; ++away)
        for (const int at : {middle - away, middle + away})
            if (at > 0 && at < extent && nodes.begins_at(part.first + processes_before(part, {dimension, at})))
                return GridCut{dimension, at};
    return std::nullopt;
}

/// The cut of the part by the hyperplane mapping; none if it shall stay in one piece.
std::optional<GridCut> next_cut(const GridPart& part, const NodeRanges& nodes, const std::vector<int>& order)
{
    const int last = part.first + part.size - 1;
    if (nodes.node(part.first) == nodes.node(last))
        return std::nullopt;
    for (const int dimension : order)
        if (const std::optional<GridCut> cut = cut_along(part, nodes, dimension))
            return cut;
    if (nodes.node(last) - nodes.node(part.first) < 2)
        return std::nullopt;
    const auto longest =
        std::max_element(order.begin(), order.end(), [&](int a, int b) { return part.extents[a] < part.extents[b]; });
    return GridCut{*longest, part.extents[*longest] / 2};
}

/// The dimensions by direction, those alike by their extents, those alike in their order.
void order_dimensions(std::vector<int>& order, const std::vector<std::int64_t>& directions,
                      const std::vector<int>& extents)
{
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return std::tie(directions[a], extents[b], a) < std::tie(directions[b], extents[a], b);
    });
}

} // namespace

std::vector<std::int64_t> directions(const Stencil& stencil, const EdgeWeights& weights)
{
    const std::vector<std::int64_t> weight = weights_of_offsets(weights, stencil);
    std::vector<double> squared_cosines(static_cast<std::size_t>(stencil.dimensions()));
    for (int i = 0; i < stencil.size(); ++i) {
        double squared_length = 0;
        for (int k = 0; k < stencil.dimensions(); ++k)
            squared_length += static_cast<double>(stencil.shift(i, k)) * stencil.shift(i, k);
        for (int k = 0; k < stencil.dimensions() && squared_length > 0; ++k)
            squared_cosines[k] +=
                static_cast<double>(weight[i]) * stencil.shift(i, k) * stencil.shift(i, k) / squared_length;
    }
    std::vector<std::int64_t> millionths;
    for (const double value : squared_cosines)
        millionths.push_back(std::llround(value * 1e6));
    return millionths;
}

int hyperplane_rank(const Topology& grid, const std::vector<std::int64_t>& directions, const NodeRanges& nodes,
                    int process)
{
    GridPart part = whole(grid);
    std::vector<int> order = identity(grid.dimensions());
    order_dimensions(order, directions, part.extents);
    while (const std::optional<GridCut> cut = next_cut(part, nodes, order)) {
        keep_side(part, *cut, process);
        order_dimensions(order, directions, part.extents);
    }
    return rank_within(grid, part, order, process - part.first);
}

} // namespace hopscotch::schedules
