// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The texts of reasons.def by their names: reason::over_cutoff.
#pragma once

namespace hopscotch::schedules::reason
{

#define REASON(name, text, meaning, what_to_do) inline constexpr const char name[] = text;
#define REFUSAL(name, text, meaning, what_to_do)
#include "schedules/selection/reasons.def"
#undef REFUSAL
#undef REASON

} // namespace hopscotch::schedules::reason
