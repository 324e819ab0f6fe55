// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The name of a stencil on a process grid, where both directions may lead to the same process.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <string>

namespace hopscotch::schedules
{

/// The name of the shape as the program thinks of it. A shift by half of a periodic dimension leads to one process in
/// both directions, and the stencil has one of them. Along two processes it counts for both. Along more it does if it
/// is listed an even number of times. A shape that is no range around the process in this way has the name of its
/// offsets as they are. Requires: canonical.
std::string name(const Stencil& stencil, const Topology& topology);

} // namespace hopscotch::schedules
