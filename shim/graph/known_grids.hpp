// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Remembers the process grids that the program has shown by its calls or by hints: candidates for later graphs.
#pragma once

#include "schedules/grid/grid_choice.hpp"
#include "shim/base/settings.hpp"

#include <optional>
#include <vector>

namespace hopscotch::shim
{

using schedules::Candidate;

/// Remembers a process grid the program has computed (MPI_Dims_create, MPI_Cart_create) for graphs to come. `cell`: of
/// this process in it, if the program has shown one. Local.
void record_grid(const std::vector<int>& dims, const std::vector<bool>& periods, int cell = schedules::no_rank);

/// The process grid of HOPSCOTCH_DIMS; nothing if it is not set.
std::optional<schedules::Topology> set_grid(const Settings& settings);

/// The recorded grids over p processes, newest first.
std::vector<Candidate> recorded_grids(int p);

/// The newest recorded grid of at least p cells with a cell of this process.
struct RecordedPlace {
    std::vector<int> dims; // empty: there is none
    int cell = schedules::no_rank;
};
RecordedPlace recorded_place(int p);

} // namespace hopscotch::shim
