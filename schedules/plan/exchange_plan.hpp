// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The part of one process in an exchange by messages: a schedule, and the relations between its rounds.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/schedule.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace hopscotch::schedules
{

struct ExchangePlan {
    Schedule schedule;

    /// Blocks above the cut-off take no part: each travels by itself along its edge. Units: bytes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();
    Edges edges{}; // edges of the schedule; not needed without a cut-off
};

/// The rounds of all phases in order. They belong to the schedule.
std::vector<const Round*> rounds_of(const Schedule& schedule);

/// For each block that arrives, by its transit index: the round that brings it.
std::vector<std::size_t> bringing_rounds(const Schedule& schedule);

/// For each round the receive slot that its message is for as a whole: one block, delivered once, not sent on; else -1.
std::vector<int> whole_message_slots(const Schedule& schedule);

} // namespace hopscotch::schedules
