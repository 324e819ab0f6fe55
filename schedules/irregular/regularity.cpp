// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells graphs that a grid may explain in part from those without any order, before grids are tried.
#include "schedules/irregular/regularity.hpp"

#include "schedules/grid/topology.hpp"

#include <algorithm>
#include <cstddef>

namespace hopscotch::schedules
{

namespace
{

using Lists = std::vector<std::vector<int>>;

/// The other processes in a list, each once.
std::size_t neighbors(std::vector<int> list, int rank)
{
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    const auto is_none = [rank](int to) { return to == no_rank || to == rank; };
    list.erase(std::remove_if(list.begin(), list.end(), is_none), list.end());
    return list.size();
}

std::size_t entries_of(const Lists& destinations)
{
    std::size_t entries = 0;
    for (const std::vector<int>& list : destinations)
        entries += list.size();
    return entries;
}

/// The number of processes with so many ways of two edges as give a fair sample.
std::size_t looked_at(const Lists& destinations)
{
    constexpr std::size_t most_ways = 1 << 14;
    constexpr std::size_t most_processes = 256;
    const std::size_t entries = entries_of(destinations);
    const std::size_t of_list = entries / destinations.size() + 1;
    return std::clamp<std::size_t>(most_ways / (of_list * of_list), 1, most_processes);
}

/// Ways of two edges to other processes, and those of them that are not the only ones between their ends.
struct Ways {
    std::size_t all = 0;
    std::size_t shared = 0;
    double by_chance = 0; // shared ways if edges lead anywhere
};

/// True if on some torus a process reaches all others with so many messages.
bool has_short_torus(std::size_t processes, std::size_t most_messages)
{
    std::size_t messages = 0;
    for (std::size_t factor = 2; processes > 1 && messages + factor - 1 <= most_messages; ++factor)
        for (; processes % factor == 0; processes /= factor)
            messages += factor - 1;
    return processes == 1 && messages <= most_messages;
}

double power(double base, std::size_t exponent)
{
    double result = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        result *= exponent % 2 == 1 ? base : 1;
    return result;
}

/// Counts the ways from one process after the other.
class WayCounter
{
  public:
    explicit WayCounter(const Lists& destinations) : destinations_(destinations), reached_(destinations.size()) {}

    void add(int from, Ways& ways)
    {
        const std::vector<int>& list = destinations_[static_cast<std::size_t>(from)];
        const std::size_t before = ways.all;
        for (const int middle : list) {
            if (middle == no_rank || middle == from)
                continue;
            for (const int to : destinations_[static_cast<std::size_t>(middle)])
                if (to != no_rank && to != from && to != middle)
                    add(from, middle, reached_[static_cast<std::size_t>(to)], ways);
        }
        const std::size_t number = ways.all - before;
        const std::size_t over_others = number - number / std::max<std::size_t>(list.size(), 1);
        const double missed = 1 - 1 / static_cast<double>(destinations_.size() - 1);
        ways.by_chance += static_cast<double>(number) * (1 - power(missed, over_others));
    }

  private:
    /// The last process with a way to this one.
    struct Reached {
        int from = no_rank;
        int middle = no_rank; // of its first way
        bool shared = false;  // there are others
    };

    static void add(int from, int middle, Reached& reached, Ways& ways)
    {
        ++ways.all;
        if (reached.from != from)
            reached = {from, middle, false};
        else if (reached.middle != middle) {
            ways.shared += reached.shared ? 1 : 2;
            reached.shared = true;
        }
    }

    const Lists& destinations_;
    std::vector<Reached> reached_;
};

} // namespace

bool may_be_regular(const Lists& destinations, SearchBudget& budget)
{
    constexpr std::size_t least_neighbors = 3; // of three blocks one may travel with the two others
    constexpr std::size_t least_part = 4;
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < destinations.size() && most < least_neighbors; ++rank)
        most = std::max(most, neighbors(destinations[rank], static_cast<int>(rank)));
    if (most < least_neighbors)
        return false;
    WayCounter counter(destinations);
    Ways ways;
    const std::size_t stride = destinations.size() / looked_at(destinations) + 1;
    for (std::size_t rank = 0; rank < destinations.size(); rank += stride) {
        const std::size_t before = ways.all;
        counter.add(static_cast<int>(rank), ways);
        if (!budget.take((ways.all - before) / 4)) // a way is some 5 ns
            return true;
    }
    if (ways.shared * least_part < ways.all)
        return false;
    if (has_short_torus(destinations.size(), entries_of(destinations) * 9 / 8 / destinations.size()))
        return true; // it may save messages on any graph
    return static_cast<double>(ways.shared) - ways.by_chance >= (static_cast<double>(ways.all) - ways.by_chance) / 8;
}

} // namespace hopscotch::schedules
