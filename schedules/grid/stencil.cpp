// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/stencil.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>

namespace hopscotch::schedules
{

namespace
{

/// The distinct non-zero offsets, sorted, without the dimensions in which no offset has a shift.
Stencil essence(const Stencil& stencil)
{
    std::vector<int> used;
    for (int k = 0; k < stencil.dimensions(); ++k)
        if (!distinct_shifts(stencil, k).empty())
            used.push_back(k);
    Stencil result(static_cast<int>(used.size()), {});
    std::vector<int> offset(used.size());
    const Stencil in_order = sorted(stencil);
    for (int i = 0; i < in_order.size(); ++i) {
        const bool repeated =
            i > 0 && std::equal(in_order.offset(i), in_order.offset(i) + in_order.dimensions(), in_order.offset(i - 1));
        if (repeated || hops(in_order, i) == 0)
            continue;
        for (std::size_t k = 0; k < used.size(); ++k)
            offset[k] = in_order.shift(i, used[k]);
        result.append(offset.data());
    }
    return result;
}

/// Number of offsets, the zero offset left out, of the product of all shifts that occur, zero included, per dimension.
long long product_size(const Stencil& stencil)
{
    long long size = 1;
    bool zero_everywhere = true;
    for (int k = 0; k < stencil.dimensions(); ++k) {
        bool zero = false;
        for (int i = 0; i < stencil.size() && !zero; ++i)
            zero = stencil.shift(i, k) == 0;
        size *= static_cast<long long>(distinct_shifts(stencil, k).size()) + (zero ? 1 : 0);
        zero_everywhere = zero_everywhere && zero;
        if (size > stencil.size() + 1LL)
            break;
    }
    return zero_everywhere ? size - 1 : size;
}

} // namespace

Stencil::Stencil(int dimensions, std::vector<int> shifts) : dimensions_(dimensions), shifts_(std::move(shifts))
{
    if (dimensions < 0)
        throw std::invalid_argument("stencil: " + std::to_string(dimensions) + " dimensions");
    if (dimensions == 0 ? !shifts_.empty() : shifts_.size() % static_cast<std::size_t>(dimensions) != 0)
        throw std::invalid_argument("stencil: " + std::to_string(shifts_.size()) + " shifts are no offsets of " +
                                    std::to_string(dimensions) + " dimensions");
    if (dimensions > 0)
        size_ = static_cast<int>(shifts_.size() / static_cast<std::size_t>(dimensions));
}

void Stencil::append(const int* offset)
{
    shifts_.insert(shifts_.end(), offset, offset + dimensions_);
    ++size_;
}

int hops(const Stencil& stencil, int i) noexcept
{
    const int* offset = stencil.offset(i);
    return static_cast<int>(std::count_if(offset, offset + stencil.dimensions(), [](int shift) { return shift != 0; }));
}

int radius(const Stencil& stencil) noexcept
{
    int result = 0;
    for (const int shift : stencil.shifts())
        result = std::max(result, std::abs(shift));
    return result;
}

std::vector<int> shifts_along(const Stencil& stencil, int k)
{
    std::vector<int> result(static_cast<std::size_t>(stencil.size()));
    for (int i = 0; i < stencil.size(); ++i)
        result[i] = stencil.shift(i, k);
    return result;
}

std::vector<int> distinct_shifts(const Stencil& stencil, int k)
{
    const std::vector<int> keys = shifts_along(stencil, k);
    std::vector<int> order = identity(stencil.size());
    sort_by(order, keys);
    std::vector<int> result;
    for (const int i : order)
        if (keys[i] != 0 && (result.empty() || result.back() != keys[i]))
            result.push_back(keys[i]);
    return result;
}

int rounds(const Stencil& stencil)
{
    int result = 0;
    for (int k = 0; k < stencil.dimensions(); ++k)
        result += static_cast<int>(distinct_shifts(stencil, k).size());
    return result;
}

int alltoall_volume(const Stencil& stencil) noexcept
{
    int result = 0;
    for (int i = 0; i < stencil.size(); ++i)
        result += hops(stencil, i);
    return result;
}

int direct_volume(const Stencil& stencil) noexcept
{
    int result = 0;
    for (int i = 0; i < stencil.size(); ++i)
        result += hops(stencil, i) > 0 ? 1 : 0;
    return result;
}

int distinct_peers(const Stencil& stencil)
{
    int peers = 0;
    for (int i = 0; i < stencil.size(); ++i) {
        const int* offset = stencil.offset(i);
        const bool repeated = i > 0 && std::equal(offset, offset + stencil.dimensions(), stencil.offset(i - 1));
        peers += !repeated && hops(stencil, i) > 0 ? 1 : 0;
    }
    return peers;
}

std::vector<int> dimensions_by_rounds(const Stencil& stencil)
{
    std::vector<int> distinct;
    for (int k = 0; k < stencil.dimensions(); ++k)
        distinct.push_back(static_cast<int>(distinct_shifts(stencil, k).size()));
    std::vector<int> order = identity(stencil.dimensions());
    sort_by(order, distinct);
    return order;
}

bool steps_along_every_dimension(const Stencil& stencil, const Topology& topology)
{
    std::vector<bool> steps(static_cast<std::size_t>(topology.dimensions()), false);
    for (int i = 0; i < stencil.size(); ++i) {
        if (hops(stencil, i) != 1)
            continue;
        for (int k = 0; k < stencil.dimensions(); ++k) {
            const int shift = std::abs(stencil.shift(i, k));
            const int size = topology.dims()[static_cast<std::size_t>(k)];
            if (shift == 1 || (topology.periods()[static_cast<std::size_t>(k)] && shift == size - 1 && shift > 0))
                steps[static_cast<std::size_t>(k)] = true;
        }
    }
    for (std::size_t k = 0; k < steps.size(); ++k)
        if (!steps[k] && topology.dims()[k] > 1)
            return false;
    return true;
}

Stencil canonical(const Stencil& stencil, const Topology& topology)
{
    if (stencil.dimensions() != topology.dimensions())
        throw std::invalid_argument("stencil: " + std::to_string(stencil.dimensions()) + " dimensions on a grid of " +
                                    std::to_string(topology.dimensions()));
    Stencil result(stencil.dimensions(), {});
    std::vector<int> offset(static_cast<std::size_t>(stencil.dimensions()));
    for (int i = 0; i < stencil.size(); ++i) {
        for (int k = 0; k < stencil.dimensions(); ++k)
            offset[k] = topology.canonical_shift(k, stencil.shift(i, k));
        result.append(offset.data());
    }
    return result;
}

std::vector<int> lexicographic_order(const Stencil& stencil, const std::vector<int>& dimension_order)
{
    std::vector<int> order = identity(stencil.size());
    for (std::size_t k = dimension_order.size(); k-- > 0;)
        sort_by(order, shifts_along(stencil, dimension_order[k]));
    return order;
}

Stencil sorted(const Stencil& stencil)
{
    Stencil result(stencil.dimensions(), {});
    for (const int i : lexicographic_order(stencil, identity(stencil.dimensions())))
        result.append(stencil.offset(i));
    return result;
}

std::string name(const Stencil& stencil)
{
    const Stencil shape = essence(stencil);
    if (shape.size() < 2)
        return "custom";
    const int reach = radius(shape);
    bool axis_parallel = true;
    for (int i = 0; i < shape.size(); ++i)
        axis_parallel = axis_parallel && hops(shape, i) == 1;
    // Compared by size first: a radius from a hand-made list may be far too large to write the whole shape down.
    if (axis_parallel && shape.size() == 2LL * shape.dimensions() * reach &&
        shape == sorted(star(shape.dimensions(), reach)))
        return reach == 1 ? "von Neumann" : "star";
    if (product_size(shape) != shape.size())
        return "custom";
    for (int k = 0; k < shape.dimensions(); ++k) {
        const std::vector<int> shifts = distinct_shifts(shape, k);
        if (shifts.size() != 2 * static_cast<std::size_t>(reach) || shifts.front() != -reach || shifts.back() != reach)
            return "box";
    }
    return shape == moore(shape.dimensions(), reach) ? "moore" : "box";
}

Stencil moore(int dimensions, int radius)
{
    const Stencil full = grid(dimensions, 2 * radius + 1, -radius);
    Stencil result(dimensions, {});
    for (int i = 0; i < full.size(); ++i)
        if (hops(full, i) > 0)
            result.append(full.offset(i));
    return result;
}

Stencil star(int dimensions, int radius)
{
    Stencil result(dimensions, {});
    std::vector<int> offset(static_cast<std::size_t>(dimensions), 0);
    for (int k = 0; k < dimensions; ++k) {
        for (int shift = -radius; shift <= radius; ++shift) {
            offset[k] = shift;
            if (shift != 0)
                result.append(offset.data());
        }
        offset[k] = 0;
    }
    return result;
}

Stencil grid(int dimensions, int n, int first)
{
    Stencil result(dimensions, {});
    if (n < 1)
        return result;
    std::vector<int> offset(static_cast<std::size_t>(dimensions), first);
    for (bool more = true; more;) {
        result.append(offset.data());
        more = false;
        for (int k = dimensions; k-- > 0 && !more;) {
            more = offset[k] < first + n - 1;
            offset[k] = more ? offset[k] + 1 : first;
        }
    }
    return result;
}

} // namespace hopscotch::schedules
