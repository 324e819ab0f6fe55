// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a schedule costs: the block size up to which combining pays, predicted time.
#include "schedules/plan/cost.hpp"

#include "schedules/plan/allgather.hpp"

#include <cstddef>
#include <limits>

namespace hopscotch::schedules
{

double cutoff_ratio(const Stencil& stencil)
{
    const int direct = direct_volume(stencil);
    const int saved_messages = direct - rounds(stencil);
    const int added_blocks = alltoall_volume(stencil) - direct;
    if (saved_messages <= 0)
        return 0;
    if (added_blocks == 0)
        return std::numeric_limits<double>::infinity();
    return static_cast<double>(saved_messages) / added_blocks;
}

double cutoff_bytes(const Stencil& stencil, const LinearCost& cost)
{
    const double ratio = cutoff_ratio(stencil);
    if (ratio <= 0 || cost.alpha_seconds <= 0)
        return 0;
    if (cost.beta_seconds_per_byte <= 0)
        return std::numeric_limits<double>::infinity();
    return ratio * (cost.alpha_seconds / cost.beta_seconds_per_byte);
}

std::size_t combining_cutoff_bytes(const Stencil& stencil, Blocks blocks, const LinearCost& cost)
{
    const int messages = rounds(stencil);
    const int direct_messages = distinct_peers(stencil);
    if (messages >= direct_messages)
        return 0;
    const bool common = blocks == Blocks::common;
    const int volume = common ? tree_volume(stencil, best_dimension_order(stencil)) : alltoall_volume(stencil);
    const int carried_directly = common ? direct_messages : direct_volume(stencil);
    if (volume <= carried_directly)
        return std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(cost.alpha_seconds / cost.beta_seconds_per_byte * (direct_messages - messages) /
                                    (volume - carried_directly));
}

double predicted_seconds(int messages, double blocks, double block_bytes, const LinearCost& cost) noexcept
{
    return messages * cost.alpha_seconds + blocks * block_bytes * cost.beta_seconds_per_byte;
}

} // namespace hopscotch::schedules
