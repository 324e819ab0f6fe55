// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Knows the schedules by which combined blocks of a graph may travel: families of stencils, each searched once.
#pragma once

#include "schedules/nodes/preferred_member.hpp"
#include "shim/graph/graph.hpp"
#include "shim/group/process_group.hpp"

#include <vector>

namespace hopscotch::shim
{

/// The groups that HOPSCOTCH_COMBINING asks for; none: the paper's schedule. The same on all processes. Local.
/// Requires: the graph is isomorphic. Cost: at first that of family().
std::vector<schedules::Group> combining_groups(const Graph& graph);

/// The members by size for the blocks of a call, as preferred_members() finds them with the agreed network; empty if
/// the setting asks for one, or if there is but one node. The same on all processes. Local. Requires, Cost: as above.
std::vector<schedules::PreferredMember> combining_members(schedules::Blocks blocks, const Graph& graph,
                                                          const ProcessGroup& group);

} // namespace hopscotch::shim
