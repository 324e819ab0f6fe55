// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what is chosen: an algorithm for blocks of some sizes.
#pragma once

#include "schedules/plan/algorithm.hpp"
#include "schedules/selection/size_class.hpp"

#include <cstddef>
#include <limits>
#include <string>

namespace hopscotch::schedules
{

/// What carries blocks of some sizes, and for `native` why it is not another algorithm.
struct Choice {
    Algorithm algorithm = Algorithm::native;
    std::string reason;
    /// Blocks above it travel directly even so; of the collectives with varying block sizes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();
    SizeClass sizes = every_size();
};

} // namespace hopscotch::schedules
