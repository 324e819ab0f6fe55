// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Predicts up to which block size aggregating between nodes pays.
#include "shim/graph/prediction.hpp"

#include "schedules/prediction.hpp"
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
using schedules::Efforts;

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

} // namespace

void predict_aggregation(const Ground& ground, Graph& graph)
{
    const schedules::Nodes& nodes = ground.group.node_map();
    for (const Blocks blocks : {Blocks::individual, Blocks::common}) {
        const NodeNeighborhood& around = *graph.node_neighborhood;
        std::vector<Efforts> algorithms =
            schedules::compared_efforts(around.schedule(nodes, graph.edges, blocks), graph.edges, blocks, nodes,
                                        graph.isomorphic() ? &graph.topology : nullptr, &graph.stencil);
        agree_on_busiest(ground, algorithms);
        graph.aggregated_up_to[static_cast<std::size_t>(blocks)] =
            schedules::aggregating_pays_up_to(algorithms, ground.group.network());
    }
}

} // namespace hopscotch::shim
