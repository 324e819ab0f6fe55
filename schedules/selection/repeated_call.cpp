// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/repeated_call.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// The begin of each block. Shape: as sizes.
template <class Position>
std::vector<Position> begins_of(const std::vector<int>& sizes)
{
    std::vector<Position> begins;
    std::int64_t sum = 0;
    for (const int size : sizes) {
        begins.push_back(static_cast<Position>(sum));
        sum += size;
    }
    return begins;
}

std::int64_t sum_of(const std::vector<int>& sizes)
{
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

/// Parallel edges get the mean of their sizes.
std::vector<int> evened(std::vector<int> sizes, const std::vector<int>& ranks)
{
    std::map<int, std::pair<std::int64_t, int>> edges; // their bytes and their number
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        edges[ranks[i]].first += sizes[i];
        ++edges[ranks[i]].second;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i)
        sizes[i] = static_cast<int>(edges[ranks[i]].first / edges[ranks[i]].second);
    return sizes;
}

} // namespace

ByteBlocks byte_blocks(std::vector<int> sends, std::vector<int> receives)
{
    ByteBlocks blocks;
    blocks.send_at = begins_of<int>(sends);
    blocks.receive_at = begins_of<int>(receives);
    blocks.send_from = begins_of<std::ptrdiff_t>(sends);
    blocks.receive_from = begins_of<std::ptrdiff_t>(receives);
    blocks.bytes = std::max(sum_of(sends), sum_of(receives));
    blocks.sends = std::move(sends);
    blocks.receives = std::move(receives);
    return blocks;
}

RepeatedCall repeated_call(Collective collective, const Edges& edges, std::vector<int> sends, std::vector<int> receives)
{
    constexpr std::int64_t most_bytes = 1 << 26;
    if ((!is_allgather(collective) && sends.size() != edges.destinations.size()) ||
        receives.size() != edges.sources.size())
        return {};
    if (!is_allgather(collective))
        sends = evened(std::move(sends), edges.destinations);
    receives = evened(std::move(receives), edges.sources);
    RepeatedCall call;
    call.all = byte_blocks(sends, receives);
    call.of_processes = byte_blocks(is_allgather(collective) ? sends : of_processes(sends, edges.destinations),
                                    of_processes(receives, edges.sources));
    const ByteBlocks& natively = call.of_processes;
    call.is_good = degree(edges.destinations) > 0 && sum_of(natively.sends) > 0 && sum_of(natively.receives) > 0 &&
                   call.all.bytes <= most_bytes &&
                   (collective != Collective::alltoallw || natively.sends.size() == natively.receives.size());
    return call;
}

std::vector<int> of_processes(const std::vector<int>& values, const std::vector<int>& ranks)
{
    std::vector<int> result;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (ranks[i] != no_rank)
            result.push_back(values[i]);
    return result;
}

int calls_in_batch(double seconds_left, double seconds_each)
{
    constexpr double least = 20.0;
    constexpr double most = 5000.0;
    const double fit = seconds_left / 2 / seconds_each;
    return fit >= least ? static_cast<int>(std::min(fit, most)) / batches : 0; // false also for a value that is not a
                                                                               // number
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace hopscotch::schedules
