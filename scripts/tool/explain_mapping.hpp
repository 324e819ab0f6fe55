// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the rank that should run on each node, and the edges between nodes that this saves.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <string>
#include <vector>

namespace hopscotch::tool
{

/// The job to be mapped: one of the two numbers may be left out if it follows from the other.
struct MappingRequest {
    schedules::Topology grid;
    schedules::Stencil stencil;
    int nodes = 0;                  // 0: as many as are needed
    std::vector<int> per_node = {}; // processes of each node, or of every one; empty: as many on each
};

/// "8,8,4". Throws: std::invalid_argument naming a text that is no number of processes.
std::vector<int> parse_per_node(const std::string& text);

/// JSON: `per_node`, `mapper`, `consecutive` and `mapped` with the edges between nodes (`sum`, `most` of one node), and
/// `node_of_rank`. Throws: std::invalid_argument if nodes and processes do not fit the grid, or it is too large.
std::string mapping_json(const MappingRequest& request);

} // namespace hopscotch::tool
