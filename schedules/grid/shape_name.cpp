// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The name of a stencil on a process grid, where several offsets may lead to one process.
#include "schedules/grid/shape_name.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

namespace
{

constexpr int most_radius = 8;
constexpr long long most_offsets = 1 << 16; // of a shape that is written down

/// The offsets that are not zero, sorted.
Stencil without_zero(const Stencil& stencil)
{
    const Stencil all = sorted(stencil);
    Stencil result(all.dimensions(), {});
    for (int i = 0; i < all.size(); ++i)
        if (hops(all, i) > 0)
            result.append(all.offset(i));
    return result;
}

/// Each offset once. Requires: sorted.
Stencil without_repeats(const Stencil& stencil)
{
    Stencil result(stencil.dimensions(), {});
    for (int i = 0; i < stencil.size(); ++i)
        if (i == 0 || !std::equal(stencil.offset(i), stencil.offset(i) + stencil.dimensions(), stencil.offset(i - 1)))
            result.append(stencil.offset(i));
    return result;
}

/// True if the stencil is this shape on the grid, with every edge, or with one for each process where `once`.
bool is_shape(const Stencil& stencil, const Stencil& shape, const Topology& grid, bool once)
{
    const int missing = shape.size() - stencil.size(); // -1: the process itself is a neighbor, too
    if (once ? missing < -1 : missing != 0 && missing != -1)
        return false;
    const Stencil wanted = without_zero(canonical(shape, grid));
    const Stencil own = without_zero(stencil);
    return once ? own.size() > 0 && own.size() <= wanted.size() && without_repeats(own) == without_repeats(wanted)
                : own == wanted;
}

long long size_of_moore(int dimensions, int radius)
{
    long long size = 1;
    for (int k = 0; k < dimensions && size <= most_offsets; ++k)
        size *= 2LL * radius + 1;
    return size - 1;
}

} // namespace

std::string name(const Stencil& stencil, const Topology& topology)
{
    const int d = stencil.dimensions();
    for (const bool once : {false, true})
        for (int r = 1; d > 0 && r <= (once ? 1 : most_radius); ++r) {
            if (is_shape(stencil, star(d, r), topology, once))
                return r == 1 ? "von Neumann" : "star";
            if (size_of_moore(d, r) <= most_offsets && is_shape(stencil, moore(d, r), topology, once))
                return "moore";
        }
    return name(stencil);
}

} // namespace hopscotch::schedules
