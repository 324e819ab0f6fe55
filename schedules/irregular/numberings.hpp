// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers the cells of grids as programs do that keep neighbors together: back and forth, along curves, brick by brick.
#pragma once

#include "schedules/irregular/partial_choice.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// By rank, of the grid's cells. Row by row, every other row backward, and with three dimensions every other plane.
std::vector<int> back_and_forth(const Lattice& cells);

/// Along the Z curve (Morton) of the smallest cube around the grid with a power of two as its extent.
std::vector<int> along_z_curve(const Lattice& cells);

/// Along the Hilbert curve of that cube. Source: J. Skilling, Programming the Hilbert curve, AIP Conf. Proc. 707, 2004.
std::vector<int> along_hilbert_curve(const Lattice& cells);

/// Brick by brick, like ranks on nodes that hold one brick each; row by row inside each. Shape: bricks has d entries,
/// each a divisor of the grid's extent.
std::vector<int> brick_by_brick(const Lattice& cells, const std::vector<int>& brick);

/// Embeddings of so many processes with such numberings into grids of likely_dimensions(); grids with similar extents
/// come first. Local.
std::vector<Embedding> in_known_numberings(const std::vector<std::vector<int>>& destinations, SearchBudget& budget);

} // namespace hopscotch::schedules
