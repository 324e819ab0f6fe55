// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The weights of edges: of a stencil on a process grid, one for all, by offset, or one for each; and of the neighbor
// lists of a process, which are packed for another one.
#include "schedules/mapping/edge_weights.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace hopscotch::schedules
{

void check_shape(const EdgeWeights& weights, const Topology& grid, const Stencil& stencil)
{
    const auto t = static_cast<std::size_t>(stencil.size());
    if (weights.empty() || weights.size() == t || weights.size() == static_cast<std::size_t>(grid.size()) * t)
        return;
    throw std::invalid_argument("mapping: " + std::to_string(stencil.size()) + " offsets, but weights of " +
                                std::to_string(weights.size()));
}

std::vector<std::int64_t> weights_of_offsets(const EdgeWeights& weights, const Stencil& stencil)
{
    constexpr std::int64_t most = 1 << 20; // products with counts of processes and offsets stay numbers
    const auto t = static_cast<std::size_t>(stencil.size());
    if (weights.empty() || t == 0)
        return std::vector<std::int64_t>(t, 1);
    std::vector<std::int64_t> sums(t, 0);
    for (std::size_t i = 0; i < weights.size(); ++i)
        sums[i % t] += weights[i];
    const std::int64_t largest = *std::max_element(sums.begin(), sums.end());
    for (std::int64_t& sum : sums)
        sum = (sum + largest / most) / (largest / most + 1);
    return sums;
}

std::vector<int> by_offset(const Topology& grid, const Stencil& stencil, int rank, const std::vector<int>& destinations,
                           const std::vector<int>& weights)
{
    std::multimap<int, int> of_neighbor; // in the order of the list
    for (std::size_t i = 0; i < destinations.size(); ++i)
        of_neighbor.emplace(destinations[i], weights[i]);
    std::vector<int> result;
    for (int i = 0; i < stencil.size(); ++i) {
        const int neighbor = grid.neighbor(rank, stencil.offset(i));
        const auto found = neighbor == no_rank ? of_neighbor.end() : of_neighbor.find(neighbor);
        result.push_back(found == of_neighbor.end() ? 0 : found->second);
        if (found != of_neighbor.end())
            of_neighbor.erase(found);
    }
    return result;
}

std::vector<int> packed(const WeightedLists& lists)
{
    std::vector<int> numbers = {static_cast<int>(lists.sources.size()), static_cast<int>(lists.destinations.size()),
                                lists.weighted ? 1 : 0};
    for (const std::vector<int>* part :
         {&lists.sources, &lists.source_weights, &lists.destinations, &lists.destination_weights})
        numbers.insert(numbers.end(), part->begin(), part->end());
    return numbers;
}

WeightedLists unpacked(const std::vector<int>& numbers)
{
    WeightedLists lists;
    lists.weighted = numbers[2] != 0;
    auto from = numbers.begin() + 3;
    const auto take = [&from](std::vector<int>& list, int count) {
        list.assign(from, from + count);
        from += count;
    };
    take(lists.sources, numbers[0]);
    take(lists.source_weights, numbers[0]);
    take(lists.destinations, numbers[1]);
    take(lists.destination_weights, numbers[1]);
    return lists;
}

} // namespace hopscotch::schedules
