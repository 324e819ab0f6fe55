// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the schedule by which an algorithm carries a collective in messages.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/plan/algorithm.hpp"
#include "schedules/plan/routing.hpp"
#include "schedules/plan/schedule.hpp"

namespace hopscotch::schedules
{

/// The way of combined blocks: by the groups; where there are none, along the dimensions, for allgather in their best
/// order.
Routing combining_routing(Blocks blocks, const Topology& grid, const Stencil& stencil,
                          const std::vector<Group>& groups);

/// The schedule of one process. `algorithm`: trivial, merged or combining, the last along combining_routing(). Requires
/// for combining: grid and stencil explain the edges, or the collective is among all processes of the grid.
Schedule schedule_for(Algorithm algorithm, Collective collective, const Edges& edges, const Topology& grid,
                      const Stencil& stencil, const std::vector<Group>& groups = {});

} // namespace hopscotch::schedules
