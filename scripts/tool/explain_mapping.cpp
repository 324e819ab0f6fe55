// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the rank that should run on each node, and the edges between nodes that this saves.
#include "scripts/tool/explain_mapping.hpp"

#include "schedules/mapping/mapping.hpp"
#include "scripts/tool/explain.hpp"

#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace hopscotch::tool
{

using namespace schedules;

namespace
{

constexpr int mapping_limit = 1 << 20;

/// Throws: std::invalid_argument if the numbers do not fit each other.
std::vector<int> node_sizes(const MappingRequest& request)
{
    const int processes = request.grid.size();
    if (processes > mapping_limit)
        throw std::invalid_argument("more than " + std::to_string(mapping_limit) + " processes");
    if (request.nodes == 0 && request.per_node.empty())
        throw std::invalid_argument("on how many nodes? --nodes N or --per-node M");
    if (request.nodes > processes)
        throw std::invalid_argument(std::to_string(processes) + " processes do not run on " +
                                    std::to_string(request.nodes) + " nodes");
    std::vector<int> sizes = request.per_node;
    if (sizes.empty())
        sizes.push_back(processes / request.nodes);
    if (sizes.size() == 1)
        sizes.resize(static_cast<std::size_t>(request.nodes > 0 ? request.nodes : processes / sizes[0]), sizes[0]);
    if (request.nodes > 0 && sizes.size() != static_cast<std::size_t>(request.nodes))
        throw std::invalid_argument("--per-node names " + std::to_string(sizes.size()) + " nodes, --nodes " +
                                    std::to_string(request.nodes));
    if (std::accumulate(sizes.begin(), sizes.end(), 0LL) != processes)
        throw std::invalid_argument("the nodes do not have " + std::to_string(processes) +
                                    " processes together, which the grid has; --per-node 8,8,4 for different nodes");
    return sizes;
}

nlohmann::ordered_json json_of(const EdgesBetweenNodes& edges)
{
    return {{"sum", edges.sum}, {"most", edges.most}};
}

} // namespace

std::vector<int> parse_per_node(const std::string& text)
{
    std::vector<int> sizes;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
        sizes.push_back(parse_int(word));
    for (const int size : sizes)
        if (size < 1)
            throw std::invalid_argument("a node of " + std::to_string(size) + " processes");
    if (sizes.empty())
        throw std::invalid_argument("--per-node needs a number of processes");
    return sizes;
}

std::string mapping_json(const MappingRequest& request)
{
    const std::vector<int> sizes = node_sizes(request);
    const auto nodes_by = [&](Mapper mapper) {
        return Mapping(mapper, request.grid, request.stencil, sizes).node_of_rank();
    };
    const auto edges = [&](const std::vector<int>& node_of_rank) {
        return json_of(edges_between_nodes(request.grid, request.stencil, node_of_rank));
    };
    const Mapper mapper = best_mapper(request.grid, request.stencil, sizes);
    const std::vector<int> node_of_rank = nodes_by(mapper);
    const nlohmann::ordered_json json = {{"per_node", sizes},
                                         {"mapper", to_string(mapper)},
                                         {"consecutive", edges(nodes_by(Mapper::consecutive))},
                                         {"mapped", edges(node_of_rank)},
                                         {"node_of_rank", node_of_rank}};
    return json.dump() + "\n";
}

} // namespace hopscotch::tool
