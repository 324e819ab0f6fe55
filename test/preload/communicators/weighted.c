// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are mapped to nodes by the weights of the edges: never worse than before, and as MPI_Cart_map and
// MPI_Graph_map have said.
//
//   weighted heavy GRID DIMENSION adjacent|edges SUM   edges along DIMENSION weigh 100, others 1, and SUM between nodes
//   weighted ends GRID DIMENSION SUM                   the same, but the receivers say that all weigh 5
//   weighted random SEED CASES                         random grids and weights: sum or maximum, by an info key
//   weighted map SEED CASES                            random grids: results of the _map functions
//
// Meshes and tori with the nearest neighbors. The nodes are those of MPI_Comm_split_type.
#include "../../program.h"
#include "exchange.h"
#include "node_edges.h"

enum { most_dimensions = 3, most_neighbors = 2 * most_dimensions };

typedef struct {
    int dimensions;
    int dims[most_dimensions];
    int periods[most_dimensions];
} Grid;

typedef struct {
    int count;
    int rank[most_neighbors];
    int dimension[most_neighbors];
} Neighbors;

static unsigned long long state;

static int random_below(int limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned)limit);
}

static Neighbors neighbors_of(const Grid* grid, int own)
{
    Neighbors result = {0};
    for (int k = 0, stride = 1; k < grid->dimensions; ++k) {
        const int d = grid->dimensions - 1 - k;
        const int x = own / stride % grid->dims[d];
        for (int step = -1; step <= 1; step += 2) {
            int to = x + step;
            if (grid->periods[d]) {
                to = (to + grid->dims[d]) % grid->dims[d];
            }
            if (to >= 0 && to < grid->dims[d]) {
                result.rank[result.count] = own + (to - x) * stride;
                result.dimension[result.count++] = d;
            }
        }
        stride *= grid->dims[d];
    }
    return result;
}

// The edges of a distributed graph, by the senders' weights.
static NodeEdges edges_of_graph(MPI_Comm graph, const int* node_of_world)
{
    int in = 0;
    int out = 0;
    int weighted = 0;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    int lists[4][most_neighbors];
    MPI_Dist_graph_neighbors(graph, in, lists[0], lists[1], out, lists[2], lists[3]);
    return edges_between_nodes(graph, node_of_world, out, lists[2], weighted ? lists[3] : NULL);
}

// Checks that the blocks which the processes of a graph exchange come from its neighbors.
static int wrong_blocks(MPI_Comm graph)
{
    int own = 0;
    MPI_Comm_rank(graph, &own);
    int lists[4][most_neighbors];
    int in = 0;
    int out = 0;
    int weighted = 0;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(graph, in, lists[0], lists[1], out, lists[2], lists[3]);
    int received[most_neighbors] = {0};
    MPI_Neighbor_allgather(&own, 1, MPI_INT, received, 1, MPI_INT, graph);
    int wrong = 0;
    for (int i = 0; i < in; ++i) {
        wrong += received[i] != lists[0][i];
    }
    return wrong;
}

static int fixed_weight(int dimension, int heavy)
{
    return dimension == heavy ? 100 : 1;
}

static int heavy(int argc, char** argv, const int* node_of_world)
{
    const int ends = strcmp(argv[1], "ends") == 0;
    if (argc < (ends ? 5 : 6)) {
        return 1;
    }
    Grid grid = {2, {0, 0, 0}, {0, 0, 0}};
    sscanf(argv[2], "%dx%d", &grid.dims[0], &grid.dims[1]);
    const Neighbors own = neighbors_of(&grid, rank);
    int to[most_neighbors];
    int from[most_neighbors];
    for (int i = 0; i < own.count; ++i) {
        to[i] = fixed_weight(own.dimension[i], atoi(argv[3]));
        from[i] = ends ? 5 : to[i];
    }
    MPI_Comm graph;
    if (ends || strcmp(argv[4], "adjacent") == 0) {
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, own.count, own.rank, from, own.count, own.rank, to,
                                       MPI_INFO_NULL, 1, &graph);
    } else {
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &own.count, own.rank, to, MPI_INFO_NULL, 1, &graph);
    }
    const NodeEdges edges = edges_of_graph(graph, node_of_world);
    const int wrong = wrong_blocks(graph) + (edges.sum != atoi(argv[ends ? 4 : 5]));
    if (wrong && rank == 0) {
        printf("weight %lld between nodes\n", edges.sum);
    }
    MPI_Comm_free(&graph);
    return wrong;
}

