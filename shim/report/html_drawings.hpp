// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Draws one graph: its process grid, its stencil, its schedule.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>

namespace hopscotch::shim
{

/// SVG elements; empty where there is nothing to draw: no grid, more than three dimensions, too many offsets.
std::string grid_drawing(const GraphDescription& graph);
std::string stencil_drawing(const GraphDescription& graph);
std::string schedule_drawing(const GraphDescription& graph);

} // namespace hopscotch::shim
