// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that allows other ranks (reorder = 1) and addresses all data by the rank that it gets: its results are the
// same for any mapping of processes to ranks. Topologies of all four functions, on a grid; weights, errors, duplicates.
//
//   mpiexec -n 16 reordered GRID PERIODS cart|graph|adjacent|edges [ROUNDS [EDGES]]    e.g. reordered 4x4 1x1 cart
//
// EDGES: so many edges must lead to processes of other nodes, with nodes by block of the size in MPIR_CVAR_NUM_CLIQUES.
#include "../../program.h"
#include "exchange.h"

enum { most_dimensions = 4, most_neighbors = 80 };

typedef struct {
    int dimensions;
    int dims[most_dimensions];
    int periods[most_dimensions];
} Grid;

static int read_numbers(const char* text, int* numbers)
{
    int count = 0;
    char* end = NULL;
    for (; count < most_dimensions; text = end + 1) {
        numbers[count++] = (int)strtol(text, &end, 10);
        if (*end == '\0') {
            break;
        }
    }
    return count;
}

// The rank at an offset in a row-major grid; MPI_PROC_NULL beyond the end of a mesh.
static int neighbor_of(const Grid* grid, int cell, const int* offset)
{
    int result = 0;
    int rest = cell;
    int stride = 1;
    for (int k = grid->dimensions - 1; k >= 0; --k) {
        const int extent = grid->dims[k];
        int x = rest % extent + offset[k];
        rest /= extent;
        if (grid->periods[k]) {
            x = (x + extent) % extent;
        } else if (x < 0 || x >= extent) {
            return MPI_PROC_NULL;
        }
        result += x * stride;
        stride *= extent;
    }
    return result;
}

// All neighbors at a distance of one, diagonal ones included, none of them twice. Returns their number.
static int neighbors_of(const Grid* grid, int cell, int* neighbors)
{
    int offsets = 1;
    for (int k = 0; k < grid->dimensions; ++k) {
        offsets *= 3;
    }
    int count = 0;
    for (int i = 0; i < offsets; ++i) {
        int offset[most_dimensions];
        for (int k = 0, rest = i; k < grid->dimensions; ++k, rest /= 3) {
            offset[k] = rest % 3 - 1;
        }
        const int neighbor = neighbor_of(grid, cell, offset);
        int known = neighbor == MPI_PROC_NULL || neighbor == cell;
        for (int j = 0; j < count; ++j) {
            known |= neighbors[j] == neighbor;
        }
        if (!known) {
            neighbors[count++] = neighbor;
        }
    }
    return count;
}

static void make_by_lists(const Grid* grid, MPI_Comm* comm)
{
    int* index = calloc((size_t)size, sizeof *index);
    int* edges = calloc((size_t)size * most_neighbors, sizeof *edges);
    int count = 0;
    for (int node = 0; node < size; ++node) {
        count += neighbors_of(grid, node, edges + count);
        index[node] = count;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, comm);
    free(index);
    free(edges);
}

// Weights tell the edge: 1000 times the sender and the receiver. Beside the rest of them that is little.
enum { weight_of_all = 10000000 };

static void make_distributed(const Grid* grid, int adjacent, MPI_Comm* comm)
{
    int neighbors[most_neighbors];
    int to[most_neighbors];
    int from[most_neighbors];
    const int count = neighbors_of(grid, rank, neighbors);
    for (int i = 0; i < count; ++i) {
        to[i] = weight_of_all + 1000 * rank + neighbors[i];
        from[i] = weight_of_all + 1000 * neighbors[i] + rank;
    }
    if (adjacent) {
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, neighbors, from, count, neighbors, to, MPI_INFO_NULL, 1,
                                       comm);
    } else {
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &count, neighbors, to, MPI_INFO_NULL, 1, comm);
    }
}

static int wrong_weights(MPI_Comm comm, int own)
{
    int in = 0;
    int out = 0;
    int weighted = 0;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    int sources[most_neighbors];
    int from[most_neighbors];
    int destinations[most_neighbors];
    int to[most_neighbors];
    MPI_Dist_graph_neighbors(comm, in, sources, from, out, destinations, to);
    int wrong = !weighted;
    for (int i = 0; i < in; ++i) {
        wrong += from[i] != weight_of_all + 1000 * sources[i] + own;
    }
    for (int i = 0; i < out; ++i) {
        wrong += to[i] != weight_of_all + 1000 * own + destinations[i];
    }
    return wrong;
}

