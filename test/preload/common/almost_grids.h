// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random graphs that are almost a stencil on a grid: cells without a process, folded borders, edges missing or too
// many, ranks in any order.
#ifndef ALMOST_GRIDS_H
#define ALMOST_GRIDS_H

#include "networks.h"

// Fills the lists of a network of `size` processes. The same on all processes. Local.
void make_almost_grid(uint64_t* state, Network* network);

#endif
