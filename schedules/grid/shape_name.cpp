// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The name of a stencil on a process grid, where both directions may lead to the same process.
#include "schedules/grid/shape_name.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

namespace
{

/// The stencil with both directions of each shift along dimension k that leads to one process in both.
Stencil both_ways(const Stencil& stencil, int k, int extent)
{
    const Stencil known = sorted(stencil);
    Stencil result = known;
    std::vector<int> offset(static_cast<std::size_t>(known.dimensions()));
    for (int first = 0, end = 0; first < known.size(); first = end) {
        offset.assign(known.offset(first), known.offset(first) + known.dimensions());
        for (end = first + 1; end < known.size() && std::equal(offset.begin(), offset.end(), known.offset(end));)
            ++end;
        if (2 * known.shift(first, k) != extent || (extent > 2 && (end - first) % 2 != 0))
            continue;
        offset[static_cast<std::size_t>(k)] *= -1;
        for (int i = first; i < end; ++i)
            result.append(offset.data());
    }
    return result;
}

} // namespace

std::string name(const Stencil& stencil, const Topology& topology)
{
    Stencil both = stencil;
    for (int k = 0; k < topology.dimensions(); ++k)
        if (topology.periodic(k))
            both = both_ways(both, k, topology.extent(k));
    const std::string shape = name(both);
    return shape == "custom" || shape == "box" ? name(stencil) : shape;
}

} // namespace hopscotch::schedules
