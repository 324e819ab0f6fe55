// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes the messages of a call as a GOAL file, for the simulators LogGOPSim and ATLAHS.
#pragma once

#include "schedules/plan/schedule.hpp"

#include <cstddef>
#include <functional>
#include <iosfwd>

namespace hopscotch::schedules
{

/// One `send` and one `recv` for each message, tagged with its phase. The end of a phase is a `calc 0` that requires
/// the receives of the phase and the end of the phase before; a send requires the end of the phase before. Copies, and
/// blocks that stay on a process, are left out. Source: Hoefler, Siebert, Lumsdaine, Group Operation Assembly Language,
/// ICPP 2009; the text form of `txt2bin` of LogGOPSim. The form: docs/simulation.md. Collective: of all processes, so
/// that every message has both its ends. Units: bytes of one block.
void write_goal(std::ostream& stream, int processes, std::size_t block_bytes,
                const std::function<Schedule(int rank)>& schedule_of);

} // namespace hopscotch::schedules
