// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The mapping that walks through strips of the process grid, as wide as a node's part of the grid shall be.
#include "schedules/mapping/stencil_strips.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hopscotch::schedules
{

namespace
{

/// Width along each dimension of the smallest box that contains the process itself and its neighbors, less one.
std::vector<double> widths(const Stencil& stencil)
{
    std::vector<double> result;
    for (int k = 0; k < stencil.dimensions(); ++k) {
        int least = 0;
        int most = 0;
        for (int i = 0; i < stencil.size(); ++i) {
            least = std::min(least, stencil.shift(i, k));
            most = std::max(most, stencil.shift(i, k));
        }
        result.push_back(most - least);
    }
    return result;
}

/// Weight of the edges that a plane across each dimension cuts, for each process along it.
std::vector<double> weighted_widths(const Stencil& stencil, const EdgeWeights& weights)
{
    const std::vector<std::int64_t> weight = weights_of_offsets(weights, stencil);
    std::vector<double> result(static_cast<std::size_t>(stencil.dimensions()));
    for (int i = 0; i < stencil.size(); ++i)
        for (int k = 0; k < stencil.dimensions(); ++k)
            result[k] += static_cast<double>(weight[i]) * std::abs(stencil.shift(i, k));
    return result;
}

int longest_dimension(const Topology& grid)
{
    const std::vector<int>& dims = grid.dims();
    return static_cast<int>(std::max_element(dims.begin(), dims.end()) - dims.begin());
}

/// Strip `j` of `count` begins at this coordinate of a dimension.
int strip_begin(int extent, int count, int j)
{
    return static_cast<int>(static_cast<long long>(extent) * j / count);
}

/// The strip that contains the coordinate.
int strip_of(int extent, int count, int coordinate)
{
    return static_cast<int>(((coordinate + 1LL) * count - 1) / extent);
}

} // namespace

std::vector<int> strips_along(const Topology& grid, const Stencil& stencil, int processes_per_node,
                              const EdgeWeights& weights)
{
    const std::vector<double> width = weights.empty() ? widths(stencil) : weighted_widths(stencil, weights);
    std::vector<int> counts = grid.dims(); // nothing is sent along the dimensions of width 0: cutting costs nothing
    if (grid.dimensions() == 0)
        return counts;
    const int along = longest_dimension(grid);
    counts[along] = 1;
    std::vector<int> across;
    double volume = std::max(1.0, width[along]);
    double used = width[along] > 0 ? 1 : 0;
    for (int k = 0; k < grid.dimensions(); ++k)
        if (k != along && width[k] > 0) {
            across.push_back(k);
            volume *= width[k];
            ++used;
        }
    // Dimensions too short for their share leave more of it to the others, so they come first.
    std::stable_sort(across.begin(), across.end(),
                     [&](int a, int b) { return grid.extent(a) * width[b] < grid.extent(b) * width[a]; });
    double left = processes_per_node;
    for (const int k : across) {
        const double scale = std::pow(left / volume, 1 / used);
        const double wanted = std::clamp(width[k] * scale, 1.0, static_cast<double>(grid.extent(k)));
        counts[k] = static_cast<int>(std::lround(grid.extent(k) / wanted));
        left /= wanted;
        volume /= width[k];
        --used;
    }
    return counts;
}

int stencil_strips_rank(const Topology& grid, const std::vector<int>& counts, int process)
{
    if (grid.dimensions() == 0)
        return 0;
    const int along = longest_dimension(grid);
    std::vector<int> coordinates(counts.size());
    std::vector<int> extents(counts.size(), 1); // extents of the strip
    int left = process;                         // processes that come before it in the part found so far
    int part = grid.size();                     // places in that part
    int layer = 1;                              // places of the strip side by side
    bool backward = false;                      // true if the next dimension is walked from its end
    for (int k = 0; k < grid.dimensions(); ++k) {
        if (k == along)
            continue;
        const int extent = grid.extent(k);
        const int slice = part / extent;
        const int seen = left / slice;
        const int strip = strip_of(extent, counts[k], backward ? extent - 1 - seen : seen);
        const int begin = strip_begin(extent, counts[k], strip);
        const int end = strip_begin(extent, counts[k], strip + 1);
        left -= slice * (backward ? extent - end : begin);
        part = slice * (end - begin);
        layer *= end - begin;
        coordinates[k] = begin;
        extents[k] = end - begin;
        backward = backward != (strip % 2 == 1);
    }
    coordinates[along] = backward ? grid.extent(along) - 1 - left / layer : left / layer;
    int place = left % layer;
    for (int k = grid.dimensions() - 1; k >= 0; --k) {
        coordinates[k] += place % extents[k];
        place /= extents[k];
    }
    return grid.rank(coordinates.data());
}

} // namespace hopscotch::schedules
