// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the fewest rounds and blocks of a stencil for each number of phases, and those that are reached.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <string>

namespace hopscotch::tool
{

/// For a person: a row for each number of phases, the bounds beside the members of the family.
std::string bounds_text(const schedules::Topology& topology, const schedules::Stencil& stencil);

} // namespace hopscotch::tool
