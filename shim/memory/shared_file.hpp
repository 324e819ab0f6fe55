// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Maps one file in memory into the processes of a node.
#pragma once

#include "shim/group/process_group.hpp"
#include "shim/memory/memory_file.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::shim
{

/// One file per node, of `bytes` bytes, which may differ between nodes; `own`: the ranges that this process will write.
/// Collective: over the graph. Its refusal is the same on all processes: there is none, or none has a file.
MemoryFile share_file(const Ground& ground, std::size_t bytes, const std::vector<Range>& own);

} // namespace hopscotch::shim
