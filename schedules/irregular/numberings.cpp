// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers the cells of grids as programs do that keep neighbors together: back and forth, along curves, brick by brick.
#include "schedules/irregular/numberings.hpp"

#include "schedules/grid/infer.hpp"
#include "schedules/irregular/few_holes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Coordinates = std::vector<int>;

/// The cells in the order of the keys of their coordinates.
template <class Key>
std::vector<int> ordered_by(const Lattice& cells, const Key& key)
{
    std::vector<std::pair<std::uint64_t, int>> order;
    Coordinates at(static_cast<std::size_t>(cells.dimensions()));
    for (int cell = 0; cell < cells.size(); ++cell) {
        cells.coordinates(cell, at.data());
        order.push_back({key(at), cell});
    }
    std::sort(order.begin(), order.end());
    std::vector<int> result;
    for (const auto& [number, cell] : order)
        result.push_back(cell);
    return result;
}

/// The bits of each coordinate.
int bits_of(const Lattice& cells)
{
    int bits = 1;
    for (const int extent : cells.extents())
        while (extent > 1 << bits)
            ++bits;
    return bits;
}

/// The first bits of all, then the second ones, and so on.
std::uint64_t interleaved(const Coordinates& at, int bits)
{
    std::uint64_t key = 0;
    for (int bit = bits; bit-- > 0;)
        for (const int coordinate : at)
            key = key << 1 | (static_cast<std::uint64_t>(coordinate) >> bit & 1);
    return key;
}

/// The coordinates whose bits are interleaved along the Hilbert curve: Skilling's AxestoTranspose.
Coordinates hilbert_transpose(Coordinates at, int bits)
{
    const std::size_t d = at.size();
    for (int q = 1 << (bits - 1); q > 1; q >>= 1)
        for (int& coordinate : at) {
            const int exchanged = (coordinate & q) != 0 ? 0 : (at[0] ^ coordinate) & (q - 1);
            at[0] ^= (coordinate & q) != 0 ? q - 1 : exchanged;
            coordinate ^= exchanged;
        }
    for (std::size_t k = 1; k < d; ++k)
        at[k] ^= at[k - 1];
    int mask = 0;
    for (int q = 1 << (bits - 1); q > 1; q >>= 1)
        mask ^= (at[d - 1] & q) != 0 ? q - 1 : 0;
    for (int& coordinate : at)
        coordinate ^= mask;
    return at;
}

/// All bricks that fill a grid, but for those of one cell, of whole rows and of the whole grid.
std::vector<Coordinates> bricks_of(const Lattice& cells)
{
    std::vector<Coordinates> bricks{{}};
    for (const int extent : cells.extents()) {
        std::vector<Coordinates> longer;
        for (const Coordinates& brick : bricks)
            for (int length = 1; length <= extent; ++length)
                if (extent % length == 0) {
                    longer.push_back(brick);
                    longer.back().push_back(length);
                }
        bricks = std::move(longer);
    }
    const auto is_row_by_row = [&cells](const Coordinates& brick) {
        std::size_t k = 0;
        while (k < brick.size() && brick[k] == 1)
            ++k;
        return std::equal(brick.begin() + static_cast<std::ptrdiff_t>(std::min(k + 1, brick.size())), brick.end(),
                          cells.extents().begin() + static_cast<std::ptrdiff_t>(std::min(k + 1, brick.size())));
    };
    bricks.erase(std::remove_if(bricks.begin(), bricks.end(), is_row_by_row), bricks.end());
    return bricks;
}

} // namespace

std::vector<int> back_and_forth(const Lattice& cells)
{
    return ordered_by(cells, [&cells](const Coordinates& at) {
        std::uint64_t key = 0;
        bool backward = false;
        for (std::size_t k = 0; k < at.size(); ++k) {
            const int extent = cells.extents()[k];
            key = key * static_cast<std::uint64_t>(extent) +
                  static_cast<std::uint64_t>(backward ? extent - 1 - at[k] : at[k]);
            backward = key % 2 != 0; // the next part continues at the end of the last one
        }
        return key;
    });
}

std::vector<int> along_z_curve(const Lattice& cells)
{
    const int bits = bits_of(cells);
    return ordered_by(cells, [bits](const Coordinates& at) { return interleaved(at, bits); });
}

std::vector<int> along_hilbert_curve(const Lattice& cells)
{
    const int bits = bits_of(cells);
    return ordered_by(cells, [bits](const Coordinates& at) { return interleaved(hilbert_transpose(at, bits), bits); });
}

std::vector<int> brick_by_brick(const Lattice& cells, const std::vector<int>& brick)
{
    return ordered_by(cells, [&](const Coordinates& at) {
        std::uint64_t of_brick = 0;
        std::uint64_t inside = 0;
        for (std::size_t k = 0; k < at.size(); ++k) {
            of_brick = of_brick * static_cast<std::uint64_t>(cells.extents()[k]) +
                       static_cast<std::uint64_t>(at[k] / brick[k]);
            inside = inside * static_cast<std::uint64_t>(brick[k]) + static_cast<std::uint64_t>(at[k] % brick[k]);
        }
        return of_brick * static_cast<std::uint64_t>(cells.size()) + inside;
    });
}

std::vector<Embedding> in_known_numberings(const std::vector<std::vector<int>>& destinations, SearchBudget& budget)
{
    constexpr std::size_t most_grids = 256;
    constexpr int most_dimensions = 4;
    const int processes = static_cast<int>(destinations.size());
    const int d = likely_dimensions(destinations);
    if (d < 2 || d > most_dimensions)
        return {};
    std::vector<std::vector<int>> grids = factorizations(processes, d, most_grids);
    const auto longest = [](const std::vector<int>& extents) {
        return *std::max_element(extents.begin(), extents.end());
    };
    const auto has_other_dimensions = [d](const std::vector<int>& extents) {
        return static_cast<int>(extents.size()) != d;
    };
    grids.erase(std::remove_if(grids.begin(), grids.end(), has_other_dimensions), grids.end());
    std::stable_sort(grids.begin(), grids.end(),
                     [&longest](const auto& a, const auto& b) { return longest(a) < longest(b); });
    const std::size_t steps = destinations.size() * 5; // five for each
    std::vector<Embedding> result;
    const auto add = [&](const Lattice& cells, std::vector<int> cell_of_rank) {
        result.push_back({cells, std::move(cell_of_rank), GridOrigin::inferred});
    };
    for (const std::vector<int>& extents : grids) {
        const Lattice cells(extents);
        if (!budget.take(3 * steps))
            return result;
        add(cells, back_and_forth(cells));
        add(cells, along_z_curve(cells));
        add(cells, along_hilbert_curve(cells));
    }
    for (const std::vector<int>& extents : grids) {
        const Lattice cells(extents);
        for (const std::vector<int>& brick : bricks_of(cells)) {
            if (!budget.take(steps))
                return result;
            add(cells, brick_by_brick(cells, brick));
        }
    }
    return result;
}

} // namespace hopscotch::schedules
