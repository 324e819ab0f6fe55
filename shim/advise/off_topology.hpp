// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds messages and accesses on communicators with a topology, between processes that are no neighbors there. Knows no
// MPI.
#pragma once

#include "shim/advise/seen.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace hopscotch::shim
{

/// Messages of one call site. Ranks are those of MPI_COMM_WORLD, but for `peer`.
struct OffTopology {
    int site = 0; // index
    SeenTopology topology{};
    bool incoming = false;
    std::int64_t messages = 0;   // of all processes, or accesses
    std::set<std::int64_t> from; // processes that call there
    std::int64_t peer = 0;       // of the first of these, as a rank of the communicator
    std::int64_t rank = 0;       // of that process in the communicator
};

/// In the order of the call sites. `numbers`: as numbers_of() gives them.
std::vector<OffTopology> off_topology(const std::vector<SeenProcess>& processes,
                                      const std::vector<std::vector<int>>& numbers);

/// "distributed graph", say.
const char* name(SeenTopology topology) noexcept;

} // namespace hopscotch::shim
