// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An exchange that repeats, and its kind by the peers of its processes, with a process grid if one explains them. Knows
// no MPI.
#pragma once

#include "schedules/grid/whole_graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// The messages between the sample process and one peer in one direction.
struct NeighborBlock {
    int peer;
    std::int64_t count;
    std::int64_t size;
    std::string type;        // "": one that the program made
    std::vector<int> offset; // on the grid, if there is one
};

enum class Kind { grid, partly_grid, irregular, everyone, pair, one_way, star, changing };
const char* name(Kind kind) noexcept;

struct RepeatedExchange {
    std::vector<int> sites; // indices
    std::string function;   // of the program
    std::int64_t times = 0;
    int processes = 0;                          // that take part
    std::vector<std::vector<int>> destinations; // of each of them: others, each once, increasing
    Kind kind = Kind::irregular;
    double seconds = 0; // of all processes
    double wait_seconds = 0;
    double least_seconds = 0; // one exchange, of the process that took least
    double messages = 0;      // that a process sends in one exchange, on average
    double bytes = 0;
    std::int64_t least_bytes = 0; // of a message
    std::int64_t most_bytes = 0;
    bool leaves_nodes = false;                // some message
    bool in_phases = false;                   // messages to some peers are posted after those from others have come
    bool leaves_out_peers = false;            // some exchanges are without some of its peers
    bool whole_communicator = false;          // all processes of one communicator take part, with its ranks
    std::optional<schedules::Topology> given; // the grid of the communicator
    std::optional<schedules::StencilOnGrid> found;
    std::vector<bool> periodic; // its dimensions, as people see them
    std::vector<bool> either;   // its dimensions that may be periodic or not: messages do not show it
    double explained = 0;       // share of the edges
    int sample = 0;             // the process with most destinations
    std::vector<NeighborBlock> sent;
    std::vector<NeighborBlock> received;
};

/// Sets kind, grid and offsets. Requires: all but these is known.
void explain(RepeatedExchange& exchange);

/// The stencil on the grid that was found, as programs write it. Along a dimension of two processes both ways lead to
/// the same process, and the search knows one of them: this has both.
schedules::Stencil both_ways(const RepeatedExchange& exchange);

} // namespace hopscotch::shim
