// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells if a call receives into memory that it also sends, which MPI forbids.
#pragma once

#include "schedules/message/stand_in.hpp"
#include "shim/blocks/block_layout.hpp"

#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// Gaps between the data of a block belong to none. `destinations`, `sources`: of the blocks, with no_rank for those
/// that nobody gets or sends. Throws: MpiError. Cost: as packing all blocks, and more for datatypes of very many runs.
std::optional<schedules::Clash> find_overlap(const BlockLayout& send, const std::vector<int>& destinations,
                                             const BlockLayout& receive, const std::vector<int>& sources);

} // namespace hopscotch::shim
