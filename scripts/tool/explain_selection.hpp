// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the algorithm that the library would choose for a process grid and a stencil on some nodes, by its own rules.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "shim/base/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hopscotch::tool
{

/// The job and the calls of the choice.
struct SelectionRequest {
    schedules::Topology grid;
    schedules::Stencil stencil;
    int nodes = 1; // each with as many of the ranks, in order, as the others, but for the last
    shim::Settings settings = {};
    std::optional<shim::Collective> collective = {}; // none: all
    std::vector<std::size_t> sizes = {};             // sizes of blocks, in bytes; none: all
};

/// "alltoall", as HOPSCOTCH_ALGORITHM writes it. Throws: std::invalid_argument naming a text that is no collective.
shim::Collective parse_collective(const std::string& text);

/// "8,4K,1M". Throws: std::invalid_argument naming a text that is no size.
std::vector<std::size_t> parse_sizes(const std::string& text);

/// A table for each collective: sizes, algorithm, fixed or the candidates of `auto`, reason. Throws:
/// std::invalid_argument if there are too many processes, or fewer than nodes.
std::string selection_text(const SelectionRequest& request);

} // namespace hopscotch::tool
