// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Which blocks of a neighborhood exist at one process while they travel dimension by dimension: the masks of mesh
// borders and of missing edges.
#pragma once

#include "schedules/grid/neighborhood.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// After the dimensions travelled so far, block b at process r is the one of origin r - (shifts of N_b in those
/// dimensions), on its way to r + (the other shifts). It exists if and only if both are inside the grid; whatever lies
/// between them is then inside as well. Dimensions may be travelled in any order; on a torus every block exists.
///
/// On a partial grid a block exists where that of its origin is combined; dimensions are travelled in the grid's order.
class BlockMask
{
  public:
    /// Before the first dimension: the blocks of this process itself. Requires: the neighborhood outlives this.
    explicit BlockMask(const Neighborhood& neighborhood);

    /// Whether block b is held now.
    bool holds(int b) const noexcept { return beyond_[b] == 0; }

    /// All blocks make their step along dimension k. Requires: not travelled before.
    void travel(int k);

  private:
    /// Whether the process `shift` further along k from this one is outside the grid.
    bool outside(int k, int shift) const noexcept;

    const Neighborhood& neighborhood_;
    std::vector<int> coordinates_;
    void look(int b);

    std::vector<int> origins_; // per block: the cell of a partial grid that it comes from
    std::vector<int>
        beyond_; // per block: dimensions in which its origin or its target is outside, or why it is missing
};

} // namespace hopscotch::schedules
