// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what a run has won by this library, as far as that was measured.
#pragma once

#include "shim/report/statistics.hpp"

#include <cstdint>
#include <string>

namespace hopscotch::shim
{

enum class Verdict { not_compared, faster, slower, no_difference };

/// As in the JSON of the report.
const char* name(Verdict verdict) noexcept;

/// What trials say of calls by what they tried: the least and the most time saved that it can be, since trials are a
/// few calls, several sizes may stand in one line of calls, and some were not compared with native calls.
struct Gain {
    double least_seconds = 0.0; // on the slowest process, set-up not taken off; below 0: lost
    double most_seconds = 0.0;
    double calls_seconds = 0.0;   // about what calls saved; below 0: lost
    double trials_seconds = 0.0;  // about what calls lost by algorithms that were only tried; not in calls_seconds
    double saved_seconds = 0.0;   // calls less trials, less the set-up of the process that took longest
    double pays_from_calls = 0.0; // so many calls, those of trials among them, pay for trials and set-up; 0: none do
    std::uint64_t compared_calls = 0;        // of functions and algorithms of which some were compared with native ones
    double compared_share = 0.0;             // of all calls
    Verdict verdict = Verdict::not_compared; // with the set-up; no difference where it is between least and most
};
Gain gain(const Report& report);

/// What is said of calls that were not left to the MPI library: "accelerated" where that was measured, or
/// there are none.
std::string carried_text(const Report& report);

/// "in all about 8.05 ms to 52.0 ms saved"; where no trial compared, what an exchange takes by itself; else "".
std::string gain_text(const Report& report);

/// One sentence: what was saved after the set-up, or lost, or that trials cannot tell, or were not made; and
/// what an exchange of a nonblocking or persistent call takes by itself.
std::string bottom_line(const Report& report);

} // namespace hopscotch::shim
