// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The mapping that gives each node a brick of the process grid, all of one shape.
#include "schedules/mapping/brick_mapping.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace hopscotch::schedules
{

namespace
{

/// Processes of a row of `width` that have their neighbor along dimension k in the same row.
int staying_along(const Topology& grid, int k, int shift, int width)
{
    const int away = std::abs(grid.canonical_shift(k, shift));
    const int round = grid.periodic(k) ? std::max(0, width - (grid.extent(k) - away)) : 0;
    return std::max(0, width - away) + round;
}

/// Finds the brick with most edges inside, over all shapes.
class BrickSearch
{
  public:
    BrickSearch(const Topology& grid, const Stencil& stencil, const EdgeWeights& weights)
        : grid_(grid), stencil_(stencil), weights_(weights_of_offsets(weights, stencil)), shape_(grid.dims().size(), 1)
    {
    }

    std::vector<int> best(int processes)
    {
        choose_from(0, processes);
        return best_;
    }

  private:
    /// Tries all extents along dimension k and the later dimensions, which take `left` processes together.
    void choose_from(int k, int left)
    {
        if (k == grid_.dimensions()) {
            if (left == 1)
                compare();
            return;
        }
        for (int extent = 1; extent <= std::min(left, grid_.extent(k)); ++extent)
            if (left % extent == 0 && grid_.extent(k) % extent == 0) {
                shape_[k] = extent;
                choose_from(k + 1, left / extent);
            }
    }

    void compare()
    {
        const std::int64_t inside = edges_inside();
        if (inside > most_inside_) {
            most_inside_ = inside;
            best_ = shape_;
        }
    }

    std::int64_t edges_inside() const
    {
        std::int64_t sum = 0;
        for (int i = 0; i < stencil_.size(); ++i) {
            std::int64_t staying = weights_[i];
            for (int k = 0; k < grid_.dimensions(); ++k)
                staying *= staying_along(grid_, k, stencil_.shift(i, k), shape_[k]);
            sum += staying;
        }
        return sum;
    }

    const Topology& grid_;
    const Stencil& stencil_;
    std::vector<std::int64_t> weights_; // by offset
    std::vector<int> shape_;
    std::vector<int> best_;
    std::int64_t most_inside_ = -1;
};

} // namespace

std::vector<int> best_brick(const Topology& grid, const Stencil& stencil, int processes_per_node,
                            const EdgeWeights& weights)
{
    return BrickSearch(grid, stencil, weights).best(processes_per_node);
}

int brick_rank(const Topology& grid, const std::vector<int>& shape, int process)
{
    int processes_per_node = 1;
    for (const int extent : shape)
        processes_per_node *= extent;
    int brick = process / processes_per_node;
    int place = process % processes_per_node;
    std::vector<int> coordinates(shape.size());
    for (int k = grid.dimensions() - 1; k >= 0; --k) {
        const int bricks = grid.extent(k) / shape[k];
        coordinates[k] = brick % bricks * shape[k] + place % shape[k];
        brick /= bricks;
        place /= shape[k];
    }
    return grid.rank(coordinates.data());
}

} // namespace hopscotch::schedules
