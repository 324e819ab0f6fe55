// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/infer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// Appends the ordered factorizations of the rest of p into `remaining` further factors.
class Factorizer
{
  public:
    Factorizer(int p, std::size_t limit) : limit_(limit)
    {
        for (int f = 2; f <= p / f; ++f) {
            if (p % f != 0)
                continue;
            divisors_.push_back(f);
            if (f != p / f)
                divisors_.push_back(p / f);
        }
        std::sort(divisors_.begin(), divisors_.end());
    }

    bool full() const noexcept { return grids_.size() >= limit_; }

    void factorize(int left, int remaining)
    {
        if (full())
            return;
        if (remaining == 1) {
            factors_.push_back(left);
            grids_.push_back(factors_);
            factors_.pop_back();
            return;
        }
        for (const int f : divisors_) {
            if (left / f < 1LL << (remaining - 1)) // every further factor is at least 2
                break;
            if (left % f != 0)
                continue;
            factors_.push_back(f);
            factorize(left / f, remaining - 1);
            factors_.pop_back();
        }
    }

    std::vector<std::vector<int>> take() { return std::move(grids_); }

  private:
    std::size_t limit_;
    std::vector<int> divisors_;
    std::vector<int> factors_;
    std::vector<std::vector<int>> grids_;
};

std::vector<int> processes(const std::vector<int>& ranks)
{
    std::vector<int> result;
    result.reserve(ranks.size());
    std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(result), [](int rank) { return rank != no_rank; });
    return result;
}

/// The number of processes with a neighbor at this canonical offset.
std::size_t processes_with(const Topology& topology, const std::vector<int>& offset)
{
    std::size_t count = 1;
    for (int k = 0; k < topology.dimensions(); ++k) {
        const int lost = topology.periodic(k) ? 0 : std::abs(offset[static_cast<std::size_t>(k)]);
        count *= static_cast<std::size_t>(std::max(topology.extent(k) - lost, 0));
    }
    return count;
}

/// True if `actual` holds, with multiplicity, exactly the processes among expected(0), ..., expected(t-1). The function
/// first looks for a few expected ones, because nearly every wrong grid fails there.
template <typename Expected>
bool same_processes(const std::vector<int>& actual, int t, const Expected& expected)
{
    constexpr int probes = 4;
    std::vector<int> wanted;
    wanted.reserve(actual.size());
    std::size_t out_of_step = 0;
    for (int i = 0; i < t; ++i) {
        const int rank = expected(i);
        if (rank == no_rank)
            continue;
        if (wanted.size() == actual.size())
            return false;
        if (rank != actual[wanted.size()] && out_of_step++ < probes &&
            std::find(actual.begin(), actual.end(), rank) == actual.end())
            return false;
        wanted.push_back(rank);
    }
    if (wanted.size() != actual.size() || out_of_step == 0)
        return wanted.size() == actual.size();
    std::vector<int> found = actual;
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    return found == wanted;
}

} // namespace

std::vector<std::vector<int>> factorizations(int p, int most_dimensions, std::size_t limit)
{
    if (p < 1)
        throw std::invalid_argument("infer: " + std::to_string(p) + " processes");
    if (p == 1)
        return most_dimensions < 1 || limit < 1 ? std::vector<std::vector<int>>{} : std::vector<std::vector<int>>{{1}};
    Factorizer factorizer(p, limit);
    constexpr int bits = 31;
    for (int d = 1; d <= std::min(most_dimensions, bits) && !factorizer.full(); ++d)
        factorizer.factorize(p, d);
    return factorizer.take();
}

std::vector<Topology> with_periods(const std::vector<int>& dims, bool all_patterns)
{
    std::vector<std::size_t> free; // dimensions that can be periodic or not, the last one first
    for (std::size_t k = dims.size(); k-- > 0;)
        if (dims[k] > 1 && all_patterns)
            free.push_back(k);
    std::vector<Topology> result;
    result.reserve(std::size_t{1} << free.size());
    for (std::size_t pattern = 0; pattern < std::size_t{1} << free.size(); ++pattern) {
        std::vector<bool> periods(dims.size(), true);
        for (std::size_t bit = 0; bit < free.size(); ++bit)
            periods[free[bit]] = (pattern >> bit & 1) == 0;
        result.emplace_back(dims, std::move(periods));
    }
    return result;
}

Stencil offsets(const Topology& topology, int rank, const std::vector<int>& ranks)
{
    const int d = topology.dimensions();
    const std::vector<int> here = topology.coordinates(rank);
    std::vector<int> offset(here.size());
    Stencil result(d, {});
    for (const int other : ranks) {
        if (other == no_rank)
            continue;
        topology.coordinates(other, offset.data());
        for (int k = 0; k < d; ++k)
            offset[k] = topology.canonical_shift(k, offset[k] - here[k]);
        result.append(offset.data());
    }
    return result;
}

