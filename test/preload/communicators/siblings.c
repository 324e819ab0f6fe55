// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Many communicators made from the same one, in all ways and some that fail; each is used right away, and once more
// after many others have been made.
//
//   siblings ROUNDS SEED
#include "exchange.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_alive = 6, most_edges = 64 };

// Open MPI 4.1 does not look at weights, and its collectives end the program if a list names MPI_PROC_NULL.
#ifdef OPEN_MPI
enum { takes_any_weights = 1, fails_with_nobody = 1 };
#else
enum { takes_any_weights = 0, fails_with_nobody = 0 };
#endif

typedef struct {
    MPI_Comm comm;
    int sources, destinations;
    int source[most_edges], destination[most_edges];
} Sibling;

static Sibling alive[most_alive];
static uint64_t state;
static int rank, size;

// The same sequence on all processes.
static int shared_below(int bound)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)bound);
}

// Every process as often as chance wants it, on both sides alike; some nobody.
static void random_lists(Sibling* made, int may_name_nobody)
{
    made->sources = made->destinations = 0;
    for (int from = 0; from < size; ++from) {
        for (int to = 0; to < size; ++to) {
            const int edges = shared_below(4) == 0 ? 1 + shared_below(2) : 0;
            for (int edge = 0; edge < edges && made->sources < most_edges - 1; ++edge) {
                if (from == rank) {
                    made->destination[made->destinations++] = to;
                }
                if (to == rank) {
                    made->source[made->sources++] = from;
                }
            }
        }
    }
    if (may_name_nobody && !fails_with_nobody && shared_below(3) == 0) {
        made->destination[made->destinations++] = MPI_PROC_NULL;
        made->source[made->sources++] = MPI_PROC_NULL;
    }
}

static void ring_lists(Sibling* made, int distance)
{
    made->sources = made->destinations = 2;
    made->destination[0] = made->source[0] = (rank + size - distance) % size;
    made->destination[1] = made->source[1] = (rank + distance) % size;
}

static int make_adjacent(Sibling* made, MPI_Comm parent)
{
    return MPI_Dist_graph_create_adjacent(parent, made->sources, made->source, MPI_UNWEIGHTED, made->destinations,
                                          made->destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made->comm);
}

// A call that fails on all processes; the next one has to work: its lists differ from those of all that work.
static int make_wrong(Sibling* made, MPI_Comm parent)
{
    made->sources = made->destinations = 1;
    made->source[0] = made->destination[0] = rank;
    const int bad_degree = takes_any_weights || shared_below(2) ? -1 : made->destinations;
    const int weights[1] = {0};
    if (MPI_Dist_graph_create_adjacent(parent, made->sources, made->source, MPI_UNWEIGHTED, bad_degree,
                                       made->destination, weights, MPI_INFO_NULL, 0, &made->comm) == MPI_SUCCESS) {
        return printf("FAILED: rank %d: a graph with weights on one side could be made\n", rank);
    }
    made->comm = MPI_COMM_NULL;
    return 0;
}

static void make_general(Sibling* made, MPI_Comm parent)
{
    random_lists(made, 0);
    MPI_Dist_graph_create(parent, 1, &rank, &made->destinations, made->destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &made->comm);
    int weighted;
    int weights[most_edges];
    MPI_Dist_graph_neighbors_count(made->comm, &made->sources, &made->destinations, &weighted);
    MPI_Dist_graph_neighbors(made->comm, made->sources, made->source, weights, made->destinations, made->destination,
                             weights);
}

// All processes, or all but the last.
static void make_cartesian(Sibling* made, MPI_Comm parent, int members)
{
    const int periodic = 1;
    MPI_Cart_create(parent, 1, &members, &periodic, 0, &made->comm);
    made->sources = made->destinations = 2;
    made->destination[0] = made->source[0] = (rank + members - 1) % members;
    made->destination[1] = made->source[1] = (rank + 1) % members;
}

static int make(Sibling* made, MPI_Comm parent)
{
    switch (shared_below(8)) {
    case 0:
        ring_lists(made, 1 + shared_below(size - 1));
        return make_adjacent(made, parent);
    case 1:
    case 2:
        return make_wrong(made, parent);
    case 3:
        make_general(made, parent);
        return 0;
    case 4:
        make_cartesian(made, parent, size - shared_below(2));
        return 0;
    case 5: {
        const Sibling* original = &alive[shared_below(most_alive)];
        *made = *original; // a process may have none
        return original->comm == MPI_COMM_NULL ? 0 : MPI_Comm_dup(original->comm, &made->comm);
    }
    default:
        random_lists(made, 1);
        return make_adjacent(made, parent);
    }
}

static int use(const Sibling* sibling, int round)
{
    const int cells = shared_below(2) ? 3 : 999;
    return sibling->comm == MPI_COMM_NULL
               ? 0
               : exchange_and_check(sibling->comm, round, cells, sibling->sources, sibling->source,
                                    sibling->destinations, sibling->destination);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int rounds = argc > 1 ? atoi(argv[1]) : 40;
    state = (uint64_t)(argc > 2 ? atoi(argv[2]) : 1);
    int wrong = 0;
    MPI_Comm parent;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    for (int i = 0; i < most_alive; ++i) {
        alive[i].comm = MPI_COMM_NULL;
    }
    for (int round = 0; round < rounds; ++round) {
        if (shared_below(30) == 0) { // those made from it live on
            MPI_Comm_free(&parent);
            MPI_Comm_dup(MPI_COMM_WORLD, &parent);
            MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
        }
        Sibling* const place = &alive[shared_below(most_alive)];
        wrong += use(place, round % 1000);
        Sibling made;
        wrong += make(&made, parent) != 0;
        if (place->comm != MPI_COMM_NULL) {
            MPI_Comm_free(&place->comm);
        }
        *place = made;
        wrong += use(place, round % 1000);
    }
    for (int i = 0; i < most_alive; ++i) {
        if (alive[i].comm != MPI_COMM_NULL) {
            MPI_Comm_free(&alive[i].comm);
        }
    }
    MPI_Comm_free(&parent);
    int all = 0;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d communicators, seed %s: %d wrong\n", rounds, argc > 2 ? argv[2] : "1", all);
    }
    MPI_Finalize();
    return all != 0;
}
