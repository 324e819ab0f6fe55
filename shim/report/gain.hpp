// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the time that a run has saved by this library, as far as it was measured.
#pragma once

#include "shim/report/statistics.hpp"

#include <cstdint>
#include <string>

namespace hopscotch::shim
{

enum class Verdict { not_compared, faster, slower, no_difference };

/// The name of a verdict in the report's JSON.
const char* name(Verdict verdict) noexcept;

/// The time saved by trials and calls: the least and the most possible, since trials are a few calls, several sizes may
/// share one line of calls, and some were not compared with native calls.
struct Gain {
    double least_seconds = 0.0; // on the slowest process, set-up not taken off; below 0: lost
    double most_seconds = 0.0;
    double calls_seconds = 0.0;   // about the time saved by calls; below 0: lost
    double trials_seconds = 0.0;  // about the time lost by trials of other algorithms; not in calls_seconds
    double saved_seconds = 0.0;   // calls less trials, less the set-up of the process that took longest
    double pays_from_calls = 0.0; // so many calls, those of trials among them, pay for trials and set-up; 0: none do,
                                  // or trials could not tell
    std::uint64_t compared_calls = 0;        // calls of functions and algorithms that were, at least in part, compared
                                             // with native ones
    double compared_share = 0.0;             // their share in all calls
    Verdict verdict = Verdict::not_compared; // includes the set-up; "no difference" if 0 is between least and most
    double others_share = 0.0; // the most that others took of the cores' time during trials that do not count for it
    std::string doubt;         // the reason why `least` and `most` have 0 between them; "" without
};
Gain gain(const Report& report);

/// The word for calls that were not left to the MPI library: "accelerated" if that was measured, or there are none.
std::string carried_text(const Report& report);

/// "in all about 8.05 ms to 52.0 ms saved"; if no trial compared, that others disturbed all, and the time of an
/// exchange by itself; else "".
std::string gain_text(const Report& report);

/// One sentence: the time saved after the set-up, or lost, or that trials cannot tell, or were not made; and the time
/// of an exchange by itself for nonblocking and persistent calls.
std::string bottom_line(const Report& report);

} // namespace hopscotch::shim
