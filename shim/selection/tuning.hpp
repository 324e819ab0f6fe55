// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Writes the results of trials as JSON, and reads them again in another run.
#pragma once

#include "schedules/selection/learned_trials.hpp"

#include <string>

namespace hopscotch::shim
{

/// The library and machine of trials: times of another library or machine do not apply.
struct TuningGround {
    std::string library;
    std::string machine;
};

/// The trials of a tuning file that were made on this ground, as a list in JSON; "" if there are none.
/// Throws: std::invalid_argument if the text is no tuning file; an empty one is.
std::string fitting_trials(const std::string& file, const TuningGround& ground);

/// Adds such a list to the learned trials. Throws: std::invalid_argument.
void recall_trials(const std::string& list, schedules::LearnedTrials& learned);

/// The file with all trials that are learned instead of those it had of the same kind. Throws: as fitting_trials.
std::string with_trials(const std::string& file, const schedules::LearnedTrials& learned, const TuningGround& ground);

} // namespace hopscotch::shim
