// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the schedule by which an algorithm carries a collective in messages.
#include "schedules/plan/collective_schedule.hpp"

#include "schedules/plan/allgather.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"

namespace hopscotch::schedules
{

Schedule schedule_for(Algorithm algorithm, Collective collective, const Edges& edges, const Topology& grid,
                      const Stencil& stencil)
{
    const bool gather = is_allgather(collective);
    if (algorithm == Algorithm::trivial)
        return gather ? trivial_allgather(edges) : trivial(edges);
    if (algorithm == Algorithm::merged)
        return gather ? merged_allgather(edges) : merged(edges);
    if (collective == Collective::global_allgather)
        return global_allgather(grid, edges.rank);
    const Neighborhood neighborhood = place(grid, stencil, edges);
    return gather ? combining_allgather(neighborhood, route_along(stencil, best_dimension_order(stencil)))
                  : combining_alltoall(neighborhood);
}

} // namespace hopscotch::schedules
