// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/neighborhood.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// The rank of the process at +offset or -offset of every block; no_rank beyond a mesh border.
enum class WalkDirection { forward, backward };

std::vector<int> peers(const Topology& topology, const Stencil& stencil, int rank, WalkDirection direction)
{
    std::vector<int> result(static_cast<std::size_t>(stencil.size()));
    std::vector<int> offset(static_cast<std::size_t>(stencil.dimensions()));
    for (int b = 0; b < stencil.size(); ++b) {
        for (int k = 0; k < stencil.dimensions(); ++k)
            offset[k] = direction == WalkDirection::forward ? stencil.shift(b, k) : -stencil.shift(b, k);
        result[b] = topology.neighbor(rank, offset.data());
    }
    return result;
}

/// Indices of the ranks that are processes, by rank, and in the order of `order` for equal ranks.
std::vector<int> by_rank(const std::vector<int>& ranks, const std::vector<int>& order)
{
    std::vector<int> indices;
    indices.reserve(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (ranks[i] != no_rank)
            indices.push_back(static_cast<int>(i));
    sort_by(indices, order);
    sort_by(indices, ranks);
    return indices;
}

/// For each block the slot of the list entry that is the edge to or from its peer: the q-th block that has a peer goes
/// with the entry of order q.
std::vector<int> match(const std::vector<int>& peer_of_block, const std::vector<int>& list,
                       const std::vector<int>& order, const std::string& what)
{
    if (list.size() != order.size())
        throw std::invalid_argument("neighborhood: " + std::to_string(list.size()) + " " + what + "s, but " +
                                    std::to_string(order.size()) + " orders");
    const std::vector<int> repeat = occurrence(peer_of_block);
    const std::vector<int> blocks = by_rank(peer_of_block, repeat);
    const std::vector<int> slots = by_rank(list, order);
    if (blocks.size() != slots.size())
        throw std::invalid_argument("neighborhood: the stencil has " + std::to_string(blocks.size()) + " " + what +
                                    "s here, the list " + std::to_string(slots.size()));
    std::vector<int> result(peer_of_block.size(), Neighborhood::no_slot);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const int block = blocks[i];
        const int slot = slots[i];
        if (peer_of_block[block] != list[slot] || repeat[block] != order[slot])
            throw std::invalid_argument("neighborhood: " + what + " " + std::to_string(list[slot]) + " (edge " +
                                        std::to_string(order[slot]) + " of that process) is not the stencil's");
        result[block] = slot;
    }
    return result;
}

/// A number of an edge that looks random. Source: Steele, Lea, Flood, OOPSLA 2014, the finalizer of SplitMix.
std::uint64_t number_of_edge(int from, int to)
{
    std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 |
                         static_cast<std::uint64_t>(static_cast<std::uint32_t>(to));
    bits += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

constexpr std::size_t few = 32; // neighbors: to compare all takes less time than to sort them

/// A list as most programs have it: each rank once, in order.
bool increases(const std::vector<int>& ranks)
{
    return std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end();
}

std::vector<int> sorted_positions(const std::vector<int>& ranks)
{
    std::vector<int> order = identity(static_cast<int>(ranks.size()));
    sort_by(order, ranks);
    return order;
}

} // namespace

std::vector<int> occurrence(const std::vector<int>& ranks)
{
    std::vector<int> result(ranks.size(), 0);
    if (increases(ranks))
        return result;
    if (ranks.size() <= few) {
        for (auto entry = ranks.begin(); entry != ranks.end(); ++entry)
            if (*entry != no_rank)
                result[static_cast<std::size_t>(entry - ranks.begin())] =
                    static_cast<int>(std::count(ranks.begin(), entry, *entry));
        return result;
    }
    const std::vector<int> order = sorted_positions(ranks);
    for (std::size_t i = 1; i < order.size(); ++i)
        if (ranks[order[i]] == ranks[order[i - 1]] && ranks[order[i]] != no_rank)
            result[order[i]] = result[order[i - 1]] + 1;
    return result;
}

int count_of(const std::vector<int>& ranks, int rank)
{
    int count = 0; // of the entries' width: the compiler compares several at a time
    for (const int entry : ranks)
        count += entry == rank ? 1 : 0;
    return count;
}

int degree(const std::vector<int>& ranks)
{
    return static_cast<int>(ranks.size()) - count_of(ranks, no_rank);
}

std::vector<int> standard_order(const Edges& edges, bool cartesian)
{
    std::vector<int> order = occurrence(edges.sources);
    if (!cartesian)
        return order;
    for (std::size_t slot = 0; slot + 1 < edges.sources.size(); slot += 2)
        std::swap(order[slot], order[slot + 1]); // 0 and 0 unless one process is at both ends of the dimension
    return order;
}

