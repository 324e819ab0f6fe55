// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The message-combining schedule of neighborhood alltoall on tori, meshes and mixed grids.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/schedule.hpp"

namespace hopscotch::schedules
{

/// Every block travels dimension by dimension along the non-zero shifts of its offset; the blocks of a process that
/// make the same step share a message. One phase per dimension that has non-zero shifts, one round per distinct shift.
/// On a mesh a block exists only where both its ends do; then every intermediate process exists as well, and a round
/// with nothing to send or receive on this process lacks that message; a round with neither is left out, a phase never,
/// so that phase j is the same dimension on all processes. At most one message goes from any process to any other.
/// Collective: local; all processes must build it from the same topology and stencil. Cost: O(t d).
/// Source: Träff & Hunold, ICPP 2019, Algorithm 1, Proposition 3.2; blocks rest in transit buffers instead of
/// alternating with the receive buffer.
Schedule combining_alltoall(const Neighborhood& neighborhood);

} // namespace hopscotch::schedules
