// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the process grid of a graph if one process knows all lists.
#pragma once

#include "schedules/grid/grid_choice.hpp"

#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// A process grid and the offsets of the neighbors on it.
struct StencilOnGrid {
    Topology grid;
    Stencil stencil; // canonical and sorted
};

/// The neighbors of a Cartesian communicator: one step along each dimension, both ways.
StencilOnGrid nearest_neighbors(const Topology& grid);

/// The best of the candidates that explain the lists of all processes; the destinations of each process are also its
/// sources. None if no candidate explains them. Shape: neighbors[r] is the list of rank r, without no_rank, and every
/// rank exists. Cost: O(p t d) for each candidate that explains them, little for others.
std::optional<StencilOnGrid> explained(const std::vector<std::vector<int>>& neighbors,
                                       const std::vector<Candidate>& candidates);

} // namespace hopscotch::schedules
