// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what is chosen: an algorithm for blocks of some sizes, and what is known of a collective without looking at a
// call.
#include "shim/selection/choice.hpp"

namespace hopscotch::shim
{

bool is_allgather(Collective collective) noexcept
{
    return collective == Collective::allgather || collective == Collective::allgatherv ||
           collective == Collective::global_allgather;
}

schedules::Blocks blocks_of(Collective collective) noexcept
{
    return is_allgather(collective) ? schedules::Blocks::common : schedules::Blocks::individual;
}

bool is_regular(Collective collective) noexcept
{
    return collective == Collective::alltoall || collective == Collective::allgather ||
           collective == Collective::global_allgather;
}

bool forwards(Algorithm algorithm) noexcept
{
    return algorithm == Algorithm::combining || algorithm == Algorithm::aggregated;
}

} // namespace hopscotch::shim
