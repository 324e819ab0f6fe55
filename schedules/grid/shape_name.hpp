// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The name of a stencil on a process grid, where both directions may lead to the same process.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <string>

namespace hopscotch::schedules
{

/// The name of the shape as the program thinks of it: on a narrow grid several offsets of a shape lead to one process.
/// "von Neumann", "star" or "moore" if the shape, canonical on the grid, has the same offsets as often. With radius 1
/// the same offsets suffice: on a mesh, or in a list without repeats, some are missing. Else the name of the offsets as
/// they are. One zero offset more makes no difference. Requires: canonical.
std::string name(const Stencil& stencil, const Topology& topology);

} // namespace hopscotch::schedules
