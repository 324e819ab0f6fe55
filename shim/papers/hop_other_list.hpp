// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells whether lists that should be the same on all processes are, and which process has another one.
#pragma once

#include "shim/mpi/next.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// A process whose list is not that of rank 0; all processes get the same.
struct OtherList {
    int rank;                   // the lowest such
    std::vector<int> reference; // the list of rank 0

    /// "rank 3: entry 5 is -1, on rank 0 it is 1", entries from 0. Requires: `list` is that of `rank`.
    std::string text(const std::vector<int>& list) const;
};

/// None where all processes give the same list. Collective: over comm. Cost: one Allreduce, and three collectives more
/// where they do not.
std::optional<OtherList> find_other_list(MPI_Comm comm, const std::vector<int>& list);

} // namespace hopscotch::shim
