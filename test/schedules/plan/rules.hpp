// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Checks schedules against their own rules, and prints them.
#pragma once

#include "schedules/plan/schedule.hpp"

#include <iosfwd>
#include <vector>

namespace hopscotch::schedules
{

/// Throws std::logic_error if the schedule breaks its own rules; the text names phase and round. Rules of transit
/// blocks: none is sent before the phase after its arrival, and the round that brings one delivers it. Rules of
/// messages: blocks come with a process, and a process with blocks; arrivals are counted right. Rules of places:
/// indices are in range, each place has a role that it may have, and each receive slot is written once. `send_slots`
/// and `receive_slots` are the lengths of the neighbor lists (send_slots is 1 for allgather); receive slots listed in
/// `unused` are expected to stay unwritten (neighbors MPI_PROC_NULL).
void validate(const Schedule& schedule, int send_slots, int receive_slots, const std::vector<int>& unused = {});

std::ostream& operator<<(std::ostream& stream, const Slot& slot);
std::ostream& operator<<(std::ostream& stream, const Schedule& schedule);

} // namespace hopscotch::schedules
