// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Schedules on partial grids: edges that the grid explains are combined, the others travel directly meanwhile.
#pragma once

#include "schedules/grid/partial_place.hpp"
#include "schedules/plan/schedule.hpp"

#include <memory>

namespace hopscotch::schedules
{

/// The blocks of direct edges share messages with those to the same process, in the first phase. Blocks with a detour
/// join messages of others; such blocks may need a phase of their own at the end. For combined blocks see
/// combining_alltoall and combining_allgather. Throws: as place().
Schedule partly_combining(std::shared_ptr<const PartialGrid> grid, Blocks blocks, const Edges& edges);

} // namespace hopscotch::schedules