// The neighbors from the communicator; checks that all its answers about this rank fit the grid.
static int neighbors_in(MPI_Comm comm, const Grid* grid, const char* kind, int* neighbors, int* wrong)
{
    int own = 0;
    MPI_Comm_rank(comm, &own);
    int expected[most_neighbors];
    int count = neighbors_of(grid, own, expected);
    if (strcmp(kind, "cart") == 0) {
        count = 0;
        int coordinates[most_dimensions];
        int again = -1;
        MPI_Cart_coords(comm, own, grid->dimensions, coordinates);
        MPI_Cart_rank(comm, coordinates, &again);
        *wrong += again != own;
        for (int k = 0; k < grid->dimensions; ++k, count += 2) {
            int offset[most_dimensions] = {0};
            MPI_Cart_shift(comm, k, 1, &neighbors[count], &neighbors[count + 1]);
            offset[k] = 1;
            *wrong += neighbors[count + 1] != neighbor_of(grid, own, offset);
        }
        return count;
    }
    if (strcmp(kind, "graph") == 0) {
        MPI_Graph_neighbors(comm, own, count, neighbors);
    } else {
        int unused[3][most_neighbors];
        MPI_Dist_graph_neighbors(comm, count, neighbors, unused[0], count, unused[1], unused[2]);
        *wrong += wrong_weights(comm, own);
    }
    return count;
}

static int node_of_world_rank(int process)
{
    const char* const text = getenv("MPIR_CVAR_NUM_CLIQUES");
    const int nodes = text != NULL ? atoi(text) : 1;
    return process / ((size + nodes - 1) / nodes);
}

// Directed edges to other nodes, of all processes.
static int edges_between_nodes(MPI_Comm comm, int count, const int* neighbors)
{
    int world_rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    int* world_ranks = calloc((size_t)size, sizeof *world_ranks);
    MPI_Allgather(&world_rank, 1, MPI_INT, world_ranks, 1, MPI_INT, comm);
    int own = 0;
    for (int i = 0; i < count; ++i) {
        own += neighbors[i] != MPI_PROC_NULL &&
               node_of_world_rank(world_ranks[neighbors[i]]) != node_of_world_rank(world_rank);
    }
    int all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, comm);
    free(world_ranks);
    return all;
}

// A cell per rank, which becomes the sum of itself and its neighbors, each times its place among them.
static unsigned checksum(MPI_Comm comm, int count, const int* neighbors, int rounds)
{
    int own = 0;
    MPI_Comm_rank(comm, &own);
    unsigned cell = (unsigned)own * 2654435761U + 1;
    unsigned halo[most_neighbors] = {0};
    for (int round = 0; round < rounds; ++round) {
        MPI_Neighbor_allgather(&cell, 1, MPI_UNSIGNED, halo, 1, MPI_UNSIGNED, comm);
        for (int i = 0; i < count; ++i) {
            cell += neighbors[i] != MPI_PROC_NULL ? halo[i] * (unsigned)(neighbors[i] + 3) : 0;
        }
    }
    unsigned all = 0;
    cell *= (unsigned)own * 2 + 1;
    MPI_Allreduce(&cell, &all, 1, MPI_UNSIGNED, MPI_SUM, comm);
    return all;
}

static void ignore(MPI_Comm* comm, int* code, ...)
{
    (void)comm;
    (void)code;
}

// 1 if ranks change although the program passes reorder = 0.
static int moved_unasked(const Grid* grid)
{
    int before = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &before);
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, grid->dimensions, grid->dims, grid->periods, 0, &comm);
    if (comm == MPI_COMM_NULL) {
        return 0;
    }
    int own = 0;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_free(&comm);
    return own != before;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    if (argc < 4) {
        give_up("reordered GRID PERIODS cart|graph|adjacent|edges [ROUNDS [EDGES]]");
    }
    Grid grid;
    grid.dimensions = read_numbers(argv[1], grid.dims);
    read_numbers(argv[2], grid.periods);
    const char* const kind = argv[3];
    const int rounds = argc > 4 ? atoi(argv[4]) : 20;

    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(ignore, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm comm = MPI_COMM_NULL;
    if (strcmp(kind, "cart") == 0) {
        MPI_Cart_create(MPI_COMM_WORLD, grid.dimensions, grid.dims, grid.periods, 1, &comm);
    } else if (strcmp(kind, "graph") == 0) {
        make_by_lists(&grid, &comm);
    } else {
        make_distributed(&grid, strcmp(kind, "adjacent") == 0, &comm);
    }
    int wrong = 0;
    if (comm != MPI_COMM_NULL) { // a grid may be smaller than the job
        MPI_Errhandler inherited;
        MPI_Comm_get_errhandler(comm, &inherited);
        wrong += inherited != handler;
        MPI_Errhandler_free(&inherited);
        int neighbors[most_neighbors];
        const int count = neighbors_in(comm, &grid, kind, neighbors, &wrong);
        const unsigned sum = checksum(comm, count, neighbors, rounds);
        MPI_Comm copy;
        MPI_Comm_dup(comm, &copy);
        wrong += checksum(copy, count, neighbors, rounds) != sum;
        MPI_Comm_free(&copy);
        const int between = edges_between_nodes(comm, count, neighbors);
        wrong += argc > 5 && between != atoi(argv[5]);
        int new_rank = 0;
        MPI_Comm_rank(comm, &new_rank);
        if (new_rank == 0) {
            printf("checksum %u\ntime: %d edges between nodes\n", sum, between);
            fflush(stdout);
        }
        MPI_Comm_free(&comm);
    }
    wrong += moved_unasked(&grid);
    MPI_Errhandler_free(&handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return conclude("reordered", wrong);
}
