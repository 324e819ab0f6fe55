// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds choices of trials that the calls after them do not bear out.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>
#include <vector>

namespace hopscotch::shim
{

/// One sentence for each operation of a graph whose calls took far longer than in the trial that chose its algorithm,
/// and than native calls in that trial. An operation with several size classes has one line of calls for all of them,
/// which cannot be compared with one trial.
std::vector<std::string> contradictions(const Report& report);

} // namespace hopscotch::shim
