// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random communicators with a topology, see networks.h.
#include "networks.h"

#include "almost_grids.h"
#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void random_grid(uint64_t* state, int size, Pattern* pattern)
{
    pattern->size = size;
    pattern->dimensions = 1 + random_below(state, 4);
    const int periodic = random_below(state, 3); // none, all, some
    for (int k = 0; k < pattern->dimensions; ++k) {
        pattern->periods[k] = periodic == 2 ? random_below(state, 2) : periodic;
    }
    random_dims(state, size, pattern);
}

static void random_stencil(uint64_t* state, Pattern* pattern)
{
    static const char* const known[] = {"moore:1", "star:1", "star:2", "box:2:0", "box:3:-1"};
    if (random_below(state, 3) == 0) {
        parse_stencil(pattern, known[random_below(state, pattern->dimensions < 4 ? 5 : 4)]);
        return;
    }
    const int reach = 1 + random_below(state, 3);
    const int count = random_below(state, 16) == 0 ? 0 : 1 + random_below(state, 12);
    snprintf(pattern->stencil, most_text, "random");
    for (int i = 0; i < count; ++i) {
        int offset[most_dimensions] = {0};
        if (i > 0 && random_below(state, 6) == 0) {
            memcpy(offset, pattern->offsets[random_below(state, i)], sizeof offset); // a repeat
        } else {
            for (int k = 0; k < pattern->dimensions; ++k) {
                offset[k] = random_below(state, 2 * reach + 1) - reach;
            }
        }
        add_offset(pattern, offset);
    }
}

static void make_grid(uint64_t* state, Network* network)
{
    random_grid(state, network->size, &network->pattern);
    random_stencil(state, &network->pattern);
    network->pattern.order = (enum Order)random_below(state, 4);
    network->pattern.parent = (enum Parent)random_below(state, 4);
    network->pattern.border = (enum Border)random_below(state, 2);
    network->pattern.seed = next_random(state);
}

// On a Cartesian communicator both lists are: the one before, the one behind, dimension by dimension (MPI 4.0, 8.6).
static void make_cartesian(uint64_t* state, Network* network)
{
    Pattern* pattern = &network->pattern;
    if (random_below(state, 4) == 0) {
        network->size = 1 + random_below(state, network->world);
    }
    random_grid(state, network->size, pattern);
    if (network->size == network->world && random_below(state, 4) == 0) {
        network->cut = pattern->dimensions;
        memcpy(network->whole, pattern->dims, sizeof pattern->dims);
        const int kept = random_below(state, pattern->dimensions);
        pattern->dimensions = 0;
        network->size = 1;
        for (int k = 0; k < network->cut; ++k) {
            network->remain[k] = k == kept || random_below(state, 2);
            if (network->remain[k]) {
                pattern->dims[pattern->dimensions] = network->whole[k];
                pattern->periods[pattern->dimensions++] = pattern->periods[k];
                network->size *= network->whole[k];
            }
        }
    }
    pattern->size = network->size;
    for (int k = 0; k < pattern->dimensions; ++k) {
        for (int shift = -1; shift <= 1; shift += 2) {
            int offset[most_dimensions] = {0};
            offset[k] = shift;
            add_offset(pattern, offset);
        }
    }
    pattern->parent = parent_cart;
    pattern->border = border_null;
}

void add_edge(Network* network, int from, int to)
{
    Lists* sender = &network->lists[from];
    Lists* receiver = &network->lists[to];
    if (sender->destinations + 1 < most_offsets && receiver->sources + 1 < most_offsets) {
        sender->destination[sender->destinations++] = to;
        receiver->source[receiver->sources++] = from;
    }
}

static void make_arbitrary(uint64_t* state, Network* network)
{
    const int size = network->size;
    const int edges = random_below(state, 6 * size + 1);
    const int spread = 1 + random_below(state, size); // few processes have all edges, at times
    for (int i = 0; i < edges; ++i) {
        const int from = random_below(state, spread);
        const int to = random_below(state, size);
        add_edge(network, from, to);
        if (random_below(state, 8) == 0) {
            add_edge(network, from, to);
        }
    }
    const int with_null = network->kind == kind_arbitrary && random_below(state, 2);
    for (int rank = 0; rank < size; ++rank) {
        Lists* lists = &network->lists[rank];
        if (with_null && random_below(state, 2)) {
            lists->source[lists->sources++] = no_process;
        }
        if (with_null && random_below(state, 2)) {
            lists->destination[lists->destinations++] = no_process;
        }
        shuffle(state, lists->source, lists->sources);
        shuffle(state, lists->destination, lists->destinations);
    }
}

