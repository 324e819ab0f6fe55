// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what is chosen: an algorithm for blocks of some sizes, and what is known of a collective without looking at a
// call.
#include "shim/selection/choice.hpp"

#include <algorithm>

namespace hopscotch::shim
{

bool is_allgather(Collective collective) noexcept
{
    return collective == Collective::allgather || collective == Collective::allgatherv ||
           collective == Collective::global_allgather;
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

bool shares_block_size(const Graph& graph, Collective collective, Algorithm algorithm)
{
    if (collective == Collective::global_allgather)
        return true;
    return !graph.may_have_idle_process() && (!forwards(algorithm) || graph.one_block_size());
}

bool knows_block_size(const Graph& graph, Collective collective)
{
    return collective == Collective::global_allgather || (is_regular(collective) && graph.one_block_size());
}

bool library_differs(const Graph& graph, const Settings& settings, Collective collective) noexcept
{
    if (collective == Collective::global_allgather)
        return false;
    const bool other_order = graph.parallel_edges && settings.parallel_edges == ParallelEdges::standard;
    return other_order || (collective == Collective::alltoallw && graph.unequal_degrees);
}

} // namespace hopscotch::shim
