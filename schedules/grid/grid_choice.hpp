// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the process grids that explain a graph on one process, and chooses the best of those that explain it on all
// processes.
#pragma once

#include "schedules/grid/infer.hpp"
#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/search_budget.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// A process grid that may explain a graph.
struct Candidate {
    Topology topology;
    GridOrigin found = GridOrigin::none;
};

/// Non-negative; equal on two processes that have the same candidates.
std::int64_t hash_of(const std::vector<Candidate>& candidates) noexcept;

/// A bit for each candidate, 64 to a word: a bitwise AND over all processes leaves the candidates that suit all of
/// them.
using Survivors = std::vector<std::uint64_t>;
std::size_t words_for(std::size_t candidates) noexcept;

/// The grid as it was given, then with all other periods: the program may think of it with other ones than it showed
/// us.
std::vector<Candidate> in_all_patterns(const Topology& grid, GridOrigin found);

/// The grids of p processes that the program has shown, in the order of trust: the grids of the parent communicator and
/// of the settings, if any, and hints.
std::vector<Candidate> trusted_grids(int p, const std::optional<Topology>& parent, const std::optional<Topology>& set,
                                     const std::vector<Candidate>& hints);

/// The grids that the program has shown with more processes than p, less than eight times as many: some of their cells
/// are empty. Each grid is as it was given.
std::vector<Candidate> larger_grids(int p, const std::optional<Topology>& parent, const std::optional<Topology>& set,
                                    const std::vector<Candidate>& hints);

/// Grids of p processes to be tried if the program has shown none: tori, or with `all_patterns` the others. Not all:
/// those left out have many dimensions and save little. With a budget as many as its steps allow.
std::vector<Candidate> inferred_grids(int p, bool all_patterns);
std::vector<Candidate> inferred_grids(int p, bool all_patterns, SearchBudget& budget);

/// The candidates in which same_as finds the moved neighbors of the root in `own`. Candidates without steps left in the
/// budget are left out.
Survivors like_root(const std::vector<Candidate>& candidates, int root, const std::vector<int>& root_destinations,
                    const Edges& own, SearchBudget& budget);

/// True if a mesh explains a graph well enough to be called its grid: it saves messages, or some process sees at least
/// half of the stencil (processes on short dimensions do). Any graph is some stencil if each process may see only a
/// little of it. `most_neighbors`: of any process.
bool is_told_by(const Stencil& stencil, int most_neighbors);

/// The number of candidates that covering() can try if p lists of the greatest length have so many entries.
std::size_t most_covered(std::size_t entries) noexcept;

/// The stencils of candidates for a graph, if no process needs to see the whole stencil.
struct Covers {
    std::vector<Stencil> stencils; // from covering, by candidate; empty if none is good enough
    Survivors survivors;           // those that explain `own`
};

/// Shape: destinations[r] is the list of rank r. `most_neighbors`: as for is_told_by.
Covers cover(const std::vector<Candidate>& candidates, const std::vector<std::vector<int>>& destinations,
             int most_neighbors, const Edges& own);

/// The process grid and the stencil of a graph.
struct Explanation {
    std::size_t candidate;
    Stencil stencil; // sorted
};

/// The best of the survivors on all processes by the order of best(); none if there is no survivor. `stencil_of`: of a
/// candidate.
std::optional<Explanation> best_explanation(const Survivors& survivors,
                                            const std::function<Stencil(std::size_t candidate)>& stencil_of);

/// The dimensions that the report calls periodic. Along two processes both directions lead to the same one, along one
/// process to itself: a torus explains a mesh, too. The periods there are those of the Cartesian communicator
/// ("parent") or of the user ("hint"). Without either such a dimension is periodic if every step is listed twice, once
/// for each direction; a step along one process is an edge to itself. `stencil`: sorted.
std::vector<bool> periods_to_show(const std::vector<Candidate>& candidates, std::size_t best, const Stencil& stencil);

} // namespace hopscotch::schedules
