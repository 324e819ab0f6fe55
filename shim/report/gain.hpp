// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what a run has won by this library, as far as that was measured.
#pragma once

#include "shim/report/statistics.hpp"

#include <cstdint>
#include <string>

namespace hopscotch::shim
{

/// What trials say of the calls that were carried as they decided: the least and the most time saved that it can be,
/// since several sizes may stand in one line of calls, and some were not compared with native calls.
struct Gain {
    double least_seconds = 0.0; // on the slowest process, set-up not taken off
    double most_seconds = 0.0;
    std::uint64_t calls = 0; // of functions and algorithms of which some were compared with native ones
};
Gain gain(const Report& report);

/// One sentence: what was saved after the set-up, or that it is not known, or what was lost.
std::string bottom_line(const Report& report);

} // namespace hopscotch::shim
