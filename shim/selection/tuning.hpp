// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes what trials have found as JSON, and reads it again in another run.
#pragma once

#include <cstddef>
#include <string>

namespace hopscotch::shim
{

/// Where trials were made: times of another library or machine say nothing.
struct TuningGround {
    std::string library;
    std::string machine;
};

/// The trials of a tuning file that were made on this ground, as a list in JSON; "" where there are none. Local.
/// Throws: std::invalid_argument where the text is no tuning file; an empty one is.
std::string fitting_trials(const std::string& file, const TuningGround& ground);

/// Remembers such a list as if its trials had been made in this run. Local. Throws: std::invalid_argument.
void recall_trials(const std::string& list);

/// The file with all trials that this process remembers instead of those it had of the same kind. Local.
/// Throws: as fitting_trials.
std::string with_learned_trials(const std::string& file, const TuningGround& ground);

} // namespace hopscotch::shim
