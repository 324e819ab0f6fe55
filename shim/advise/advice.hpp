// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Advice on a job's point-to-point messages, as JSON: docs/advice.schema.json.
#pragma once

#include "shim/advise/exchanges.hpp"

#include <string>

namespace hopscotch::shim
{

/// The prediction of the cost model for one exchange.
struct Prediction {
    double messages; // a process would send
    double ratio;    // of the time of messages
    double seconds;  // of an exchange, waiting for late processes included
    double least;    // the range that docs/advice.md states
    double most;
    std::string algorithm;
};

/// The predicted time of a neighborhood collective in place of an exchange; nothing if none can take its place.
/// `seconds`: the time of an exchange now.
std::optional<Prediction> predict(const RepeatedExchange& exchange, double seconds);

/// Requires: the processes by rank.
std::string advice_as_json(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites);

} // namespace hopscotch::shim
