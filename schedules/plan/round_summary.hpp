// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A schedule, phase by phase and round by round, in a few numbers: for explanations and drawings.
#pragma once

#include "schedules/grid/topology.hpp"
#include "schedules/plan/schedule.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// One message out: `shift` further along the dimension of its phase, with blocks of this process itself and blocks in
/// transit.
struct RoundSummary {
    int shift = 0;
    int own_blocks = 0;
    int forwarded_blocks = 0;
};

struct PhaseSummary {
    int dimension = 0;
    std::vector<RoundSummary> rounds; // by increasing shift
};

/// The messages that `rank` sends in a combining schedule with phases through the dimensions in `dimension_order`,
/// without those that have no shift. Requires: the schedule is that of `rank` on the topology. Cost: O(t d).
std::vector<PhaseSummary> round_summary(const Schedule& schedule, const Topology& topology, int rank,
                                        const std::vector<int>& dimension_order);

/// The process with half of every dimension on either side: it sees most of a mesh.
int middle(const Topology& topology);

} // namespace hopscotch::schedules
