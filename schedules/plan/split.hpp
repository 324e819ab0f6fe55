// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Splits the shifts along one dimension into steps of several phases: fewer messages, more phases.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// The rounds of a process in one phase of an alltoall.
struct Load {
    int rounds = 0;
    int blocks = 0; // sent

    bool operator<(const Load& other) const noexcept
    {
        return rounds != other.rounds ? rounds < other.rounds : blocks < other.blocks;
    }
};

/// M and V of some phases.
Load total(const std::vector<Load>& loads) noexcept;

/// The fewest rounds with which so many phases reach so many processes, the own one included: a block chooses one of
/// a_p steps, or none, in phase p, so the product of all (a_p + 1) is at least `processes`.
/// Test: split_test.cpp. Source: docs/algorithms.md.
int fewest_rounds(long long processes, int phases);

/// Every shift as the sum of its word: a step of each phase, 0 where it makes none.
struct Split {
    std::vector<int> shifts;             // distinct, increasing, without 0
    std::vector<std::vector<int>> words; // of each
    std::vector<Load> loads;             // of the phases that have steps
};

/// Splits the shifts along dimension k into `phases` phases with few rounds, of those with few blocks sent. In a mesh
/// dimension every partial sum lies between 0 and the shift; steps in a periodic one are canonical.
/// Cost: O(t) and a search that ends after some 2^15 steps.
Split split(const Stencil& stencil, const Topology& topology, int k, int phases);

} // namespace hopscotch::schedules
