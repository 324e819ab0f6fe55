// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the neighbors of a process and the weights of the edges to them, and packs both for another process.
#include "schedules/grid/weighted_lists.hpp"

namespace hopscotch::schedules
{

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
