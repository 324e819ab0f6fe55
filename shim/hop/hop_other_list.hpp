// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares lists that should be the same on all processes, and finds a process with another one.
#pragma once

#include "shim/mpi/next.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// A process with a list that differs from that of rank 0; all processes get the same.
struct OtherList {
    int rank;                   // the lowest such
    std::vector<int> reference; // the list of rank 0

    /// "rank 3: entry 5 is -1, on rank 0 it is 1", entries from 0. Requires: `list` is that of `rank`.
    std::string text(const std::vector<int>& list) const;
};

/// None if all processes give the same list. Collective: over comm. Cost: one Allreduce, and three more collectives if
/// they differ.
std::optional<OtherList> find_other_list(MPI_Comm comm, const std::vector<int>& list);

} // namespace hopscotch::shim
