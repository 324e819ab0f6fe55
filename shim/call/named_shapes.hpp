// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names the stencils of graphs for the report, once for graphs that are alike.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/plan/family.hpp"

#include <memory>
#include <string>

namespace hopscotch::shim
{

/// The facts of a stencil on a process grid that a report shows.
struct NamedShape {
    schedules::Stencil stencil;
    schedules::Topology topology;
    std::string name; // schedules::name
    int radius;
    schedules::Member member; // schedules::paper_member
};

/// Those facts, which take some 15 us to find: programs free graphs of few shapes, and many of each. Local; any thread.
std::shared_ptr<const NamedShape> named_shape(const schedules::Stencil& stencil, const schedules::Topology& topology);

} // namespace hopscotch::shim
