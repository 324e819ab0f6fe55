// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The choice of `auto` for the simulated job before it has measured calls, by the rules of the library.
#pragma once

#include "schedules/selection/choice.hpp"
#include "scripts/simulation/setting.hpp"

#include <vector>

namespace simulation
{

/// For blocks of each size, with the numbers of a network as its probe measures them. Individual blocks.
std::vector<hopscotch::schedules::Choice> automatic_choices(const Setting& setting,
                                                            const hopscotch::schedules::Network& network);

/// The one for blocks of so many bytes.
const hopscotch::schedules::Choice& choice_for(const std::vector<hopscotch::schedules::Choice>& choices,
                                               std::size_t bytes);

} // namespace simulation
