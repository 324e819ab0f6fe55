// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/collective_schedule.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/plan/allgather.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"

namespace hopscotch::schedules
{

Routing combining_routing(Blocks blocks, const Topology& grid, const Stencil& stencil, const std::vector<Group>& groups)
{
    if (!groups.empty())
        return route_of(stencil, grid, groups);
    return route_along(stencil,
                       blocks == Blocks::common ? best_dimension_order(stencil) : identity(stencil.dimensions()));
}

Schedule schedule_for(Algorithm algorithm, Collective collective, const Edges& edges, const Topology& grid,
                      const Stencil& stencil, const std::vector<Group>& groups)
{
    const bool gather = is_allgather(collective);
    if (algorithm == Algorithm::trivial)
        return gather ? trivial_allgather(edges) : trivial(edges);
    if (algorithm == Algorithm::merged)
        return gather ? merged_allgather(edges) : merged(edges);
    if (collective == Collective::global_allgather)
        return global_allgather(grid, edges.rank);
    const Neighborhood neighborhood = place(grid, stencil, edges);
    const Routing routing = combining_routing(blocks_of(collective), grid, stencil, groups);
    return gather ? combining_allgather(neighborhood, routing) : combining_alltoall(neighborhood, routing);
}

} // namespace hopscotch::schedules
