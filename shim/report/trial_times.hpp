// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Judges the times of a trial: the native time in it, the load of others during it, and the calls after it that do
// not bear it out.
#pragma once

#include "shim/report/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// The time of the MPI library's function in the same trial, found in the same way as those of the other algorithms;
/// nothing if it was not tried.
std::optional<double> native_seconds(const GraphSummary& graph, const TrialRecord& trial);

/// True if others took so much of the cores' time during a measurement that its times say nothing. False if it is not
/// known.
bool is_disturbed(double others_share) noexcept;

/// "others took 45.0 % of the time of a process's core"
std::string disturbed_text(double others_share);

/// One sentence for each operation of a graph whose calls took far longer than in the trial that chose its algorithm,
/// and than native calls in that trial. An operation with several size classes has one line of calls for all of them,
/// which cannot be compared with one trial.
std::vector<std::string> contradictions(const Report& report);

} // namespace hopscotch::shim
