// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says on which way blocks travel: the step that each of them makes in each phase.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/plan/split.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// The steps of a stencil's blocks in one phase: each block makes one of the distinct steps, or none.
struct Steps {
    std::vector<int> dimensions; // along which there are steps
    Stencil distinct;            // the steps in lexicographic order, the zero step always; a shift per dimension above
    int none = 0;                // the index of the zero step
    std::vector<int> of_block;   // the index of each block's step

    int shift(int b, std::size_t j) const noexcept { return distinct.shift(of_block[b], static_cast<int>(j)); }
    Load load() const noexcept;
};

/// The phases in order, those without any step left out.
using Routing = std::vector<Steps>;

/// Dimensions whose shifts are travelled in one phase, as one step; or one dimension whose shifts are sums of steps, at
/// most one in each of several phases.
struct Group {
    std::vector<int> dimensions;
    int phases = 1;

    bool operator==(const Group& other) const noexcept
    {
        return dimensions == other.dimensions && phases == other.phases;
    }
};

/// "0+1/2:3": dimensions 0 and 1 in the first phase, dimension 2 in three more.
std::string to_string(const std::vector<Group>& groups);

/// Reads the text of to_string(). Throws: std::invalid_argument when it is no such text.
std::vector<Group> parse_groups(const std::string& text);

/// True if each of so many dimensions is in one group, and groups of several dimensions have one phase.
bool fit(const std::vector<Group>& groups, int dimensions);

/// True if the groups split a dimension.
bool splits(const std::vector<Group>& groups) noexcept;

/// A phase for each dimension in this order: the way of Träff & Hunold, ICPP 2019.
/// Throws: std::invalid_argument when dimension_order is no permutation of the dimensions.
Routing route_along(const Stencil& stencil, const std::vector<int>& dimension_order);

/// The phases of the groups in their order. Requires: the stencil is canonical on the topology; the groups fit.
/// Cost: O(t d).
Routing route_of(const Stencil& stencil, const Topology& topology, const std::vector<Group>& groups);

/// Along each dimension of a torus in steps of 1, 2, 4 ..., by the bits of the shift, counted upwards. In a tree of all
/// shifts every node is a target, so that no block travels in vain. Requires: as route_of().
Routing route_by_bits(const Stencil& stencil, const Topology& torus);

} // namespace hopscotch::schedules
