// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Suggests the next step to the user.
#pragma once

#include "shim/report/statistics.hpp"

#include <string>

namespace hopscotch::shim
{

/// One sentence. It begins with "nothing" only if no time was lost and nothing contradicts the trials.
std::string next_step(const Report& report);

} // namespace hopscotch::shim
