// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/routing.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>

namespace hopscotch::schedules
{

namespace
{

/// `moves`: what each block does along the dimensions.
void add_phase(Routing& route, std::vector<int> dimensions, Stencil moves)
{
    const int columns = static_cast<int>(dimensions.size());
    moves.append(std::vector<int>(dimensions.size(), 0).data());
    Steps steps{std::move(dimensions), Stencil(columns, {}), 0,
                std::vector<int>(static_cast<std::size_t>(moves.size()))};
    for (const int i : lexicographic_order(moves, identity(columns))) {
        const int last = steps.distinct.size() - 1;
        bool same = last >= 0;
        for (int k = 0; k < columns && same; ++k)
            same = moves.shift(i, k) == steps.distinct.shift(last, k);
        if (!same)
            steps.distinct.append(moves.offset(i));
        steps.of_block[i] = steps.distinct.size() - 1;
    }
    steps.none = steps.of_block.back();
    steps.of_block.pop_back();
    if (steps.distinct.size() > 1)
        route.push_back(std::move(steps));
}

Stencil along(const Stencil& stencil, const std::vector<int>& dimensions)
{
    Stencil result(static_cast<int>(dimensions.size()), {});
    std::vector<int> shifts(dimensions.size());
    for (int b = 0; b < stencil.size(); ++b) {
        std::transform(dimensions.begin(), dimensions.end(), shifts.begin(),
                       [&stencil, b](int k) { return stencil.shift(b, k); });
        result.append(shifts.data());
    }
    return result;
}

void add_split(Routing& route, const Stencil& stencil, const Topology& topology, const Group& group)
{
    const int k = group.dimensions.front();
    const Split split = schedules::split(stencil, topology, k, group.phases);
    for (std::size_t p = 0; p < static_cast<std::size_t>(group.phases); ++p) {
        Stencil moves(1, {});
        for (int b = 0; b < stencil.size(); ++b) {
            const auto found = std::lower_bound(split.shifts.begin(), split.shifts.end(), stencil.shift(b, k));
            constexpr int no_step = 0;
            moves.append(stencil.shift(b, k) == 0 ? &no_step : &split.words[found - split.shifts.begin()][p]);
        }
        add_phase(route, group.dimensions, std::move(moves));
    }
}

} // namespace

Load Steps::load() const noexcept
{
    const auto resting = std::count(of_block.begin(), of_block.end(), none);
    return {distinct.size() - 1, static_cast<int>(of_block.size()) - static_cast<int>(resting)};
}

std::string to_string(const std::vector<Group>& groups)
{
    std::string text;
    for (const Group& group : groups) {
        for (const int k : group.dimensions)
            text += (k != group.dimensions.front() ? "+" : text.empty() ? "" : "/") + std::to_string(k);
        if (group.phases > 1)
            text += ":" + std::to_string(group.phases);
    }
    return text;
}

std::vector<Group> parse_groups(const std::string& text)
{
    std::vector<Group> groups;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (char before = '/'; before != '\0'; before = at != end ? *at++ : '\0') {
        int number = 0;
        const std::from_chars_result read = std::from_chars(at, end, number);
        if (read.ec != std::errc{} || number < 0 || (before != '/' && before != '+' && before != ':'))
            throw std::invalid_argument("'" + text + "' are no groups of dimensions");
        at = read.ptr;
        if (before == '/')
            groups.emplace_back();
        if (before == ':')
            groups.back().phases = number;
        else
            groups.back().dimensions.push_back(number);
    }
    return groups;
}

bool fit(const std::vector<Group>& groups, int dimensions)
{
    std::vector<int> all;
    for (const Group& group : groups) {
        all.insert(all.end(), group.dimensions.begin(), group.dimensions.end());
        if (group.phases < 1 || (group.phases > 1 && group.dimensions.size() > 1))
            return false;
    }
    return static_cast<int>(all.size()) == dimensions && is_permutation(all);
}

bool splits(const std::vector<Group>& groups) noexcept
{
    return std::any_of(groups.begin(), groups.end(), [](const Group& group) { return group.phases > 1; });
}

Routing route_along(const Stencil& stencil, const std::vector<int>& dimension_order)
{
    if (static_cast<int>(dimension_order.size()) != stencil.dimensions() || !is_permutation(dimension_order))
        throw std::invalid_argument("route: the dimension order is no permutation of " +
                                    std::to_string(stencil.dimensions()) + " dimensions");
    Routing route;
    for (const int k : dimension_order)
        add_phase(route, {k}, Stencil(1, shifts_along(stencil, k)));
    return route;
}

Routing route_of(const Stencil& stencil, const Topology& topology, const std::vector<Group>& groups)
{
    Routing route;
    for (const Group& group : groups)
        if (group.phases > 1)
            add_split(route, stencil, topology, group);
        else
            add_phase(route, group.dimensions, along(stencil, group.dimensions));
    return route;
}

Routing route_by_bits(const Stencil& stencil, const Topology& torus)
{
    Routing route;
    for (int k = 0; k < stencil.dimensions(); ++k)
        for (std::int64_t bit = 1; bit < torus.extent(k); bit *= 2) {
            Stencil moves(1, {});
            for (int b = 0; b < stencil.size(); ++b) {
                const int shift = stencil.shift(b, k);
                const std::int64_t ahead = shift < 0 ? shift + torus.extent(k) : shift;
                const int step = torus.canonical_shift(k, static_cast<int>(ahead & bit));
                moves.append(&step);
            }
            add_phase(route, {k}, std::move(moves));
        }
    return route;
}

} // namespace hopscotch::schedules