// In the one list per process that MPI_Graph_create takes, every neighbor is a source and a destination.
static void make_symmetric(uint64_t* state, Network* network)
{
    if (random_below(state, 4) == 0) {
        network->size = 1 + random_below(state, network->world);
    }
    const int size = network->size;
    const int edges = random_below(state, 3 * size + 1);
    for (int i = 0; i < edges; ++i) {
        const int a = random_below(state, size);
        const int b = random_below(state, size);
        for (int repeat = random_below(state, 8) == 0 ? 2 : 1; repeat > 0; --repeat) {
            add_edge(network, a, b);
            if (a != b) {
                add_edge(network, b, a);
            }
        }
    }
    for (int rank = 0; rank < size; ++rank) {
        Lists* lists = &network->lists[rank];
        shuffle(state, lists->destination, lists->destinations);
        memcpy(lists->source, lists->destination, sizeof lists->source);
    }
}

// Properties of the lists of all processes.
static void examine(Network* network)
{
    network->edges = 0;
    network->parallel = 0;
    network->unequal = 0;
    network->whole_seen = 0;
    network->one_way = 0;
    network->nulls = 0;
    for (int rank = 0; rank < network->size; ++rank) {
        const Lists* lists = &network->lists[rank];
        network->unequal = network->unequal || lists->sources != lists->destinations;
        int others[2] = {0, 0};
        for (int i = 0; i < lists->destinations; ++i) {
            others[0] += lists->destination[i] != no_process;
        }
        for (int i = 0; i < lists->sources; ++i) {
            others[1] += lists->source[i] != no_process;
        }
        network->whole_seen = network->whole_seen || others[0] == network->pattern.neighbors;
        network->one_way = network->one_way || others[0] == 0 || others[1] == 0;
        network->nulls = network->nulls || (network->kind != kind_cartesian &&
                                            (others[0] < lists->destinations || others[1] < lists->sources));
        network->edges += others[1];
        for (int i = 0; i < lists->sources; ++i) {
            for (int j = 0; j < i; ++j) {
                network->parallel =
                    network->parallel || (lists->source[i] == lists->source[j] && lists->source[i] >= 0);
            }
        }
    }
}

static void fill_lists(Network* network)
{
    for (int rank = 0; rank < network->size; ++rank) {
        Lists* lists = &network->lists[rank];
        neighbor_lists(&network->pattern, rank, lists);
        if (network->kind == kind_cartesian) {
            memcpy(lists->source, lists->destination, sizeof lists->source);
        }
    }
}

void make_network(uint64_t seed, int world, int almost, Network* network)
{
    static const enum Kind kinds[] = {kind_grid,      kind_grid,      kind_grid,      kind_grid,      kind_cartesian,
                                      kind_cartesian, kind_symmetric, kind_arbitrary, kind_arbitrary, kind_described};
    memset(network, 0, sizeof *network);
    uint64_t state = seed;
    network->seed = seed;
    network->world = world;
    network->size = world;
    network->kind = kinds[random_below(&state, 10)];
    network->kind = almost ? kind_almost : network->kind;
#ifdef OPEN_MPI // 4.1.4 now and then hangs in MPI_Dist_graph_create
    network->kind = network->kind == kind_described ? kind_arbitrary : network->kind;
#endif
    network->duplicate = random_below(&state, 4) == 0;
    network->lists = allocate((size_t)world * sizeof *network->lists);
    memset(network->lists, 0, (size_t)world * sizeof *network->lists);
    if (network->kind == kind_grid) {
        make_grid(&state, network);
    } else if (network->kind == kind_cartesian) {
        make_cartesian(&state, network);
    } else if (network->kind == kind_symmetric) {
        make_symmetric(&state, network);
    } else if (almost) {
        make_almost_grid(&state, network);
    } else {
        make_arbitrary(&state, network);
    }
    if (network->kind <= kind_cartesian) {
        fill_lists(network);
    }
    examine(network);
}

