// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The message-combining schedules on tori, meshes and mixed grids: blocks travel along a route and share messages.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/routing.hpp"
#include "schedules/plan/schedule.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// Every block travels along the route; the blocks of a process that make the same step in a phase share a message. One
/// phase per phase of the route, one round per distinct step.
/// On a mesh a block exists only where both its ends do; then every intermediate process exists as well, and a round
/// with nothing to send or receive on this process lacks that message; a round with neither is left out, a phase never,
/// so that phase j is the same on all processes. In a phase at most one message goes from any process to any other.
/// Requires: the routing is one of the neighborhood's stencil; on a partial grid, that of route_along.
/// Collective: local; all processes must build it from the same topology, stencil and routing. Cost: O(t d) on a torus.
/// Source: Träff & Hunold, ICPP 2019, Algorithm 1, Proposition 3.2, for the route along the dimensions; blocks rest in
/// transit buffers instead of alternating with the receive buffer. Other routes: docs/algorithms.md.
Schedule combining_alltoall(const Neighborhood& neighborhood, const Routing& routing);

/// The route along the dimensions, from the first to the last.
Schedule combining_alltoall(const Neighborhood& neighborhood);

/// A process's block travels along a tree whose level k holds the distinct k-prefixes of the ways; subtrees that make
/// the same step share a message. Send slot 0 is the process's block; repeated offsets are delivered to all their
/// slots. On a mesh the tree is cut where no target remains inside the grid. All else as in combining_alltoall.
/// Source: Träff & Hunold, ICPP 2019, Algorithm 2, Proposition 3.3.
Schedule combining_allgather(const Neighborhood& neighborhood, const Routing& routing);

/// The rounds of each phase of that tree, and its edges: the blocks that each process sends. Repeated offsets count
/// once; an edge without a step is none. On a mesh at most. `blocks`: as many as offsets.
std::vector<Load> tree_loads(const Routing& routing, int blocks);

} // namespace hopscotch::schedules
