// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Coordinates for ranks in a grid with dimensions in any order, from the slowest varying one to the fastest.
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

} // namespace hopscotch::schedules
