// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the algorithm that the library would choose for a process grid and a stencil on some nodes, by its own rules.
#include "scripts/tool/explain_selection.hpp"

#include "schedules/grid/shape_name.hpp"
#include "schedules/memory/memory_plan.hpp"
#include "schedules/memory/room.hpp"
#include "schedules/memory/staging_layout.hpp"
#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/effort.hpp"
#include "schedules/nodes/node_gather.hpp"
#include "schedules/selection/reasons.hpp"
#include "schedules/selection/selection_rules.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace hopscotch::tool
{

using namespace schedules;

namespace
{

constexpr int selection_limit = 1 << 16;

/// All processes, their nodes, and their knowledge of each other.
struct Job {
    Topology grid;
    Stencil stencil; // canonical and sorted
    std::vector<Edges> edges;
    Nodes nodes;
    int most_on_node = 0;
    int least_neighbors = 0; // destinations, and sources: a stencil has as many of both
    int most_neighbors = 0;
};

/// Facts about messages between nodes.
struct Aggregation {
    int most_blocks = 0; // in a staging buffer, and messages
    int most_messages = 0;
    std::array<std::size_t, 2> pays_up_to{};
};

Job job_of(const SelectionRequest& request)
{
    const int processes = request.grid.size();
    if (processes > selection_limit)
        throw std::invalid_argument("more than " + std::to_string(selection_limit) + " processes");
    if (request.nodes < 1 || request.nodes > processes)
        throw std::invalid_argument(std::to_string(processes) + " processes do not run on " +
                                    std::to_string(request.nodes) + " nodes");
    Job job{request.grid, sorted(canonical(request.stencil, request.grid)), {}, {}, 0, 0, 0};
    const int on_node = (processes + request.nodes - 1) / request.nodes;
    std::vector<int> labels;
    std::vector<int> degrees;
    for (int rank = 0; rank < processes; ++rank) {
        labels.push_back(static_cast<int>(static_cast<long long>(rank) * request.nodes / processes));
        job.edges.push_back(edges_of(job.grid, job.stencil, rank));
        const std::vector<int>& all = job.edges.back().destinations;
        degrees.push_back(static_cast<int>(all.size()) - count_of(all, no_rank));
    }
    job.nodes = nodes_of(labels);
    job.most_on_node = on_node;
    job.least_neighbors = *std::min_element(degrees.begin(), degrees.end());
    job.most_neighbors = *std::max_element(degrees.begin(), degrees.end());
    return job;
}

std::vector<NodePlan> plans(const Job& job, Blocks blocks, const Route& route)
{
    std::vector<NodePlan> result;
    for (int node = 0; node < job.nodes.count(); ++node) {
        NodeLists lists{node, {}, {}};
        for (const int rank : job.nodes.ranks[static_cast<std::size_t>(node)]) {
            lists.destinations.push_back(job.edges[static_cast<std::size_t>(rank)].destinations);
            lists.sources.push_back(job.edges[static_cast<std::size_t>(rank)].sources);
        }
        result.push_back(plan_node(job.nodes, lists, blocks, route));
    }
    return result;
}

/// The route that the nodes agree on at the creation of a communicator.
Route balanced_route(const Job& job, Blocks blocks)
{
    Route route;
    int most = 0;
    const std::vector<NodePlan> uncut = plans(job, blocks, route);
    for (std::size_t node = 0; node < uncut.size(); ++node)
        most = std::max(most, balanced_part(uncut[node], static_cast<int>(job.nodes.ranks[node].size())));
    route.most_blocks = most;
    return route;
}

/// For each node the processes of the others that send to it and receive from it.
std::vector<Leaders> leaders_around(const std::vector<NodePlan>& all)
{
    std::vector<Leaders> result(all.size());
    for (std::size_t node = 0; node < all.size(); ++node) {
        for (const auto& [other, ranks] : all[node].leaders.senders)
            result[static_cast<std::size_t>(other)].senders[static_cast<int>(node)] = ranks;
        for (const auto& [other, ranks] : all[node].leaders.receivers)
            result[static_cast<std::size_t>(other)].receivers[static_cast<int>(node)] = ranks;
    }
    return result;
}

Aggregation aggregation_of(const Job& job)
{
    Aggregation result;
    for (const Blocks blocks : {Blocks::individual, Blocks::common}) {
        const std::vector<NodePlan> all = plans(job, blocks, balanced_route(job, blocks));
        const std::vector<Leaders> around = leaders_around(all);
        std::vector<std::vector<Efforts>> by_algorithm; // then by rank
        for (const Edges& edges : job.edges) {
            const auto node = static_cast<std::size_t>(job.nodes.of_rank[static_cast<std::size_t>(edges.rank)]);
            const AggregationPart part = aggregation_part(all[node], job.nodes, edges, blocks, around[node]);
            for (const StagingBuffer& buffer : part.buffers) {
                result.most_blocks = std::max(result.most_blocks, buffer.blocks());
                result.most_messages = std::max(result.most_messages, static_cast<int>(buffer.message_blocks.size()));
            }
            const std::vector<Efforts> own = compared_efforts(part, edges, blocks, job.nodes, &job.grid, &job.stencil);
            by_algorithm.resize(own.size());
            for (std::size_t i = 0; i < own.size(); ++i)
                by_algorithm[i].push_back(own[i]);
        }
        std::vector<Efforts> most;
        for (const std::vector<Efforts>& algorithm : by_algorithm)
            most.push_back(busiest(algorithm, job.nodes));
        result.pays_up_to[static_cast<std::size_t>(blocks)] = aggregating_pays_up_to(most, assumed_network);
    }
    return result;
}

/// The largest block for the staging buffers.
std::size_t aggregated_bytes(const Job& job, const Aggregation& aggregation, bool global)
{
    const StagingFileLayout file(job.most_on_node, aggregation.most_blocks, aggregation.most_messages);
    return global ? file.largest_block(gather_buffers(job.nodes)) : file.largest_block();
}

/// Facts of blocking calls, with shared memory, readable memory of other processes of a node, and an MPI library that
/// delivers the same blocks.
Facts facts_of(const Job& job, const Aggregation& aggregation, const shim::Settings& settings, Collective collective)
{
    Facts facts;
    facts.collective = collective;
    facts.asked_for = settings.algorithm(collective);
    facts.cutoff_bytes = settings.cutoff_bytes;
    facts.ranks = job.grid.size();
    facts.most_neighbors = job.most_neighbors;
    facts.unusable = job.most_neighbors == 0 ? reason::no_neighbor : reason::none;
    facts.idle_process = job.least_neighbors == 0;
    facts.crowded = settings.yield == shim::Yield::always;
    if (job.most_on_node > 1) {
        const bool global = collective == Collective::global_allgather;
        const std::size_t room =
            room_for(job.most_on_node, job.most_neighbors, global ? room_of_global : room_of_calls);
        facts.shared_bytes = settings.one_copy_bytes
                                 ? most_lent_bytes
                                 : largest_block_in(room, is_allgather(collective) ? 1 : job.most_neighbors);
        facts.one_node = job.nodes.count() == 1;
        if (aggregation.most_blocks > 0)
            facts.aggregated_bytes = aggregated_bytes(job, aggregation, global);
        facts.aggregating_pays_up_to = aggregation.pays_up_to[static_cast<std::size_t>(blocks_of(collective))];
    }
    GraphOfFacts graph;
    if (facts.isomorphic()) {
        graph.grid = &job.grid;
        graph.stencil = &job.stencil;
    }
    if (job.nodes.count() > 1 && settings.combining == "auto")
        graph.nodes = &job.nodes;
    return with_facts_of_graph(std::move(facts), graph, [&] {
        return preferred_members(blocks_of(collective), family(job.stencil, job.grid), job.grid, job.stencil, job.nodes,
                                 assumed_network);
    });
}

std::vector<std::string> tried(const Facts& facts, std::size_t block_bytes)
{
    std::vector<std::string> result;
    if (facts.asked_for == Algorithm::automatic)
        for (const Choice& choice : candidates(facts, block_bytes))
            result.push_back(name(choice));
    return result;
}

/// The last of these sizes with as many candidates as the first.
std::size_t tried_alike_up_to(const Facts& facts, SizeClass sizes)
{
    std::size_t last = sizes.low;
    std::size_t other = sizes.high;
    if (tried(facts, other) == tried(facts, last))
        return other;
    while (other - last > 1) {
        const std::size_t middle = last + (other - last) / 2;
        (tried(facts, middle) == tried(facts, last) ? last : other) = middle;
    }
    return last;
}

/// Choices for sizes with the same candidates.
std::vector<Choice> rows(const Facts& facts)
{
    std::vector<Choice> result = choose(facts);
    if (!is_regular(facts.collective)) { // its calls ask for size 0
        result.resize(1);
        result.front().sizes = every_size();
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t last = tried_alike_up_to(facts, result[i].sizes);
        if (last == result[i].sizes.high)
            continue;
        Choice rest = result[i];
        rest.sizes.low = last + 1;
        result[i].sizes.high = last;
        result.insert(result.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
    }
    return result;
}

std::string padded(std::string text, std::size_t width)
{
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
}

std::string row_text(const Facts& facts, const Choice& row)
{
    const std::size_t largest = std::numeric_limits<std::size_t>::max();
    const std::string from = std::to_string(row.sizes.low);
    const std::string sizes = row.sizes.all()             ? "all"
                              : row.sizes.high == largest ? from + " and more"
                                                          : from + " to " + std::to_string(row.sizes.high);
    std::string how;
    const std::vector<std::string> algorithms = tried(facts, row.sizes.low);
    for (const std::string& algorithm : algorithms)
        how += (how.empty() ? "" : ", ") + algorithm;
    how = algorithms.size() > 1 ? "tried (" + how + ")" : "fixed";
    const bool some_directly = !is_regular(facts.collective) && row.cutoff_bytes != largest;
    const std::string reason =
        some_directly ? "blocks of more than " + std::to_string(row.cutoff_bytes) + " bytes travel directly"
                      : row.reason.text();
    return "  " + padded(sizes, 24) + padded(name(row), 12) + how + (reason.empty() ? "" : ": ") + reason + "\n";
}

std::string table(const Facts& facts, const std::vector<std::size_t>& sizes)
{
    std::string text =
        "\n" + std::string(name(facts.collective)) + "\n  " + padded("bytes", 24) + padded("algorithm", 12) + "how\n";
    for (const Choice& row : rows(facts))
        if (sizes.empty() ||
            std::any_of(sizes.begin(), sizes.end(), [&row](std::size_t bytes) { return row.sizes.holds(bytes); }))
            text += row_text(facts, row);
    return text;
}

} // namespace

Collective parse_collective(const std::string& text)
{
    std::string known;
    for (std::size_t i = 0; i < collective_count; ++i) {
        const auto collective = static_cast<Collective>(i);
        if (text == name(collective))
            return collective;
        known += (i == 0 ? "" : ", ") + std::string(name(collective));
    }
    throw std::invalid_argument("unknown collective '" + text + "'; known are " + known);
}

std::vector<std::size_t> parse_sizes(const std::string& text)
{
    std::vector<std::size_t> sizes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string size = text.substr(begin, end - begin);
        const std::optional<std::size_t> bytes =
            shim::parse_settings({{"HOPSCOTCH_CUTOFF", size}}).settings.cutoff_bytes;
        if (!bytes.has_value())
            throw std::invalid_argument("'" + size + "' is no block size; one is 512, 64K or 1M");
        sizes.push_back(*bytes);
        begin = end + 1;
    }
    return sizes;
}

std::string selection_text(const SelectionRequest& request)
{
    const Job job = job_of(request);
    const Algorithms& wanted = request.settings.algorithms;
    const bool aggregates = std::any_of(wanted.begin(), wanted.end(), [](Algorithm algorithm) {
        return algorithm == Algorithm::automatic || algorithm == Algorithm::aggregated;
    });
    const bool several = job.nodes.count() > 1 && job.most_on_node > 1;
    const Aggregation aggregation = several && aggregates ? aggregation_of(job) : Aggregation{};
    std::string text = "process grid  " + to_string(job.grid) + ", " + std::to_string(job.grid.size()) +
                       " processes, at most " + std::to_string(job.most_on_node) + " on each of " +
                       std::to_string(job.nodes.count()) + (job.nodes.count() == 1 ? " node\n" : " nodes\n") +
                       "stencil       " + name(job.stencil, job.grid) + ", " + std::to_string(job.stencil.size()) +
                       " neighbors\n";
    for (std::size_t i = 0; i < collective_count; ++i)
        if (const auto collective = static_cast<Collective>(i); request.collective.value_or(collective) == collective)
            text += table(facts_of(job, aggregation, request.settings, collective), request.sizes);
    return text + "\nOf blocking calls. What is tried takes turns, sizes up to the next power of two together, until\n"
                  "the fastest is known. Predictions assume 1.5 us per message and 10 GB/s.\n";
}

} // namespace hopscotch::tool