std::vector<int> distinct_others(std::vector<int> ranks, int self)
{
    const auto left_out = [self](int rank) { return rank == self || rank == no_rank; };
    ranks.erase(std::remove_if(ranks.begin(), ranks.end(), left_out), ranks.end());
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

bool has_repeats(const std::vector<int>& ranks)
{
    if (increases(ranks))
        return false;
    if (ranks.size() <= few) {
        for (auto entry = ranks.begin(); entry != ranks.end(); ++entry)
            if (*entry != no_rank && std::find(ranks.begin(), entry, *entry) != entry)
                return true;
        return false;
    }
    const std::vector<int> order = sorted_positions(ranks);
    const auto repeated = [&ranks](int a, int b) { return ranks[a] == ranks[b] && ranks[a] != no_rank; };
    return std::adjacent_find(order.begin(), order.end(), repeated) != order.end();
}

bool all_exist(const Edges& edges, int processes)
{
    const auto exists = [processes](int rank) { return rank == no_rank || (rank >= 0 && rank < processes); };
    return std::all_of(edges.destinations.begin(), edges.destinations.end(), exists) &&
           std::all_of(edges.sources.begin(), edges.sources.end(), exists);
}

std::uint64_t imbalance(const Edges& edges)
{
    std::uint64_t sum = 0;
    for (const int to : edges.destinations)
        sum += to != no_rank ? number_of_edge(edges.rank, to) : 0;
    for (const int from : edges.sources)
        sum -= from != no_rank ? number_of_edge(from, edges.rank) : 0;
    return sum;
}

std::vector<int> positions(const std::vector<int>& ranks)
{
    std::vector<int> result;
    result.reserve(ranks.size());
    int processes = 0;
    for (const int rank : ranks) {
        result.push_back(processes);
        processes += rank != no_rank ? 1 : 0;
    }
    return result;
}

Edges part_of(Edges edges, const std::function<bool(int rank)>& belongs)
{
    for (std::vector<int>* const ranks : {&edges.destinations, &edges.sources})
        for (int& rank : *ranks)
            if (rank != no_rank && !belongs(rank))
                rank = no_rank;
    return edges;
}

std::vector<int> matched_numbers(const Edges& known, const std::vector<int>& known_numbers, const Edges& edges)
{
    if (edges.source_order == known.source_order && edges.sources == known.sources)
        return known_numbers;
    std::map<std::pair<int, int>, int> by_edge; // (source, order) -> number
    for (std::size_t j = 0; j < known.sources.size(); ++j)
        by_edge[{known.sources[j], known.source_order[j]}] = known_numbers[j];
    std::vector<int> numbers;
    for (std::size_t j = 0; j < edges.sources.size(); ++j)
        numbers.push_back(by_edge[{edges.sources[j], edges.source_order[j]}]);
    return numbers;
}

Neighborhood place(const Topology& topology, const Stencil& stencil, const Edges& edges)
{
    if (stencil.dimensions() != topology.dimensions())
        throw std::invalid_argument("neighborhood: a stencil of " + std::to_string(stencil.dimensions()) +
                                    " dimensions on a grid of " + std::to_string(topology.dimensions()));
    if (edges.rank < 0 || edges.rank >= topology.size())
        throw std::invalid_argument("neighborhood: rank " + std::to_string(edges.rank) + " is outside the grid");
    Neighborhood result;
    result.rank = edges.rank;
    result.topology = topology;
    result.stencil = stencil;
    result.send_slot = match(peers(topology, stencil, edges.rank, WalkDirection::forward), edges.destinations,
                             edges.destination_order, "destination");
    result.receive_slot = match(peers(topology, stencil, edges.rank, WalkDirection::backward), edges.sources,
                                edges.source_order, "source");
    return result;
}

int Neighborhood::process(int from, int k, int shift) const
{
    return partial != nullptr ? partial->process(from, k, shift) : topology.shifted(from, k, shift);
}

Edges edges_of(const Topology& topology, const Stencil& stencil, int rank)
{
    Edges edges;
    edges.rank = rank;
    edges.destinations = peers(topology, stencil, rank, WalkDirection::forward);
    edges.sources = peers(topology, stencil, rank, WalkDirection::backward);
    edges.destination_order = occurrence(edges.destinations);
    edges.source_order = occurrence(edges.sources);
    return edges;
}

Edges edges_to_everyone(int processes, int rank)
{
    Edges edges;
    edges.rank = rank;
    edges.destinations = identity(processes);
    edges.sources = edges.destinations;
    edges.destination_order.assign(edges.destinations.size(), 0);
    edges.source_order = edges.destination_order;
    return edges;
}

} // namespace hopscotch::schedules
