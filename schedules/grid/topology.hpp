// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes in a d-dimensional grid: its sizes, its periodic dimensions, and the map from coordinates to ranks.
#pragma once

#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// The source of a process grid: none, the Cartesian communicator that a graph was made from, the user, an earlier
/// communicator or call of the program, the search for grids that explain the neighbor lists, or the order of the
/// lists.
enum class GridOrigin { none, parent, hint, recorded, inferred, list_order };

/// The name of a source in reports; "" for none.
constexpr const char* name(GridOrigin origin) noexcept
{
    constexpr const char* names[] = {"", "parent", "hint", "recorded", "inferred", "list order"};
    return names[static_cast<int>(origin)];
}

/// Stands for a missing process: outside a mesh, or an entry MPI_PROC_NULL of a neighbor list.
constexpr int no_rank = -1;

/// Row-major grid of processes, as MPI_Cart_create lays it out: the last dimension varies fastest.
class Topology
{
  public:
    /// The grid without dimensions: one process.
    Topology() = default;

    /// Shape: dims and periods have d entries each; every entry of dims is at least 1.
    /// Throws: std::invalid_argument naming the value if shapes differ, a size is below 1, or the product exceeds int.
    Topology(std::vector<int> dims, std::vector<bool> periods);

    int dimensions() const noexcept { return static_cast<int>(dims_.size()); }
    int size() const noexcept { return size_; }
    int extent(int k) const noexcept { return dims_[static_cast<std::size_t>(k)]; }
    bool periodic(int k) const noexcept { return periods_[static_cast<std::size_t>(k)]; }
    const std::vector<int>& dims() const noexcept { return dims_; }
    const std::vector<bool>& periods() const noexcept { return periods_; }
    bool fully_periodic() const noexcept;

    /// Writes the d coordinates of rank. Requires: 0 <= rank < size().
    void coordinates(int rank, int* coordinates) const noexcept;
    std::vector<int> coordinates(int rank) const;

    /// Rank at the coordinates. Requires: every coordinate inside its dimension.
    int rank(const int* coordinates) const noexcept;

    /// Rank of the process at an offset (d shifts) from rank; no_rank beyond a mesh border.
    int neighbor(int rank, const int* offset) const noexcept;

    /// Rank of the process `shift` further along dimension k; no_rank beyond a mesh border.
    int shifted(int rank, int k, int shift) const noexcept;

    /// The shift in its one canonical form: in a periodic dimension of size n the representative in (-n/2, n/2], so
    /// that -1 becomes +1 if n is 2 and every shift becomes 0 if n is 1; unchanged in a mesh dimension.
    int canonical_shift(int k, int shift) const noexcept;

    bool operator==(const Topology& other) const noexcept { return dims_ == other.dims_ && periods_ == other.periods_; }

  private:
    std::vector<int> dims_;
    std::vector<bool> periods_;
    int size_ = 1;
};

/// "3x3x3, all periodic" reads as "3px3px3p": the notation of HOPSCOTCH_DIMS.
std::string to_string(const Topology& topology);

} // namespace hopscotch::schedules
