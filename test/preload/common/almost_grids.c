// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random graphs that are almost a stencil on a grid, see almost_grids.h.
#include "almost_grids.h"

#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>

// The rank of each cell, no_process if it is empty. Cells are numbered row by row, as ranks at times are.
static int* number_cells(uint64_t* state, int cells, int processes)
{
    int* order = allocate((size_t)cells * sizeof *order);
    int* rank_of_cell = allocate((size_t)cells * sizeof *rank_of_cell);
    int* ranks = allocate((size_t)processes * sizeof *ranks);
    for (int cell = 0; cell < cells; ++cell) {
        order[cell] = cell;
        rank_of_cell[cell] = no_process;
    }
    shuffle(state, order, cells);
    for (int rank = 0; rank < processes; ++rank) {
        ranks[rank] = rank;
        rank_of_cell[order[rank]] = rank;
    }
    if (random_below(state, 4) == 0) {
        shuffle(state, ranks, processes);
    }
    for (int cell = 0, next = 0; cell < cells; ++cell) {
        if (rank_of_cell[cell] != no_process) {
            rank_of_cell[cell] = ranks[next++];
        }
    }
    free(order);
    free(ranks);
    return rank_of_cell;
}

// The last row meets itself, the other way round, as the oceans do beyond the north pole.
static int folded(const Pattern* pattern, int cell, const int* offset)
{
    const int last = pattern->dimensions - 1;
    const int columns = pattern->dims[last];
    if (pattern->dimensions < 2 || cell / columns != pattern->size / columns - 1 || offset[0] != 1) {
        return no_process;
    }
    const int column = columns - 1 - cell % columns + offset[last];
    return column >= 0 && column < columns ? cell - cell % columns + column : no_process;
}

void make_almost_grid(uint64_t* state, Network* network)
{
    static const char* const stencils[] = {"moore:1", "moore:1", "moore:1", "star:2"};
    const int processes = network->size;
    const int empty = random_below(state, 2) ? 0 : random_below(state, 2 + processes / 4);
    Pattern* pattern = &network->pattern;
    random_grid(state, processes + empty, pattern);
    parse_stencil(pattern, stencils[random_below(state, 4)]);
    const int fold = random_below(state, 4) == 0;
    const int missing = random_below(state, 2) ? 0 : random_below(state, 30); // per 100 edges
    int* rank_of_cell = number_cells(state, pattern->size, processes);
    for (int cell = 0; cell < pattern->size; ++cell) {
        for (int i = 0; i < pattern->neighbors; ++i) {
            int to = neighbor_of(pattern, cell, pattern->offsets[i], 1);
            to = to == no_process && fold ? folded(pattern, cell, pattern->offsets[i]) : to;
            const int is_left_out = missing > 0 && random_below(state, 100) < missing;
            if (to != no_process && rank_of_cell[cell] != no_process && rank_of_cell[to] != no_process &&
                !is_left_out) {
                add_edge(network, rank_of_cell[cell], rank_of_cell[to]);
            }
        }
    }
    for (int extra = random_below(state, 4); extra > 0; --extra) {
        add_edge(network, random_below(state, processes), random_below(state, processes));
    }
    for (int rank = 0; rank < processes; ++rank) {
        Lists* lists = &network->lists[rank];
        if (network->duplicate || random_below(state, 8) == 0) {
            shuffle(state, lists->source, lists->sources);
            shuffle(state, lists->destination, lists->destinations);
        }
    }
    free(rank_of_cell);
}