bool explains(const Topology& topology, const Stencil& stencil, int rank, const std::vector<int>& destinations,
              const std::vector<int>& sources)
{
    const auto forward = [&](int i) { return topology.neighbor(rank, stencil.offset(i)); };
    if (!same_processes(processes(destinations), stencil.size(), forward))
        return false;
    std::vector<int> offset(static_cast<std::size_t>(stencil.dimensions()));
    const auto backward = [&](int i) {
        std::transform(stencil.offset(i), stencil.offset(i) + stencil.dimensions(), offset.begin(), std::negate<int>());
        return topology.neighbor(rank, offset.data());
    };
    return same_processes(processes(sources), stencil.size(), backward);
}

bool same_as(const Topology& topology, int root, const std::vector<int>& root_destinations, int rank,
             const std::vector<int>& destinations, const std::vector<int>& sources)
{
    const std::vector<int> root_coordinates = topology.coordinates(root);
    std::vector<int> offset(root_coordinates.size());
    const auto moved = [&](int i, int direction) {
        if (root_destinations[i] == no_rank)
            return no_rank;
        topology.coordinates(root_destinations[i], offset.data());
        for (std::size_t k = 0; k < offset.size(); ++k)
            offset[k] = direction * (offset[k] - root_coordinates[k]);
        return topology.neighbor(rank, offset.data());
    };
    const int t = static_cast<int>(root_destinations.size());
    return same_processes(processes(destinations), t, [&](int i) { return moved(i, 1); }) &&
           same_processes(processes(sources), t, [&](int i) { return moved(i, -1); });
}

std::optional<Stencil> covering(const Topology& topology, const std::vector<std::vector<int>>& destinations)
{
    struct Times {
        std::size_t rank; // that was seen last
        int here;         // offsets of this kind on this process
        int most;         // the most on one process
    };
    const auto d = static_cast<std::size_t>(topology.dimensions());
    std::size_t edges = 0;
    for (const std::vector<int>& list : destinations)
        edges += list.size() - static_cast<std::size_t>(std::count(list.begin(), list.end(), no_rank));
    std::size_t expected = 0;                     // edges of the offsets found so far
    std::unordered_map<std::int64_t, Times> seen; // key: the offset as a number, which increases row by row
    std::vector<int> here(d);
    std::vector<int> offset(d);
    for (std::size_t rank = 0; rank < destinations.size(); ++rank) {
        topology.coordinates(static_cast<int>(rank), here.data());
        for (const int to : destinations[rank]) {
            if (to == no_rank)
                continue;
            topology.coordinates(to, offset.data());
            std::int64_t number = 0;
            for (std::size_t k = 0; k < d; ++k) {
                const int dimension = static_cast<int>(k);
                offset[k] = topology.canonical_shift(dimension, offset[k] - here[k]);
                number = number * (2 * static_cast<std::int64_t>(topology.extent(dimension))) + offset[k];
            }
            Times& times = seen.try_emplace(number, Times{rank, 0, 0}).first->second;
            times.here = times.rank == rank ? times.here + 1 : 1;
            times.rank = rank;
            if (times.here <= times.most)
                continue;
            ++times.most;
            expected += processes_with(topology, offset);
            if (expected > edges)
                return std::nullopt;
        }
    }
    std::vector<std::pair<std::int64_t, int>> sorted;
    for (const auto& [number, times] : seen)
        sorted.push_back({number, times.most});
    std::sort(sorted.begin(), sorted.end());
    Stencil result(topology.dimensions(), {});
    for (const auto& [number, count] : sorted) {
        std::int64_t rest = number;
        for (std::size_t k = d; k-- > 0;) {
            const std::int64_t base = 2 * static_cast<std::int64_t>(topology.extent(static_cast<int>(k)));
            std::int64_t digit = rest % base;
            digit += digit <= -base / 2 ? base : digit >= base / 2 ? -base : 0;
            offset[k] = static_cast<int>(digit);
            rest = (rest - digit) / base;
        }
        for (int i = 0; i < count; ++i)
            result.append(offset.data());
    }
    return result;
}

std::size_t best(const std::vector<Stencil>& stencils)
{
    if (stencils.empty())
        throw std::invalid_argument("infer: no grid to choose from");
    std::size_t result = 0;
    for (std::size_t i = 1; i < stencils.size(); ++i) {
        const int rounds_here = rounds(stencils[i]);
        const int rounds_best = rounds(stencils[result]);
        if (rounds_here < rounds_best ||
            (rounds_here == rounds_best && alltoall_volume(stencils[i]) < alltoall_volume(stencils[result])))
            result = i;
    }
    return result;
}

} // namespace hopscotch::schedules
