// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Judges the times of a trial: the native time in it, and the load of others during it.
#pragma once

#include "shim/report/statistics.hpp"

#include <optional>
#include <string>

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

} // namespace hopscotch::shim
