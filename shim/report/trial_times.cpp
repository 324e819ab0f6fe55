// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Judges the times of a trial: the native time in it, and the load of others during it.
#include "shim/report/trial_times.hpp"

#include "shim/report/summary.hpp"

namespace hopscotch::shim
{

std::optional<double> native_seconds(const GraphSummary& graph, const TrialRecord& trial)
{
    for (const TrialRecord& other : graph.trials)
        if (other.algorithm == "native" && other.function == trial.function &&
            other.block_bytes_most == trial.block_bytes_most)
            return other.seconds;
    return std::nullopt;
}

bool is_disturbed(double others_share) noexcept
{
    constexpr double most = 0.1; // less is the system at work, more is a process beside ours
    return others_share > most;
}

std::string disturbed_text(double others_share)
{
    return "others took " + percent_text(others_share, 1.0) + " of the time of a process's core";
}

} // namespace hopscotch::shim
