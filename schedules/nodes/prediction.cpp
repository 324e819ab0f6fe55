// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Predicts the largest block size for which messages between nodes should be aggregated.
#include "schedules/nodes/prediction.hpp"

#include "schedules/plan/allgather.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"

namespace hopscotch::schedules
{

std::vector<Efforts> compared_efforts(const AggregationPart& aggregated, const Edges& edges, Blocks blocks,
                                      const Nodes& nodes, const Topology* grid, const Stencil* stencil)
{
    const bool common = blocks == Blocks::common;
    std::vector<Efforts> algorithms;
    algorithms.push_back(efforts(aggregated, edges, blocks, nodes));
    Schedule direct = common ? merged_allgather(edges) : merged(edges);
    direct.phases.resize(1); // also on a process without neighbors
    algorithms.push_back(efforts(direct, edges.rank, nodes));
    if (grid == nullptr)
        return algorithms;
    const Neighborhood neighborhood = place(*grid, *stencil, edges);
    const Schedule combining =
        common ? combining_allgather(neighborhood, route_along(*stencil, best_dimension_order(*stencil)))
               : combining_alltoall(neighborhood);
    algorithms.push_back(efforts(combining, edges.rank, nodes));
    return algorithms;
}

std::size_t aggregating_pays_up_to(const std::vector<Efforts>& busiest, const Network& network) noexcept
{
    const auto seconds = [&](std::size_t algorithm, std::size_t bytes) {
        return predicted_seconds(busiest[algorithm], static_cast<double>(bytes), network);
    };
    if (busiest.size() > 2 && seconds(2, 1) < seconds(0, 1))
        return 0;
    constexpr std::size_t most = std::size_t{1} << 30;
    std::size_t result = 0;
    for (std::size_t bytes = 1; bytes <= most && seconds(0, bytes) <= seconds(1, bytes); bytes *= 2)
        result = bytes;
    return result;
}

} // namespace hopscotch::schedules
