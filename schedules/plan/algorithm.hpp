// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names the algorithms and the collectives they carry, with the properties of both that do not depend on a call.
#pragma once

#include "schedules/grid/neighborhood.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hopscotch::schedules
{

/// The algorithms for a neighborhood collective that can be asked for. `automatic` means: measure and choose.
enum class Algorithm {
#define ALGORITHM(enumerator, ...) enumerator,
#include "schedules/plan/algorithm.def"
#undef ALGORITHM
};
constexpr std::size_t algorithm_count = 0
#define ALGORITHM(...) +1
#include "schedules/plan/algorithm.def"
#undef ALGORITHM
    ;

/// The collectives that can be given different algorithms: those of neighborhoods, blocking, nonblocking and persistent
/// being one, and MPI_Allgather among all processes of a communicator with a topology.
enum class Collective { alltoall, alltoallv, alltoallw, allgather, allgatherv, global_allgather };
constexpr std::size_t collective_count = 6;

/// The kind of completion of a collective call.
enum class Completion : unsigned char { blocking, nonblocking, persistent };
constexpr std::size_t completion_count = 3;

/// One algorithm for each Collective.
using Algorithms = std::array<Algorithm, collective_count>;

/// Positive; other algorithms have another.
std::int64_t number_of(const Algorithms& algorithms) noexcept;

/// The names these have in settings and reports: "auto", "native", ...; "alltoall", ...
const char* name(Algorithm algorithm) noexcept;
const char* name(Collective collective) noexcept;

/// True if every destination gets the same block.
bool is_allgather(Collective collective) noexcept;

/// Blocks::common if every destination gets the same block, else Blocks::individual.
Blocks blocks_of(Collective collective) noexcept;

/// True if all blocks have one size that all processes know.
[[gnu::hot]] bool is_regular(Collective collective) noexcept;

/// True if processes have to forward blocks.
bool forwards(Algorithm algorithm) noexcept;

/// True if it carries only communicators whose processes form a known grid.
bool needs_grid(Algorithm algorithm) noexcept;

} // namespace hopscotch::schedules
