// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/lattice.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace hopscotch::schedules
{

namespace
{

/// The length of a way: smaller is better.
auto length(const std::vector<int>& steps)
{
    int dimensions = 0;
    int all = 0;
    int backward = 0;
    for (const int step : steps) {
        dimensions += step != 0 ? 1 : 0;
        all += std::abs(step);
        backward += step < 0 ? 1 : 0;
    }
    return std::make_tuple(dimensions, all, backward);
}

} // namespace

Lattice::Lattice(std::vector<int> extents) : Lattice(std::move(extents), {}) {}

Lattice::Lattice(std::vector<int> extents, std::vector<std::vector<int>> wraps)
    : extents_(std::move(extents)), strides_(extents_.size()), wraps_(std::move(wraps))
{
    for (std::size_t k = extents_.size(); k-- > 0; size_ *= extents_[k])
        strides_[k] = size_;
    const auto is_zero = [](const std::vector<int>& wrap) {
        return std::all_of(wrap.begin(), wrap.end(), [](int steps) { return steps == 0; });
    };
    if (std::all_of(wraps_.begin(), wraps_.end(), is_zero))
        wraps_.clear();
}

void Lattice::coordinates(int cell, int* coordinates) const noexcept
{
    for (std::size_t k = extents_.size(); k-- > 0;) {
        coordinates[k] = cell % extents_[k];
        cell /= extents_[k];
    }
}

int Lattice::reduce(int* coordinates) const noexcept
{
    for (std::size_t k = extents_.size(); k-- > 0;) {
        const int around = floor_of(coordinates[k], extents_[k]);
        coordinates[k] -= around * extents_[k];
        for (std::size_t j = 0; j < k && around != 0 && !wraps_.empty(); ++j)
            coordinates[j] += around * wraps_[k][j];
    }
    int cell = 0;
    for (std::size_t k = 0; k < extents_.size(); ++k)
        cell = cell * extents_[k] + coordinates[k];
    return cell;
}

int Lattice::moved(int cell, int k, int shift) const noexcept
{
    constexpr int most_dimensions = 32; // each with at least two cells
    int at[most_dimensions];
    coordinates(cell, at);
    at[k] += shift;
    return reduce(at);
}

void Lattice::shortest(const int* coordinates, int* steps) const
{
    const std::size_t d = extents_.size();
    if (is_torus()) {
        for (std::size_t k = 0; k < d; ++k)
            steps[k] = coordinates[k] * 2 > extents_[k] ? coordinates[k] - extents_[k] : coordinates[k];
        return;
    }
    std::vector<int> best(coordinates, coordinates + d);
    std::size_t ways = 1;
    for (std::size_t k = 0; k < d; ++k)
        ways *= 3;
    for (std::size_t way = 0; way < ways; ++way) {
        std::vector<int> steps_there(coordinates, coordinates + d);
        std::size_t rest = way;
        for (std::size_t k = 0; k < d; ++k, rest /= 3) {
            const int around = static_cast<int>(rest % 3) - 1;
            steps_there[k] += around * extents_[k];
            for (std::size_t j = 0; j < k; ++j)
                steps_there[j] -= around * wraps_[k][j];
        }
        if (length(steps_there) < length(best))
            best = steps_there;
    }
    std::copy(best.begin(), best.end(), steps);
}

} // namespace hopscotch::schedules
