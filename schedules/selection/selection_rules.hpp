// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses algorithms by rules: facts in, a list of sizes with their algorithms out.
#pragma once

#include "schedules/selection/choice.hpp"
#include "schedules/selection/selection_facts.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The algorithm for blocks of every size: the requested one or, under `auto`, the predicted one. Merging replaces
/// combining if blocks may not be forwarded, and sharing if there is no shared memory. Sorted; each size is in one
/// choice. All functions here are local, and give every process of a communicator the same for the same size.
std::vector<Choice> choose(const Facts& facts);

/// The choice for blocks of this size; under `auto` with the sizes for which it holds until a trial decides.
Choice choose_for(const Facts& facts, std::size_t block_bytes);

/// The sizes that `auto` tries together with this one.
SizeClass tried_with(const Facts& facts, std::size_t block_bytes);

/// The sizes for which later communicators use the result of a trial of this size; if blocks vary, of the largest one.
SizeClass learned_with(const Facts& facts, std::size_t block_bytes);

/// The algorithms that `auto` should try for them, the likely fastest first.
std::vector<Choice> candidates(const Facts& facts, std::size_t block_bytes);

/// The result of a trial, for blocks of this size: another algorithm if they do not fit into the memory of the fastest
/// one.
Choice following(const Facts& facts, std::size_t block_bytes, const Choice& found);

} // namespace hopscotch::schedules