static Grid random_grid(int processes)
{
    Grid grid = {1 + random_below(most_dimensions), {1, 1, 1}, {0, 0, 0}};
    for (int factor = 2; processes > 1; ++factor) {
        for (; processes % factor == 0; processes /= factor) {
            grid.dims[random_below(grid.dimensions)] *= factor;
        }
    }
    for (int k = 0; k < grid.dimensions; ++k) {
        grid.periods[k] = random_below(2);
    }
    return grid;
}

// 0: none, 1: by dimension, 2: of each edge, 3: a few heavy ones.
static int random_weight(int kind, int dimension, int from, int to)
{
    const int mixed = (int)(((unsigned)from * 2654435761u + (unsigned)to * 40503u) >> 8);
    return kind == 1 ? 1 + 10 * dimension : kind == 2 ? mixed % 50 : mixed % 7 == 0 ? 2000000000 : 0;
}

static int random_case(const int* node_of_world)
{
    const Grid grid = random_grid(size);
    const int kind = random_below(4);
    const int by_most = random_below(2);
    const int idle = random_below(3) == 0; // nobody has a neighbor but the two first ones, each other
    Neighbors own = neighbors_of(&grid, rank);
    if (idle) {
        own.count = rank < 2 && size > 1;
        own.rank[0] = 1 - rank;
    }
    int to[most_neighbors];
    int from[most_neighbors];
    for (int i = 0; i < own.count; ++i) {
        to[i] = random_weight(kind, own.dimension[i], rank, own.rank[i]);
        from[i] = random_weight(kind, own.dimension[i], own.rank[i], rank);
    }
    const int* const to_weights = kind == 0 ? MPI_UNWEIGHTED : own.count == 0 ? MPI_WEIGHTS_EMPTY : to;
    const int* const from_weights = kind == 0 ? MPI_UNWEIGHTED : own.count == 0 ? MPI_WEIGHTS_EMPTY : from;
    NodeEdges edges[2];
    int wrong = 0;
    for (int reorder = 0; reorder < 2; ++reorder) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "hopscotch_objective", by_most ? "max" : "sum");
        MPI_Comm graph;
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, own.count, own.rank, from_weights, own.count, own.rank,
                                       to_weights, info, reorder, &graph);
        MPI_Info_free(&info);
        edges[reorder] = edges_of_graph(graph, node_of_world);
        wrong += wrong_blocks(graph);
        MPI_Comm_free(&graph);
    }
    return wrong + (by_most ? edges[1].most > edges[0].most : edges[1].sum > edges[0].sum);
}

static int map_case(void)
{
    Grid grid = random_grid(size - random_below(2) * random_below(size));
    int nodes = 1;
    for (int k = 0; k < grid.dimensions; ++k) {
        nodes *= grid.dims[k];
    }
    int said = -2;
    int got = MPI_UNDEFINED;
    MPI_Comm comm;
    MPI_Cart_map(MPI_COMM_WORLD, grid.dimensions, grid.dims, grid.periods, &said);
    MPI_Cart_create(MPI_COMM_WORLD, grid.dimensions, grid.dims, grid.periods, 1, &comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &got);
        MPI_Comm_free(&comm);
    }
    int wrong = said != got;

    int* index = calloc((size_t)nodes, sizeof *index);
    int* edges = calloc((size_t)nodes * most_neighbors, sizeof *edges);
    for (int node = 0, count = 0; node < nodes; ++node) {
        const Neighbors own = neighbors_of(&grid, node);
        memcpy(edges + count, own.rank, (size_t)own.count * sizeof *edges);
        index[node] = count += own.count;
    }
    said = -2;
    got = MPI_UNDEFINED;
    if (rank % 2 == 0) { // no process waits for another one
        MPI_Graph_map(MPI_COMM_WORLD, nodes, index, edges, &said);
    }
    MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 1, &comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &got);
        MPI_Comm_free(&comm);
    }
    wrong += rank % 2 == 0 && said != got;
    free(index);
    free(edges);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int* const node_of_world = nodes_of_world();
    const char* const mode = argc > 3 ? argv[1] : "";
    int wrong = 0;
    if (strcmp(mode, "random") == 0 || strcmp(mode, "map") == 0) {
        for (int i = 0; i < atoi(argv[3]); ++i) {
            state = strtoull(argv[2], NULL, 10) * 1000 + (unsigned)i;
            random_below(2);
            const int more = mode[0] == 'm' ? map_case() : random_case(node_of_world);
            if (more) {
                fprintf(stderr, "rank %d: case %d is wrong\n", rank, i);
            }
            wrong += more;
        }
    } else {
        wrong = mode[0] == '\0' ? 1 : heavy(argc, argv, node_of_world);
    }
    free(node_of_world);
    return conclude("weighted", wrong);
}
