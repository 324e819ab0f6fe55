// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Which blocks of a neighborhood exist at one process while they travel phase by phase: the masks of mesh
// borders and of missing edges.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/routing.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// After the steps travelled so far, block b at process r is the one of origin r - (their sum), on its way to
/// r + (N_b without them). It exists if and only if both are inside the grid; whatever lies between them is then inside
/// as well. Steps may be travelled in any order; on a torus every block exists.
///
/// On a partial grid a block exists where that of its origin is combined; dimensions are travelled in the grid's order.
class BlockMask
{
  public:
    /// Before the first phase: the blocks of this process itself. Requires: the neighborhood outlives this.
    explicit BlockMask(const Neighborhood& neighborhood);

    /// True if the process holds block b now.
    bool holds(int b) const noexcept { return beyond_[b] == 0; }

    /// All blocks make their step of a phase.
    void travel(const Steps& steps);

  private:
    /// True if the process `shift` further along k from this one is outside the grid.
    bool outside(int k, int shift) const noexcept;

    /// True if the origin or the target of block b is outside the grid, along k.
    bool missing(int k, int b) const noexcept;
    void look(int b);

    const Neighborhood& neighborhood_;
    std::vector<int> coordinates_;
    std::vector<std::vector<int>> travelled_; // per dimension and block, of a mesh: the sum of its steps
    std::vector<int> origins_;                // per block: the cell of a partial grid that it comes from
    std::vector<int> beyond_; // per block: dimensions in which one of its ends is outside, or whether it is missing
};

} // namespace hopscotch::schedules
