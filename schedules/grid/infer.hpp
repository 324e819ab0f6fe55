// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Process grids that explain neighbor lists: candidates, their comparison with the lists of one process, and the
// choice.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// All ordered factorizations of p into at most `most_dimensions` factors above 1, as grids: fewer dimensions first,
/// then lexicographic. p = 1 gives the one grid {1}. At most `limit` grids.
std::vector<std::vector<int>> factorizations(int p, int most_dimensions, std::size_t limit);

/// The grids with these dims: with all_patterns every combination of periodic and not, all periodic first; else only
/// the torus. A dimension of size 1 is only listed periodic (no shift but 0 makes sense there).
std::vector<Topology> with_periods(const std::vector<int>& dims, bool all_patterns);

/// The neighbor lists as offsets from `rank`: canonical on the topology, in list order. Entries no_rank are skipped.
/// Requires: every rank in [0, topology.size()).
Stencil offsets(const Topology& topology, int rank, const std::vector<int>& ranks);

/// True if the stencil at `rank` gives these `destinations` and `sources`, as sets with multiplicity: the processes at
/// rank + N_i and rank - N_i, without those beyond a mesh border. Entries no_rank are skipped. A wrong grid is mostly
/// seen to be wrong at the first few neighbors. Cost: O(t d), plus one sort of t ranks if everything fits and the lists
/// are in another order than the stencil.
bool explains(const Topology& topology, const Stencil& stencil, int rank, const std::vector<int>& destinations,
              const std::vector<int>& sources);

/// True if the lists of a process agree with the destination list of another process, `root`. Equal to
/// explains(topology, offsets(topology, root, root_destinations), rank, ...), without forming that stencil first.
bool same_as(const Topology& topology, int root, const std::vector<int>& root_destinations, int rank,
             const std::vector<int>& destinations, const std::vector<int>& sources);

/// The smallest stencil that holds, with multiplicity, the offsets of every process: the candidate for a mesh on which
/// no process sees the whole stencil. None if it would need more edges than there are. Sorted. Shape: destinations[r]
/// is the list of rank r. Cost: O(p t (d + log t)); if the lists are not those of a mesh, only the lists of a few
/// processes are read.
std::optional<Stencil> covering(const Topology& topology, const std::vector<std::vector<int>>& destinations);

/// Index of the best of the grids that explain a graph: smallest (rounds, alltoall volume), then the first.
/// Shape: stencils[i] belongs to candidate i. Requires: at least one.
std::size_t best(const std::vector<Stencil>& stencils);

} // namespace hopscotch::schedules
