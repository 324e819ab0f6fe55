// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses an algorithm by rules, from values all processes of a graph share.
#pragma once

#include "shim/selection/choice.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// What would be combined is merged where blocks may not be forwarded, what would be shared where memory is not.
/// Local; every process of the graph gets the same. Cost: O(t d), once per communicator and collective.
Choices choose(const Graph& graph, const Settings& settings, Collective collective, const Abilities& abilities);

/// What `auto` should try for blocks of this size, the likely fastest first. `block_bytes`: none where sizes vary.
/// Local; every process of the graph gets the same for the same size.
std::vector<Choice> candidates(const Graph& graph, const Settings& settings, Collective collective,
                               const Abilities& abilities, std::optional<std::size_t> block_bytes);

} // namespace hopscotch::shim
