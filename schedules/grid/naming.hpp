// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Coordinates for ranks in a grid with dimensions in any order, from the slowest varying one to the fastest.
#pragma once

#include "schedules/grid/topology.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hopscotch::schedules
{

class Naming
{
  public:
    /// Shape: d entries each; slowest_first is a permutation of 0 ... d-1.
    /// Throws: std::invalid_argument if it is not a permutation, and the errors of Topology.
    Naming(const std::vector<int>& sizes, const std::vector<bool>& periods, std::vector<int> slowest_first);

    int dimensions() const noexcept { return grid_.dimensions(); }
    int size() const noexcept { return grid_.size(); }
    int extent(int k) const noexcept { return grid_.extent(place(k)); }
    bool periodic(int k) const noexcept { return grid_.periodic(place(k)); }
    const std::vector<int>& slowest_first() const noexcept { return slowest_first_; }

    /// The row-major grid with the same ranks: its dimension i is dimension slowest_first()[i] here.
    const Topology& grid() const noexcept { return grid_; }

    /// Requires: 0 <= rank < size().
    std::vector<int> coordinates(int rank) const;

    /// The rank at coordinates (shape d), taken modulo the size in periodic dimensions; no_rank beyond a border.
    int rank_at(const int* coordinates) const;

    /// The rank at sign * offset (shape d; sign 1 or -1) from a rank; no_rank beyond a border.
    int rank_from(int rank, const int* offset, int sign) const;

    bool operator==(const Naming& other) const noexcept
    {
        return grid_ == other.grid_ && slowest_first_ == other.slowest_first_;
    }

  private:
    /// The place of dimension k in the grid.
    int place(int k) const noexcept { return places_[static_cast<std::size_t>(k)]; }

    Topology grid_;
    std::vector<int> slowest_first_;
    std::vector<int> places_;
};

/// A naming of the processes of a communicator. There may be fewer processes than points of the grid, or more.
class ProcessNaming
{
  public:
    ProcessNaming(Naming naming, int processes) : naming_(std::move(naming)), processes_(processes) {}

    const Naming& naming() const noexcept { return naming_; }
    int processes() const noexcept { return processes_; }
    int dimensions() const noexcept { return naming_.dimensions(); }
    int size() const noexcept { return naming_.size(); }

    /// True if a rank has a name: if it belongs to a process and to a point.
    bool names(int rank) const noexcept { return rank >= 0 && rank < processes_ && rank < size(); }

    /// The rank at coordinates; no_rank beyond a border and at a point without process.
    int rank_at(const int* coordinates) const;

    /// The rank at sign * relative from `source`; no_rank also for a source without name.
    int rank_from(int source, const int* relative, int sign) const;

  private:
    Naming naming_;
    int processes_;
};

/// Sizes, periods and order of the dimensions in one list. Shape: 3 d entries.
std::vector<int> as_list(const Naming& naming);

/// The first difference between two such lists: that of this rank, and that of rank 0. A list is empty without a
/// naming. Requires: they differ.
std::string difference_of_names(int rank, const std::vector<int>& list, const std::vector<int>& of_rank_0);

} // namespace hopscotch::schedules
