// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An ordered list of offsets, the same on every process of a Cartesian neighborhood, and its properties.
#pragma once

#include "schedules/grid/topology.hpp"

#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// t offsets of d shifts each. Repeated offsets and the zero offset are allowed.
class Stencil
{
  public:
    Stencil() = default;

    /// Shape: shifts holds t*d values, offset after offset.
    /// Throws: std::invalid_argument if dimensions is negative or does not divide the number of shifts.
    Stencil(int dimensions, std::vector<int> shifts);

    int size() const noexcept { return size_; }
    int dimensions() const noexcept { return dimensions_; }
    const int* offset(int i) const noexcept { return shifts_.data() + index(i, 0); }
    int shift(int i, int k) const noexcept { return shifts_[index(i, k)]; }
    const std::vector<int>& shifts() const noexcept { return shifts_; }

    /// Appends one offset of d shifts. Requires: the offset is not stored in this stencil itself.
    void append(const int* offset);

    bool operator==(const Stencil& other) const noexcept
    {
        return dimensions_ == other.dimensions_ && shifts_ == other.shifts_;
    }

  private:
    std::size_t index(int i, int k) const noexcept
    {
        return static_cast<std::size_t>(i) * static_cast<std::size_t>(dimensions_) + static_cast<std::size_t>(k);
    }
    int dimensions_ = 0;
    int size_ = 0;
    std::vector<int> shifts_;
};

/// Number of non-zero shifts of offset i: the number of times that its block is sent if blocks travel dimension by
/// dimension.
/// Source: z_i in Träff & Hunold, ICPP 2019, Proposition 3.2.
int hops(const Stencil& stencil, int i) noexcept;

/// Largest absolute shift of the stencil; 0 for an empty one.
int radius(const Stencil& stencil) noexcept;

/// The k-th shift of every offset, in list order.
std::vector<int> shifts_along(const Stencil& stencil, int k);

/// The distinct non-zero k-th shifts, increasing. Their number is C_k of Proposition 3.2.
std::vector<int> distinct_shifts(const Stencil& stencil, int k);

/// C = sum over the dimensions of the number of distinct non-zero shifts.
int rounds(const Stencil& stencil);

/// V of alltoall = sum of the hops of all offsets. Units: blocks per process.
int alltoall_volume(const Stencil& stencil) noexcept;

/// Number of blocks that leave the process if each is sent directly: the offsets that are not zero.
int direct_volume(const Stencil& stencil) noexcept;

/// Distinct processes other than itself that a process sends to: messages of the merged schedule. Requires: sorted.
int distinct_peers(const Stencil& stencil);

/// The dimensions by increasing C_k, those alike in their order.
std::vector<int> dimensions_by_rounds(const Stencil& stencil);

/// True if the stencil has a step to the next process, one way or the other, along every dimension with more than one:
/// then edges connect every process with every other, so all are part of the same exchange.
bool steps_along_every_dimension(const Stencil& stencil, const Topology& topology);

/// The stencil with every shift canonical on the topology (Topology::canonical_shift); order and repeats are kept.
Stencil canonical(const Stencil& stencil, const Topology& topology);

/// Indices of the offsets in lexicographic order, the shifts compared in the given order of dimensions; repeats stay in
/// list order. Cost: O(t d) while the shifts of a dimension lie close together.
std::vector<int> lexicographic_order(const Stencil& stencil, const std::vector<int>& dimension_order);

/// The offsets in lexicographic order, repeats kept.
Stencil sorted(const Stencil& stencil);

/// The usual name of the shape: "moore", "von Neumann", "star" (axis-parallel, radius above 1), "box" (a full product
/// of shifts that is not the same symmetric range in every dimension), or "custom". The order, repeats, the zero offset
/// and dimensions without any shift make no difference; a stencil of one offset is "custom".
std::string name(const Stencil& stencil);

/// All offsets with every shift in [-radius, radius], without the zero offset, in lexicographic order: 8 of radius 1
/// for d = 2, 26 for d = 3.
Stencil moore(int dimensions, int radius);

/// The axis-parallel offsets up to a distance: 2*d*radius of them, dimension after dimension, increasing; for radius 1
/// the neighbor order of a Cartesian communicator.
Stencil star(int dimensions, int radius);

/// The paper's benchmark stencils: every shift takes the n values first, first+1, ..., first+n-1; n^d offsets, the zero
/// offset included, in lexicographic order. Source: Träff & Hunold, ICPP 2019, section 4.1.1.
Stencil grid(int dimensions, int n, int first);

} // namespace hopscotch::schedules
