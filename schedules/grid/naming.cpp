// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/naming.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <stdexcept>

namespace hopscotch::schedules
{

namespace
{

template <class Value>
std::vector<Value> reordered(const std::vector<Value>& values, const std::vector<int>& order)
{
    if (order.size() != values.size() || !is_permutation(order))
        throw std::invalid_argument("naming: the order of dimensions is no permutation of them");
    std::vector<Value> result;
    for (const int k : order)
        result.push_back(values[static_cast<std::size_t>(k)]);
    return result;
}

} // namespace

Naming::Naming(const std::vector<int>& sizes, const std::vector<bool>& periods, std::vector<int> slowest_first)
    : grid_(reordered(sizes, slowest_first), reordered(periods, slowest_first)),
      slowest_first_(std::move(slowest_first)), places_(slowest_first_.size())
{
    for (std::size_t i = 0; i < slowest_first_.size(); ++i)
        places_[static_cast<std::size_t>(slowest_first_[i])] = static_cast<int>(i);
}

std::vector<int> Naming::coordinates(int rank) const
{
    const std::vector<int> in_grid = grid_.coordinates(rank);
    std::vector<int> result;
    for (const int place : places_)
        result.push_back(in_grid[static_cast<std::size_t>(place)]);
    return result;
}

int Naming::rank_at(const int* coordinates) const
{
    return rank_from(0, coordinates, 1);
}

int Naming::rank_from(int rank, const int* offset, int sign) const
{
    std::vector<int> in_grid;
    for (const int k : slowest_first_) {
        // Beyond these bounds a shift leaves every mesh, and in a torus only its remainder counts.
        const int n = extent(k);
        in_grid.push_back(sign * (periodic(k) ? offset[k] % n : std::clamp(offset[k], -n, n)));
    }
    return grid_.neighbor(rank, in_grid.data());
}

int ProcessNaming::rank_at(const int* coordinates) const
{
    const int rank = naming_.rank_at(coordinates);
    return names(rank) ? rank : no_rank;
}

int ProcessNaming::rank_from(int source, const int* relative, int sign) const
{
    const int rank = names(source) ? naming_.rank_from(source, relative, sign) : no_rank;
    return names(rank) ? rank : no_rank;
}

std::vector<int> as_list(const Naming& naming)
{
    std::vector<int> list;
    for (int k = 0; k < naming.dimensions(); ++k)
        list.push_back(naming.extent(k));
    for (int k = 0; k < naming.dimensions(); ++k)
        list.push_back(naming.periodic(k) ? 1 : 0);
    list.insert(list.end(), naming.slowest_first().begin(), naming.slowest_first().end());
    return list;
}

std::string difference_of_names(int rank, const std::vector<int>& list, const std::vector<int>& of_rank_0)
{
    const std::string who = "rank " + std::to_string(rank);
    if (list.empty() || of_rank_0.empty())
        return who + (list.empty() ? " gave no name, rank 0 did" : " gave a name, rank 0 did not");
    const std::size_t d = list.size() / 3;
    if (list.size() != of_rank_0.size())
        return who + " named " + std::to_string(d) + " dimensions, rank 0 " + std::to_string(of_rank_0.size() / 3);
    const auto [here, there] = std::mismatch(list.begin(), list.end(), of_rank_0.begin());
    const auto at = static_cast<std::size_t>(here - list.begin());
    if (at >= 2 * d)
        return who + " gave another order of dimensions than rank 0";
    return who + ": entry " + std::to_string(at % d) + (at < d ? " of order is " : " of period is ") +
           std::to_string(*here) + ", on rank 0 it is " + std::to_string(*there);
}

} // namespace hopscotch::schedules
