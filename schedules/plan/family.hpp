// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The combining schedules that a stencil has: fewer phases for more rounds, and the other way round.
#pragma once

#include "schedules/plan/routing.hpp"
#include "schedules/plan/split.hpp"

#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// One schedule of the family, and what it costs on a torus; on a mesh at most.
struct Member {
    std::vector<Group> groups; // of the dimensions with shifts
    std::vector<Load> loads;   // of each phase

    int rounds() const noexcept { return total(loads).rounds; } // M
    int volume() const noexcept { return total(loads).blocks; } // V, of alltoall
    int phases() const noexcept { return static_cast<int>(loads.size()); }
};

/// The paper's: one phase for each dimension that has shifts.
Member paper_member(const Stencil& stencil);

/// The members made of groups and splits of dimensions that no other one equals in rounds, phases and volume at once,
/// by increasing rounds. The one with a single phase sends blocks directly. Only the paper's where the count takes more
/// than 2^18 steps: 3,124 neighbors in five dimensions take less.
/// Requires: canonical on the topology. Cost: O(2^d t), and d searches of split().
std::vector<Member> family(const Stencil& stencil, const Topology& topology);

/// The groups of a member of the family. `wanted`: "rounds", the one with the fewest; "phases", the one with the fewest
/// but one. Requires: the family is not empty.
const std::vector<Group>& wanted_groups(const std::string& wanted, const std::vector<Member>& family);

/// No schedule with so many messages of each process in so many phases brings blocks to t processes in fewer hops.
/// Requires: there is such a schedule. Source: docs/algorithms.md. Test: family_test.cpp.
long long least_volume(int t, int rounds, int phases);

} // namespace hopscotch::schedules