void make_chosen_network(const Pattern* pattern, int duplicate, Network* network)
{
    *network = (Network){.kind = kind_grid,
                         .seed = pattern->seed,
                         .world = pattern->size,
                         .size = pattern->size,
                         .duplicate = duplicate,
                         .pattern = *pattern};
    network->lists = allocate((size_t)network->world * sizeof *network->lists);
    fill_lists(network);
    examine(network);
}

void free_network(Network* network)
{
    free(network->lists);
}

static int* as_ranks(const int* list, int count)
{
    int* ranks = allocate((size_t)count * sizeof *ranks);
    for (int i = 0; i < count; ++i) {
        ranks[i] = list[i] == no_process ? MPI_PROC_NULL : list[i];
    }
    return ranks;
}

static MPI_Info info_of(const Network* network)
{
    return network->info != NULL ? *network->info : MPI_INFO_NULL;
}

// Some weights, or none. The caller frees them.
static int* weights_of(const Network* network, int count)
{
    int* weights = allocate((size_t)count * sizeof *weights);
    for (int i = 0; i < count; ++i) {
        weights[i] = 1 + i % 3;
    }
    if (!network->weights) {
        free(weights);
        weights = NULL;
    }
    return weights;
}

static MPI_Comm create_adjacent(const Network* network)
{
    const Pattern* pattern = &network->pattern;
    MPI_Comm parent;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (network->kind == kind_grid && pattern->parent == parent_cart) {
        MPI_Cart_create(MPI_COMM_WORLD, pattern->dimensions, pattern->dims, pattern->periods, 0, &parent);
    } else if (network->kind == kind_grid && pattern->parent == parent_split) {
        int* keys = allocate((size_t)network->size * sizeof *keys);
        for (int i = 0; i < network->size; ++i) {
            keys[i] = i;
        }
        uint64_t state = network->seed + 77u;
        shuffle(&state, keys, network->size);
        MPI_Comm_split(MPI_COMM_WORLD, 0, keys[rank], &parent);
        free(keys);
    } else {
        MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    }
    MPI_Comm_rank(parent, &rank);
    const Lists* lists = &network->lists[rank];
    int* sources = as_ranks(lists->source, lists->sources);
    int* destinations = as_ranks(lists->destination, lists->destinations);
    int* weights_in = weights_of(network, lists->sources);
    int* weights_out = weights_of(network, lists->destinations);
    const int* const none = MPI_UNWEIGHTED;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(parent, lists->sources, sources, weights_in != NULL ? weights_in : none,
                                   lists->destinations, destinations, weights_out != NULL ? weights_out : none,
                                   info_of(network), network->reorder, &graph);
    MPI_Comm_free(&parent);
    free(weights_in);
    free(weights_out);
    free(sources);
    free(destinations);
    return graph;
}

// Every edge is contributed by a random process; the order of the lists is the library's, and read back.
static MPI_Comm create_described(Network* network)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    size_t edges = 0;
    for (int i = 0; i < network->size; ++i) {
        edges += (size_t)network->lists[i].destinations;
    }
    int* from = allocate(edges * sizeof *from);
    int* to = allocate(edges * sizeof *to);
    int* ones = allocate(edges * sizeof *ones);
    uint64_t state = network->seed + 78u;
    int count = 0;
    for (int i = 0; i < network->size; ++i) {
        for (int j = 0; j < network->lists[i].destinations; ++j) {
            if (random_below(&state, network->size) == rank) {
                from[count] = i;
                to[count] = network->lists[i].destination[j];
                ones[count++] = 1;
            }
        }
    }
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, count, from, ones, to, network->weights ? ones : MPI_UNWEIGHTED,
                          info_of(network), network->reorder, &graph);
    free(from);
    free(to);
    free(ones);
    Lists* mine = allocate(sizeof *mine);
    memset(mine, 0, sizeof *mine);
    int weighted;
    MPI_Dist_graph_neighbors_count(graph, &mine->sources, &mine->destinations, &weighted);
    MPI_Dist_graph_neighbors(graph, mine->sources, mine->source, MPI_UNWEIGHTED, mine->destinations, mine->destination,
                             MPI_UNWEIGHTED);
    MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, network->lists, (int)sizeof *mine, MPI_BYTE, MPI_COMM_WORLD);
    free(mine);
    examine(network);
    return graph;
}

