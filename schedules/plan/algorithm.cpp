// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/plan/algorithm.hpp"

namespace hopscotch::schedules
{

namespace
{

struct AlgorithmRow {
    const char* name;
    bool forwards;
    bool needs_grid;
};

constexpr std::array<AlgorithmRow, algorithm_count> algorithms = {{
#define ALGORITHM(enumerator, name, forwards, needs_grid, help) {name, forwards, needs_grid},
#include "schedules/plan/algorithm.def"
#undef ALGORITHM
}};

constexpr const AlgorithmRow& row_of(Algorithm algorithm) noexcept
{
    return algorithms[static_cast<std::size_t>(algorithm)];
}

} // namespace

std::int64_t number_of(const Algorithms& algorithms) noexcept
{
    std::int64_t number = 0;
    for (const Algorithm algorithm : algorithms)
        number = number * 16 + static_cast<std::int64_t>(algorithm) + 1;
    return number;
}

const char* name(Algorithm algorithm) noexcept
{
    return row_of(algorithm).name;
}

const char* name(Collective collective) noexcept
{
    constexpr std::array<const char*, collective_count> names = {"alltoall",  "alltoallv",  "alltoallw",
                                                                 "allgather", "allgatherv", "global_allgather"};
    return names[static_cast<std::size_t>(collective)];
}

bool is_allgather(Collective collective) noexcept
{
    return collective == Collective::allgather || collective == Collective::allgatherv ||
           collective == Collective::global_allgather;
}

Blocks blocks_of(Collective collective) noexcept
{
    return is_allgather(collective) ? Blocks::common : Blocks::individual;
}

bool is_regular(Collective collective) noexcept
{
    return collective == Collective::alltoall || collective == Collective::allgather ||
           collective == Collective::global_allgather;
}

bool forwards(Algorithm algorithm) noexcept
{
    return row_of(algorithm).forwards;
}

bool needs_grid(Algorithm algorithm) noexcept
{
    return row_of(algorithm).needs_grid;
}

} // namespace hopscotch::schedules
