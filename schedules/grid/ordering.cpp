// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace hopscotch::schedules
{

namespace
{

struct Span {
    long long least = std::numeric_limits<long long>::max();
    long long most = std::numeric_limits<long long>::min();
};

Span span_of(const std::vector<int>& indices, const std::vector<int>& keys)
{
    Span span;
    for (const int i : indices) {
        span.least = std::min<long long>(span.least, keys[i]);
        span.most = std::max<long long>(span.most, keys[i]);
    }
    return span;
}

void counting_sort(std::vector<int>& indices, const std::vector<int>& keys, const Span& span)
{
    std::vector<int> next(static_cast<std::size_t>(span.most - span.least) + 2, 0);
    for (const int i : indices)
        ++next[static_cast<std::size_t>(keys[i] - span.least) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<int> result(indices.size());
    for (const int i : indices)
        result[next[static_cast<std::size_t>(keys[i] - span.least)]++] = i;
    indices.swap(result);
}

} // namespace

std::vector<int> identity(int n)
{
    std::vector<int> result(static_cast<std::size_t>(n));
    std::iota(result.begin(), result.end(), 0);
    return result;
}

bool is_permutation(std::vector<int> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return numbers == identity(static_cast<int>(numbers.size()));
}

void sort_by(std::vector<int>& indices, const std::vector<int>& keys)
{
    if (indices.size() < 2)
        return;
    const Span span = span_of(indices, keys);
    if (span.least == span.most)
        return;
    constexpr long long cheap_to_clear = 64;
    if (span.most - span.least <= 4 * static_cast<long long>(indices.size()) + cheap_to_clear)
        counting_sort(indices, keys, span);
    else
        std::stable_sort(indices.begin(), indices.end(), [&keys](int a, int b) { return keys[a] < keys[b]; });
}

} // namespace hopscotch::schedules
