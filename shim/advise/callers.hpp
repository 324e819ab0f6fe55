// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells the calls at one place of a program apart by the callers of the function around it, where these make different
// exchanges. Knows no MPI.
#pragma once

#include "shim/advise/seen.hpp"

#include <vector>

namespace hopscotch::shim
{

/// Makes one site of all sites at one place, the same on all processes, but for callers that exchange with other peers
/// in other exchanges: a function that sends for three exchanges has three sites then.
void join_callers(std::vector<SeenProcess>& processes);

} // namespace hopscotch::shim
