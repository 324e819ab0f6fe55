// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Graphs that look Cartesian to every process but one or two.
//
//   deviating exchanged   rank 0 and the last rank have swapped one destination
//   deviating extra       rank 0 has one more edge, to itself
//   deviating missing     the last rank lacks one edge to rank 0
//   deviating idle        the last rank has no neighbors at all
//   deviating order       the last rank lists its neighbors backwards; the graph is still Cartesian
#include "../../program.h"
#include "exchange.h"

enum { neighbors = 8 };

typedef struct {
    int sources, destinations;
    int source[neighbors + 1];
    int destination[neighbors + 1];
} Lists;

static void remove_entry(int* list, int* count, int index)
{
    memmove(list + index, list + index + 1, (size_t)(*count - index - 1) * sizeof *list);
    --*count;
}

static void remove_all(int* list, int* count, int process)
{
    for (int i = *count - 1; i >= 0; --i) {
        if (list[i] == process) {
            remove_entry(list, count, i);
        }
    }
}

static int find(const int* list, int count, int process)
{
    for (int i = 0; i < count; ++i) {
        if (list[i] == process) {
            return i;
        }
    }
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 0;
}

static void moore(const int* dims, int process, Lists* lists)
{
    const int x = process / dims[1];
    const int y = process % dims[1];
    lists->sources = lists->destinations = neighbors;
    int i = 0;
    for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
            if (dx != 0 || dy != 0) {
                const int to = (x + dx + dims[0]) % dims[0] * dims[1] + (y + dy + dims[1]) % dims[1];
                const int from = (x - dx + dims[0]) % dims[0] * dims[1] + (y - dy + dims[1]) % dims[1];
                lists->destination[i] = to;
                lists->source[i] = from;
                ++i;
            }
        }
    }
}

static void deviate(const char* how, const int* dims, int cell, Lists* lists)
{
    const int last = size - 1;
    if (strcmp(how, "exchanged") == 0) {
        // The edges 0 -> a and last -> b become 0 -> b and last -> a; a and b see other sources.
        Lists first_lists;
        Lists last_lists;
        moore(dims, 0, &first_lists);
        moore(dims, last, &last_lists);
        const int a = first_lists.destination[0];
        const int b = last_lists.destination[1];
        const int slot_a = a == cell ? find(lists->source, lists->sources, 0) : -1;
        const int slot_b = b == cell ? find(lists->source, lists->sources, last) : -1;
        if (slot_a >= 0) {
            lists->source[slot_a] = last;
        }
        if (slot_b >= 0) {
            lists->source[slot_b] = 0;
        }
        if (cell == 0) {
            lists->destination[0] = b;
        } else if (cell == last) {
            lists->destination[1] = a;
        }
    } else if (strcmp(how, "extra") == 0) {
        if (cell == 0) {
            lists->source[lists->sources++] = 0;
            lists->destination[lists->destinations++] = 0;
        }
    } else if (strcmp(how, "missing") == 0) {
        if (cell == last) {
            remove_entry(lists->destination, &lists->destinations, find(lists->destination, lists->destinations, 0));
        } else if (cell == 0) {
            remove_entry(lists->source, &lists->sources, find(lists->source, lists->sources, last));
        }
    } else if (strcmp(how, "idle") == 0) {
        if (cell == last) {
            lists->sources = lists->destinations = 0;
        } else {
            remove_all(lists->source, &lists->sources, last);
            remove_all(lists->destination, &lists->destinations, last);
        }
    } else if (strcmp(how, "order") == 0) {
        for (int i = 0; cell == last && i < neighbors / 2; ++i) {
            const int source = lists->source[i];
            lists->source[i] = lists->source[neighbors - 1 - i];
            lists->source[neighbors - 1 - i] = source;
        }
    } else {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int dims[2] = {0, 0};
    const int periods[2] = {1, 1};
    MPI_Dims_create(size, 2, dims);
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    int cell;
    MPI_Comm_rank(grid, &cell);
    Lists lists;
    moore(dims, cell, &lists);
    deviate(argc > 1 ? argv[1] : "exchanged", dims, cell, &lists);
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(grid, lists.sources, lists.source, MPI_UNWEIGHTED, lists.destinations,
                                   lists.destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&grid);
    int wrong = 0;
    for (int round = 0; round < 4; ++round) {
        wrong += exchange_and_check(graph, round, 1 + round, lists.sources, lists.source, lists.destinations,
                                    lists.destination);
    }
    MPI_Comm_free(&graph);
    return conclude("deviating", wrong);
}
