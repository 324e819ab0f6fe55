// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cells of a torus with borders that may be shifted against each other, like helical boundaries.
#pragma once

#include "schedules/grid/topology.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// The quotient, rounded down. Requires: divisor > 0.
inline int floor_of(int value, int divisor) noexcept
{
    return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
}

/// The d-dimensional integer vectors modulo a lattice: every finite abelian group with d generators. Cells are numbered
/// row by row, as the ranks of a Topology are.
class Lattice
{
  public:
    /// One cell without dimensions.
    Lattice() = default;

    /// The grid with all dimensions periodic.
    explicit Lattice(std::vector<int> extents);

    /// Shape: wraps[k] has k entries. extents[k] steps along dimension k lead as far as wraps[k][j] steps along each
    /// earlier dimension j.
    Lattice(std::vector<int> extents, std::vector<std::vector<int>> wraps);

    int dimensions() const noexcept { return static_cast<int>(extents_.size()); }
    int size() const noexcept { return size_; }
    /// Numbers of cells that are neighbors along dimension k differ by that, but at the border.
    int stride(int k) const noexcept { return strides_[static_cast<std::size_t>(k)]; }
    int extent(int k) const noexcept { return extents_[static_cast<std::size_t>(k)]; }
    const std::vector<int>& extents() const noexcept { return extents_; }
    bool is_torus() const noexcept { return wraps_.empty(); }

    /// The coordinates of a cell; each from 0 up to the extent. Writes d entries.
    void coordinates(int cell, int* coordinates) const noexcept;

    /// The cell at any coordinates; changes them to the cell's own coordinates. Shape: d entries.
    int reduce(int* coordinates) const noexcept;

    /// The cell so many steps further along dimension k.
    int moved(int cell, int k, int shift) const noexcept;

    /// A shortest way, in steps along each dimension, to the cell that lies at these coordinates from cell 0: along as
    /// few dimensions as possible, then with as few steps; forward if both ways have the same length. Writes d entries.
    /// On a sheared lattice it is the shortest of the ways around each dimension once.
    void shortest(const int* coordinates, int* steps) const;

  private:
    std::vector<int> extents_;
    std::vector<int> strides_;
    std::vector<std::vector<int>> wraps_; // empty: all are 0
    int size_ = 1;
};

} // namespace hopscotch::schedules
