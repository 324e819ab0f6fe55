// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace hopscotch::schedules
{

namespace
{

/// The coordinate `shift` further along a dimension of size n; no_rank beyond a mesh border.
int moved(int coordinate, int shift, int n, bool periodic) noexcept
{
    const long long target = static_cast<long long>(coordinate) + shift;
    if (target >= 0 && target < n)
        return static_cast<int>(target);
    if (!periodic)
        return no_rank;
    const long long wrapped = target % n;
    return static_cast<int>(wrapped < 0 ? wrapped + n : wrapped);
}

} // namespace

Topology::Topology(std::vector<int> dims, std::vector<bool> periods)
    : dims_(std::move(dims)), periods_(std::move(periods))
{
    if (dims_.size() != periods_.size())
        throw std::invalid_argument("topology: " + std::to_string(dims_.size()) + " dims, but " +
                                    std::to_string(periods_.size()) + " periods");
    long long size = 1;
    for (std::size_t k = dims_.size(); k-- > 0;) {
        if (dims_[k] < 1)
            throw std::invalid_argument("topology: dimension " + std::to_string(k) + " has size " +
                                        std::to_string(dims_[k]));
        size *= dims_[k];
        if (size > std::numeric_limits<int>::max())
            throw std::invalid_argument("topology: more than " + std::to_string(std::numeric_limits<int>::max()) +
                                        " processes from dimension " + std::to_string(k) + " of size " +
                                        std::to_string(dims_[k]));
    }
    size_ = static_cast<int>(size);
}

bool Topology::fully_periodic() const noexcept
{
    return std::find(periods_.begin(), periods_.end(), false) == periods_.end();
}

void Topology::coordinates(int rank, int* coordinates) const noexcept
{
    for (std::size_t k = dims_.size(); k-- > 0;) {
        coordinates[k] = rank % dims_[k];
        rank /= dims_[k];
    }
}

std::vector<int> Topology::coordinates(int rank) const
{
    std::vector<int> result(dims_.size());
    coordinates(rank, result.data());
    return result;
}

int Topology::rank(const int* coordinates) const noexcept
{
    int result = 0;
    for (std::size_t k = 0; k < dims_.size(); ++k)
        result = result * dims_[k] + coordinates[k];
    return result;
}

int Topology::neighbor(int rank, const int* offset) const noexcept
{
    int result = 0;
    int stride = 1;
    for (std::size_t k = dims_.size(); k-- > 0;) {
        const int target = moved(rank % dims_[k], offset[k], dims_[k], periods_[k]);
        if (target == no_rank)
            return no_rank;
        result += target * stride;
        rank /= dims_[k];
        stride *= dims_[k];
    }
    return result;
}

int Topology::shifted(int rank, int k, int shift) const noexcept
{
    const auto dimension = static_cast<std::size_t>(k);
    int stride = 1;
    for (std::size_t j = dims_.size(); --j > dimension;)
        stride *= dims_[j];
    const int coordinate = rank / stride % dims_[dimension];
    const int target = moved(coordinate, shift, dims_[dimension], periods_[dimension]);
    return target == no_rank ? no_rank : rank + (target - coordinate) * stride;
}

int Topology::canonical_shift(int k, int shift) const noexcept
{
    if (!periodic(k))
        return shift;
    const int n = extent(k);
    int result = shift % n;
    if (result < 0)
        result += n;
    return result > n - result ? result - n : result;
}

std::string to_string(const Topology& topology)
{
    std::string result;
    for (int k = 0; k < topology.dimensions(); ++k) {
        if (k > 0)
            result += 'x';
        result += std::to_string(topology.extent(k));
        if (topology.periodic(k))
            result += 'p';
    }
    return result;
}

} // namespace hopscotch::schedules
