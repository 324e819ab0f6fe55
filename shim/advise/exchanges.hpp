// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the exchanges that repeat among the messages of a job, and a process grid that explains their peers.
// Knows no MPI.
#pragma once

#include "schedules/grid/whole_graph.hpp"
#include "shim/advise/seen.hpp"
#include "shim/advise/site_place.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// A call site, of all processes together. Times are sums. Units: seconds.
struct JobSite {
    int function = 0;
    SitePlace place{};
    std::vector<std::string> lines; // the innermost first
    std::int64_t calls = 0;
    double seconds = 0;
    double wait_seconds = 0;
    double start_seconds = 0;
    std::set<int> finished_at; // other sites, that started or completed what was made here
    std::int64_t times = 0;    // the most exchanges that one process had with one peer
    bool wildcards = false;
    std::set<int> overlaps; // other sites
};

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
    bool whole_communicator = false;          // all processes of one communicator take part, with its ranks
    std::optional<schedules::Topology> given; // the grid of the communicator
    std::optional<schedules::StencilOnGrid> found;
    std::vector<bool> periodic; // its dimensions, as people see them
    double explained = 0;       // share of the edges
    int sample = 0;             // the process with most destinations
    std::vector<NeighborBlock> sent;
    std::vector<NeighborBlock> received;
};

/// The call sites of all processes.
std::vector<JobSite> job_sites(const std::vector<SeenProcess>& processes);

/// The index among them of each site of each process.
std::vector<std::vector<int>> numbers_of(const std::vector<SeenProcess>& processes, const std::vector<JobSite>& sites);

/// Exchanges that repeat, those that took most time first.
std::vector<RepeatedExchange> exchanges_of(const std::vector<SeenProcess>& processes,
                                           const std::vector<JobSite>& sites);

/// The stencil on the grid that was found, as programs write it. Along a dimension of two processes both ways lead to
/// the same process, and the search knows one of them: this has both where the program has a mesh.
schedules::Stencil both_ways(const RepeatedExchange& exchange);

} // namespace hopscotch::shim
