// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Explains the behavior of Hopscotch for a process grid and a stencil, without MPI.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <string>

namespace hopscotch::tool
{

/// "-3", "+3". Throws: std::invalid_argument naming a text that is no number.
int parse_int(const std::string& text);

/// "moore", "moore:2", "neumann", "star:3", "box:N:FIRST", or offsets "0,1;1,0;-1,-1".
/// Throws: std::invalid_argument naming the allowed values.
schedules::Stencil parse_stencil(const std::string& text, int dimensions);

/// For a person: the schedule round by round, C, V, cut-off, allgather, a drawing.
std::string explain_text(const schedules::Topology& topology, const schedules::Stencil& stencil, int rank);

/// The same for programs.
std::string explain_json(const schedules::Topology& topology, const schedules::Stencil& stencil, int rank);

} // namespace hopscotch::tool
