// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Which of many process grids explain a graph as far as one process sees, and which of those that do so everywhere is
// best.
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
    const char* found; // how: "parent", "hint", "recorded", "inferred"
};

/// Non-negative; equal on two processes that have the same candidates.
std::int64_t hash_of(const std::vector<Candidate>& candidates) noexcept;

/// A bit for each candidate, 64 to a word: what a bitwise-and over all processes leaves suits all of them.
using Survivors = std::vector<std::uint64_t>;
std::size_t words_for(std::size_t candidates) noexcept;

/// The grid as it was given, then with all other periods: the program may think of it with other ones than it showed
/// us.
std::vector<Candidate> in_all_patterns(const Topology& grid, const char* found);

/// Those of p processes that the program has shown, in the order of trust: the grids of the parent communicator and of
/// the settings, if any, and hints.
std::vector<Candidate> trusted_grids(int p, const std::optional<Topology>& parent, const std::optional<Topology>& set,
                                     const std::vector<Candidate>& hints);

/// Grids of p processes to be tried where the program has shown none: tori, or with `all_patterns` the others. Not all:
/// those left out have many dimensions and save little.
std::vector<Candidate> inferred_grids(int p, bool all_patterns);

/// The candidates in which `own` has the neighbors of the root, moved, as same_as says. Those for which the budget has
/// no steps are left out.
Survivors like_root(const std::vector<Candidate>& candidates, int root, const std::vector<int>& root_destinations,
                    const Edges& own, SearchBudget& budget);

/// Whether a mesh explains a graph well enough to be called its grid: it saves messages, or some process sees at least
/// half of the stencil, as on short dimensions. Any graph is some stencil of which each process sees a little.
/// `most_neighbors`: of any process.
bool is_told_by(const Stencil& stencil, int most_neighbors);

/// Candidates that can be tried by covering() where p lists as long as the longest have so many entries.
std::size_t most_covered(std::size_t entries) noexcept;

/// What candidates make of a graph none of whose processes need see the whole stencil.
struct Covers {
    std::vector<Stencil> stencils; // as covering gives them, by candidate; empty where none is good enough
    bool any = false;              // of these; the same on all processes
    Survivors survivors;           // those that explain `own`
};

/// Shape: destinations[r] is the list of rank r. `most_neighbors`: as for is_told_by.
Covers cover(const std::vector<Candidate>& candidates, const std::vector<std::vector<int>>& destinations,
             int most_neighbors, const Edges& own);

/// What a graph turns out to be.
struct Explanation {
    std::size_t candidate;
    Stencil stencil; // sorted
};

/// The best of the survivors on all processes, as best says; none where nobody survives. `stencil_of`: of a candidate.
std::optional<Explanation> best_explanation(const Survivors& survivors,
                                            const std::function<Stencil(std::size_t candidate)>& stencil_of);

/// Which dimensions of the best candidate to call periodic when it is shown. Along a dimension of two processes both
/// directions lead to the same one, so that the torus explains a mesh as well, in fewer rounds. There it is what was
/// given with a Cartesian communicator ("parent") or by the user ("hint"), else periodic where every step is listed
/// twice, once for each direction. `stencil`: sorted.
std::vector<bool> periods_to_show(const std::vector<Candidate>& candidates, std::size_t best, const Stencil& stencil);

} // namespace hopscotch::schedules
