// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses algorithms by rules: facts in, a list of sizes and what carries them out.
#pragma once

#include "schedules/selection/choice.hpp"
#include "schedules/selection/selection_facts.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// What carries blocks of every size, by what is asked for or, of `auto`, by prediction. What would be combined is
/// merged where blocks may not be forwarded, what would be shared where memory is not. Sorted; each size is in one
/// choice. All functions here are local, and give every process of a communicator the same for the same size.
std::vector<Choice> choose(const Facts& facts);

/// The one of them that carries blocks of this size; of `auto` with the sizes for which it holds until a trial has
/// said more.
Choice choose_for(const Facts& facts, std::size_t block_bytes);

/// The sizes that `auto` tries together with this one.
SizeClass tried_with(const Facts& facts, std::size_t block_bytes);

/// What `auto` should try for them, the likely fastest first.
std::vector<Choice> candidates(const Facts& facts, std::size_t block_bytes);

/// What a trial has found, for blocks of this size: something else where they do not fit into the memory that was the
/// fastest.
Choice following(const Facts& facts, std::size_t block_bytes, const Choice& found);

} // namespace hopscotch::schedules
