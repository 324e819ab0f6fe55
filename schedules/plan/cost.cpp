// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/cost.hpp"

#include "schedules/plan/allgather.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace hopscotch::schedules
{

namespace
{

/// The largest block size for which fewer messages outweigh more blocks.
std::size_t cutoff_bytes(std::int64_t saved_messages, std::int64_t added_blocks, const LinearCost& cost)
{
    if (saved_messages <= 0)
        return 0;
    if (added_blocks <= 0)
        return std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(cost.alpha_seconds / cost.beta_seconds_per_byte *
                                    static_cast<double>(saved_messages) / static_cast<double>(added_blocks));
}

} // namespace

std::size_t combining_cutoff_bytes(const Stencil& stencil, Blocks blocks, const LinearCost& cost)
{
    const int direct_messages = distinct_peers(stencil);
    const int saved = direct_messages - rounds(stencil);
    if (saved <= 0)
        return 0;
    const bool common = blocks == Blocks::common;
    const int volume = common ? tree_volume(stencil, best_dimension_order(stencil)) : alltoall_volume(stencil);
    return cutoff_bytes(saved, volume - (common ? direct_messages : direct_volume(stencil)), cost);
}

std::size_t combining_cutoff_bytes(const PartialGrid& grid, const LinearCost& cost)
{
    const std::size_t of_all = cutoff_bytes(grid.merged_messages - grid.messages, grid.volume - grid.edges, cost);
    const PartialGrid::Load& most = grid.most;
    return std::min(of_all, cutoff_bytes(most.merged_messages - most.messages, most.volume - most.edges, cost));
}

} // namespace hopscotch::schedules
