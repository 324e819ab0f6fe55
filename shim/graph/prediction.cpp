// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Predicts up to which block size aggregating between nodes pays.
#include "shim/graph/prediction.hpp"

#include "schedules/allgather.hpp"
#include "schedules/alltoall.hpp"
#include "schedules/cost.hpp"
#include "schedules/direct.hpp"
#include "shim/graph/node_neighborhood.hpp"
#include "shim/mpi/collective_consensus.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

namespace hopscotch::shim
{

namespace
{

using schedules::Blocks;
using schedules::Copying;
/// An algorithm that may carry a collective, and what it asks of processes, phase by phase.
using Efforts = std::vector<schedules::Effort>;

Efforts own_efforts(const Graph& graph, const schedules::Schedule& schedule, Copying copying)
{
    return schedules::efforts(schedule, graph.edges.rank, graph.node_neighborhood->nodes, copying);
}

/// Of this process: aggregated, merged and, where it exists, combining. The same phases on all processes.
std::vector<Efforts> own_efforts(const Graph& graph, Blocks blocks)
{
    const bool common = blocks == Blocks::common;
    std::vector<Efforts> algorithms;
    algorithms.push_back(own_efforts(graph, graph.node_neighborhood->schedule(graph.edges, blocks), Copying::staging));
    schedules::Schedule merged = common ? schedules::merged_allgather(graph.edges) : schedules::merged(graph.edges);
    merged.phases.resize(1); // also on a process without neighbors
    algorithms.push_back(own_efforts(graph, merged, Copying::packed));
    if (!graph.isomorphic())
        return algorithms;
    const schedules::Neighborhood neighborhood = schedules::place(graph.topology, graph.stencil, graph.edges);
    const schedules::Schedule combining =
        common ? schedules::combining_allgather(neighborhood, schedules::best_dimension_order(graph.stencil))
               : schedules::combining_alltoall(neighborhood);
    algorithms.push_back(own_efforts(graph, combining, Copying::packed));
    return algorithms;
}

/// Of numbers that are not negative: of these the larger ones are larger as integers of the same bits, too (IEEE 754).
void agree_on_largest(const Ground& ground, std::vector<double>& numbers)
{
    std::vector<std::int64_t> bits(numbers.size());
    std::memcpy(bits.data(), numbers.data(), numbers.size() * sizeof(double));
    CollectiveConsensus(ground.comm).maxima(bits.data(), bits.size());
    std::memcpy(numbers.data(), bits.data(), numbers.size() * sizeof(double));
}

/// Those of the busiest process, and of the busiest node. Collective: over the graph.
void agree_on_busiest(const Ground& ground, std::vector<Efforts>& algorithms)
{
    std::vector<int> leaving;
    for (const Efforts& algorithm : algorithms)
        for (const schedules::Effort& effort : algorithm)
            leaving.push_back(static_cast<int>(effort.leaving_blocks));
    std::vector<int> of_node(leaving.size(), 0);
    for (const std::vector<int>& of_process : gather_on_node(ground, leaving))
        std::transform(of_process.begin(), of_process.end(), of_node.begin(), of_node.begin(), std::plus<>());
    std::vector<double> numbers;
    std::size_t phase = 0;
    for (const Efforts& algorithm : algorithms)
        for (const schedules::Effort& effort : algorithm)
            numbers.insert(numbers.end(), {effort.sent, effort.received, effort.handovers, effort.copied_blocks,
                                           static_cast<double>(of_node[phase++])});
    agree_on_largest(ground, numbers);
    auto number = numbers.begin();
    for (Efforts& algorithm : algorithms)
        for (schedules::Effort& effort : algorithm)
            effort = {*number++, *number++, *number++, *number++, *number++};
}

/// Aggregating is faster than merging up to this many bytes, of the powers of two; 0 when combining is faster than both
/// for the smallest blocks.
std::size_t aggregated_up_to(const std::vector<Efforts>& algorithms)
{
    const auto seconds = [&algorithms](std::size_t algorithm, std::size_t bytes) {
        return schedules::predicted_seconds(algorithms[algorithm], static_cast<double>(bytes),
                                            schedules::assumed_network);
    };
    if (algorithms.size() > 2 && seconds(2, 1) < seconds(0, 1))
        return 0;
    constexpr std::size_t most = std::size_t{1} << 30;
    std::size_t result = 0;
    for (std::size_t bytes = 1; bytes <= most && seconds(0, bytes) <= seconds(1, bytes); bytes *= 2)
        result = bytes;
    return result;
}

} // namespace

void predict_aggregation(const Ground& ground, Graph& graph)
{
    for (const Blocks blocks : {Blocks::individual, Blocks::common}) {
        std::vector<Efforts> algorithms = own_efforts(graph, blocks);
        agree_on_busiest(ground, algorithms);
        graph.aggregated_up_to[static_cast<std::size_t>(blocks)] = aggregated_up_to(algorithms);
    }
}

} // namespace hopscotch::shim