static MPI_Comm create_symmetric(const Network* network)
{
    size_t edges = 0;
    for (int i = 0; i < network->size; ++i) {
        edges += (size_t)network->lists[i].destinations;
    }
    int* index = allocate((size_t)network->size * sizeof *index);
    int* all = allocate(edges * sizeof *all);
    int count = 0;
    for (int i = 0; i < network->size; ++i) {
        const Lists* lists = &network->lists[i];
        memcpy(all + count, lists->destination, (size_t)lists->destinations * sizeof *all);
        count += lists->destinations;
        index[i] = count;
    }
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, network->size, index, all, network->reorder, &graph);
    free(index);
    free(all);
    return graph;
}

static MPI_Comm create_cartesian(const Network* network)
{
    const Pattern* pattern = &network->pattern;
    MPI_Comm grid;
    if (!network->cut) {
        MPI_Cart_create(MPI_COMM_WORLD, pattern->dimensions, pattern->dims, pattern->periods, network->reorder, &grid);
        return grid;
    }
    int periods[most_dimensions] = {0};
    for (int k = 0, kept = 0; k < network->cut; ++k) {
        periods[k] = network->remain[k] ? pattern->periods[kept++] : 1;
    }
    MPI_Cart_create(MPI_COMM_WORLD, network->cut, network->whole, periods, 0, &grid);
    MPI_Comm part;
    MPI_Cart_sub(grid, network->remain, &part);
    MPI_Comm_free(&grid);
    return part;
}

MPI_Comm create_communicator(Network* network)
{
    MPI_Comm graph = MPI_COMM_NULL;
    switch (network->kind) {
    case kind_cartesian:
        graph = create_cartesian(network);
        break;
    case kind_symmetric:
        graph = create_symmetric(network);
        break;
    case kind_described:
        graph = create_described(network);
        break;
    default:
        graph = create_adjacent(network);
    }
    if (network->duplicate && graph != MPI_COMM_NULL) {
        MPI_Comm copy;
        MPI_Comm_dup(graph, &copy);
        MPI_Comm_free(&graph);
        graph = copy;
    }
    return graph;
}

int may_be_native(const Network* network)
{
    const char* algorithm = getenv("HOPSCOTCH_ALGORITHM");
    algorithm = algorithm == NULL ? "auto" : algorithm;
    const int explained = network->kind == kind_grid && network->pattern.parent == parent_cart && network->whole_seen;
    const int alone = network->size == 1 || getenv("MPIR_CVAR_NUM_CLIQUES") != NULL; // on its node
    return network->edges == 0 || strcmp(algorithm, "native") == 0 || getenv("HOPSCOTCH_DEVICE") != NULL ||
           (strcmp(algorithm, "shared") == 0 && alone) || (strcmp(algorithm, "combining") == 0 && !explained);
}

void describe_network(const Network* network, char* text, size_t size)
{
    static const char* const kinds[] = {"box", "cartesian", "symmetric", "arbitrary", "described", "almost a grid"};
    static const char* const orders[] = {"paper", "same", "sources", "random"};
    static const char* const parents[] = {"cart", "world", "split", "shuffled"};
    const Pattern* pattern = &network->pattern;
    size_t used = (size_t)snprintf(text, size, "%s of %d%s%s%s", kinds[network->kind], network->size,
                                   network->duplicate ? ", duplicate" : "", network->parallel ? ", parallel edges" : "",
                                   network->unequal ? ", unequal degrees" : "");
    if (network->kind > kind_cartesian) {
        return;
    }
    for (int k = 0; k < pattern->dimensions; ++k) {
        used += (size_t)snprintf(text + used, size - used, "%s%d%s", k > 0 ? "x" : ", ", pattern->dims[k],
                                 pattern->periods[k] ? "p" : "");
    }
    if (network->kind == kind_grid) {
        used += (size_t)snprintf(
            text + used, size - used, ", order %s, parent %s, borders %s, stencil %.20s:", orders[pattern->order],
            parents[pattern->parent], pattern->border == border_null ? "null" : "dropped", pattern->stencil);
        for (int i = 0; i < pattern->neighbors && used + 40 < size; ++i) {
            for (int k = 0; k < pattern->dimensions; ++k) {
                used += (size_t)snprintf(text + used, size - used, "%s%d", k > 0 ? "," : " ", pattern->offsets[i][k]);
            }
        }
    }
}
