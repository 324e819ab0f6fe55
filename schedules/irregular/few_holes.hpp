// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses a few empty cells of a torus or mesh; the other cells have their ranks row by row.
#pragma once

#include "schedules/irregular/partial_choice.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// The dimensions of the smallest Moore stencil with as many neighbors as the process with most, or nearly.
int likely_dimensions(const std::vector<std::vector<int>>& destinations);

/// Embeddings into grids of a few cells more than processes; grids with similar extents come first. Each hole is moved
/// along the ranks to the place at which the fewest offsets make up the most edges, counted on a few edges of each
/// process; then each hole once more. Local.
std::vector<Embedding> around_few_holes(const std::vector<std::vector<int>>& destinations, SearchBudget& budget);

} // namespace hopscotch::schedules
