// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every error the headers document, function by function, that the other programs of this directory do not meet on
// their way. Errors are returned: none may reach an error handler, except those of the MPI library.
#include "check.h"

#include "forms.h"

#include <limits.h>

enum { t = 2 }; // offsets of the neighborhood

static int p, me;
static int list[8], again[8];
static const int zeros[8], ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, negatives[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
static const MPI_Aint nowhere[8];

static MPI_Comm make_neighborhood(void)
{
    const int ring = 1, offsets[t] = {1, -1};
    MPI_Comm cart = MPI_COMM_NULL;
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, &p, &ring, t, offsets, NULL, MPI_INFO_NULL, 0, &cart) ==
          MPI_SUCCESS);
    return cart;
}

static void check_neighborhood_queries(MPI_Comm cart)
{
    int a = 0, b = 0;
    CHECK_ERROR(Hop_Cart_relative_rank(cart, list, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_relative_shift(cart, NULL, &a, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_relative_coord(cart, 0, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_relative_coord(cart, -1, list), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_neighbor_count(cart, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_degrees(cart, &a, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_get(cart, 0, NULL, NULL, -1, NULL, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_get_relative(cart, -1, list, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_get_relative(cart, 1, NULL, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_find_rank(cart, 0, 0, NULL, NULL, 0, NULL, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_find_rank(cart, 0, -1, list, &a, 0, NULL, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_find_coord(cart, NULL, 0, NULL, &a, 0, NULL, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_find_coord(cart, list, 1, NULL, &a, 0, NULL, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_find_coord(MPI_COMM_WORLD, list, 0, NULL, &a, 0, NULL, &b), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_axis_neighbors_count(cart, NULL, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_axis_neighbors(cart, -1, list, 0, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_axis_neighbors(cart, 0, NULL, 1, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_axis_neighbors(MPI_COMM_WORLD, 0, NULL, 0, NULL), MPI_ERR_TOPOLOGY);
}

/// Operations and their _init forms refuse alike. `name` is Hop_Cart_alltoall, say, and `form` empty or _init.
#define CHECK_OPERATIONS(form, cart)                                                                                   \
    do {                                                                                                               \
        const MPI_Datatype ints[t] = {MPI_INT, MPI_INT}, none[t] = {MPI_INT, MPI_DATATYPE_NULL};                       \
        CHECK_ERROR(Hop_Cart_alltoall##form(MPI_IN_PLACE, 1, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_BUFFER);       \
        CHECK_ERROR(Hop_Cart_alltoall##form(list, -1, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_COUNT);               \
        CHECK_ERROR(Hop_Cart_alltoall##form(list, 1, MPI_INT, again, 1, MPI_DATATYPE_NULL, cart), MPI_ERR_TYPE);       \
        CHECK_ERROR(Hop_Cart_alltoallv##form(MPI_IN_PLACE, ones, zeros, MPI_INT, again, ones, zeros, MPI_INT, cart),   \
                    MPI_ERR_BUFFER);                                                                                   \
        CHECK_ERROR(Hop_Cart_alltoallv##form(list, ones, zeros, MPI_INT, again, negatives, zeros, MPI_INT, cart),      \
                    MPI_ERR_COUNT);                                                                                    \
        CHECK_ERROR(Hop_Cart_alltoallv##form(list, ones, zeros, MPI_DATATYPE_NULL, again, ones, zeros, MPI_INT, cart), \
                    MPI_ERR_TYPE);                                                                                     \
        CHECK_ERROR(Hop_Cart_alltoallv##form(list, ones, zeros, MPI_INT, again, ones, NULL, MPI_INT, cart),            \
                    MPI_ERR_ARG);                                                                                      \
        CHECK_ERROR(Hop_Cart_alltoallw##form(MPI_IN_PLACE, ones, nowhere, ints, again, ones, nowhere, ints, cart),     \
                    MPI_ERR_BUFFER);                                                                                   \
        CHECK_ERROR(Hop_Cart_alltoallw##form(list, negatives, nowhere, ints, again, ones, nowhere, ints, cart),        \
                    MPI_ERR_COUNT);                                                                                    \
        CHECK_ERROR(Hop_Cart_alltoallw##form(list, ones, nowhere, ints, again, ones, nowhere, none, cart),             \
                    MPI_ERR_TYPE);                                                                                     \
        CHECK_ERROR(Hop_Cart_alltoallw##form(list, ones, nowhere, ints, again, ones, NULL, ints, cart), MPI_ERR_ARG);  \
        CHECK_ERROR(Hop_Cart_allgather##form(MPI_IN_PLACE, 1, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_BUFFER);      \
        CHECK_ERROR(Hop_Cart_allgather##form(list, 1, MPI_INT, again, -1, MPI_INT, cart), MPI_ERR_COUNT);              \
        CHECK_ERROR(Hop_Cart_allgather##form(list, 1, MPI_DATATYPE_NULL, again, 1, MPI_INT, cart), MPI_ERR_TYPE);      \
        CHECK_ERROR(Hop_Cart_allgatherv##form(MPI_IN_PLACE, 1, MPI_INT, again, ones, zeros, MPI_INT, cart),            \
                    MPI_ERR_BUFFER);                                                                                   \
        CHECK_ERROR(Hop_Cart_allgatherv##form(list, 1, MPI_INT, again, negatives, zeros, MPI_INT, cart),               \
                    MPI_ERR_COUNT);                                                                                    \
        CHECK_ERROR(Hop_Cart_allgatherv##form(list, 1, MPI_INT, again, ones, zeros, MPI_DATATYPE_NULL, cart),          \
                    MPI_ERR_TYPE);                                                                                     \
        CHECK_ERROR(Hop_Cart_allgatherv##form(list, 1, MPI_INT, again, ones, NULL, MPI_INT, cart), MPI_ERR_ARG);       \
        CHECK_ERROR(Hop_Cart_allgatherw##form(MPI_IN_PLACE, 1, MPI_INT, again, ones, nowhere, ints, cart),             \
                    MPI_ERR_BUFFER);                                                                                   \
        CHECK_ERROR(Hop_Cart_allgatherw##form(list, -1, MPI_INT, again, ones, nowhere, ints, cart), MPI_ERR_COUNT);    \
        CHECK_ERROR(Hop_Cart_allgatherw##form(list, 1, MPI_INT, again, ones, nowhere, none, cart), MPI_ERR_TYPE);      \
        CHECK_ERROR(Hop_Cart_allgatherw##form(list, 1, MPI_INT, again, ones, NULL, ints, cart), MPI_ERR_ARG);          \
        CHECK_ERROR(Hop_Cart_alltoallv##form(list, ones, zeros, MPI_INT, again, ones, zeros, MPI_INT, MPI_COMM_WORLD), \
                    MPI_ERR_TOPOLOGY);                                                                                 \
        CHECK_ERROR(Hop_Cart_alltoallw##form(list, ones, nowhere, ints, again, ones, nowhere, ints, MPI_COMM_WORLD),   \
                    MPI_ERR_TOPOLOGY);                                                                                 \
        CHECK_ERROR(Hop_Cart_allgather##form(list, 1, MPI_INT, again, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);  \
        CHECK_ERROR(Hop_Cart_allgatherv##form(list, 1, MPI_INT, again, ones, zeros, MPI_INT, MPI_COMM_WORLD),          \
                    MPI_ERR_TOPOLOGY);                                                                                 \
        CHECK_ERROR(Hop_Cart_allgatherw##form(list, 1, MPI_INT, again, ones, nowhere, ints, MPI_COMM_WORLD),           \
                    MPI_ERR_TOPOLOGY);                                                                                 \
    } while (0)

static void check_truncation(MPI_Comm cart)
{
    const int two = 2;
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    // A regular call returns an error on every process that receives too much.
    CHECK_ERROR(Hop_Cart_alltoall(list, two, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_TRUNCATE);
    CHECK_ERROR(Hop_Cart_allgather(list, two, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_TRUNCATE);
    CHECK_ERROR(Hop_Cart_allgatherv(list, two, MPI_INT, again, ones, zeros, MPI_INT, cart), MPI_ERR_TRUNCATE);
    CHECK_ERROR(Hop_Neighbor_xchg(list, two, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_TRUNCATE);
    CHECK_ERROR(Hop_Cart_shift_xchg(list, two, MPI_INT, again, 1, MPI_INT, 0, 1, cart), MPI_ERR_TRUNCATE);
    const int twos[t] = {2, 2};
    CHECK_ERROR(Hop_Neighbor_xchgv(list, twos, zeros, MPI_INT, again, ones, zeros, MPI_INT, cart), MPI_ERR_TRUNCATE);
}

static void check_names(void)
{
    const int order = p, ring = 1, huge[3] = {1 << 15, 1 << 15, 2}, periods[3] = {1, 1, 1};
    int a = 0, b = 0, flag = 0;
    MPI_Comm named, other;
    MPI_Comm_dup(MPI_COMM_WORLD, &named);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    CHECK_ERROR(Hop_Cart_name(named, 3, HOP_ROWMAJOR, huge, periods, &a), MPI_ERR_DIMS); // more than an int counts
    CHECK_ERROR(Hop_Cart_name(named, 1, HOP_ROWMAJOR, NULL, &ring, &a), MPI_ERR_ARG);
    const int straight = 0;
    CHECK_ERROR(Hop_Cart_name_permuted(MPI_COMM_NULL, 1, &straight, &order, &ring, &a), MPI_ERR_COMM);
    CHECK(Hop_Cart_name(named, 1, HOP_ROWMAJOR, &order, &ring, &a) == MPI_SUCCESS);
    CHECK_ERROR(Hop_Cart_test(named, NULL, &a, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_get(named, &a, -1, list, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_get(named, NULL, 0, NULL, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_rank(named, NULL, &a), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_coordinates(named, 0, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_coordinates(named, -1, list), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_relative_rank_from(named, 0, NULL, &a), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_relative_rank_from(named, -1, list, &a), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_relative_coordinates(named, 0, 0, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_relative_coordinates(named, p, 0, list), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_relative_shift_from(named, p, list, &a, &b), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_relative_shift_from(named, 0, list, &a, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_allranks(named, 1, NULL, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_allranks_relative(named, p, 1, list, again), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_allranks_relative(named, 0, -1, list, again), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_create_sub(named, NULL, &other), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors_count(named, 0, HOP_MANHATTAN_DISTANCE, 0, -1, &a), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors_count(named, 0, 3, 0, 1, &a), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors_count(named, p, HOP_MANHATTAN_DISTANCE, 0, 1, &a), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_neighbors_count(named, 0, HOP_MANHATTAN_DISTANCE, 0, 1, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors_ranks(named, 0, HOP_CHEBYCHEV_DISTANCE, 0, 1, -1, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors_ranks(named, p, HOP_CHEBYCHEV_DISTANCE, 0, 1, 1, list), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_stencil_count(named, HOP_CHEBYCHEV_DISTANCE, 1, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_stencil(named, HOP_CHEBYCHEV_DISTANCE, 1, -1, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_stencil(named, 0, 1, 1, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_stencil_diff(named, 1, list, 1, NULL, &a, again), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_stencil_diff(named, -1, list, 0, NULL, &a, again), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_test(MPI_COMM_NULL, &flag, &a, &b), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_testall(MPI_COMM_NULL, &flag, &a, &b), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_testall(named, NULL, &a, &b), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Comm_is_cartesian(named, named, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Comm_is_cartesian(named, MPI_COMM_NULL, &flag), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Comm_is_cartesian(MPI_COMM_NULL, named, &flag), MPI_ERR_COMM);
    MPI_Comm_free(&named);

    // The other communicator has no name.
    CHECK_ERROR(Hop_Cart_relative_rank_from(other, 0, list, &a), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_relative_coordinates(other, 0, 0, list), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_relative_shift_from(other, 0, list, &a, &b), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_allranks(other, 1, list, again), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_allranks_relative(other, 0, 1, list, again), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_neighbors(other, 0, HOP_MANHATTAN_DISTANCE, 0, 1, 1, list), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_neighbors_ranks(other, 0, HOP_MANHATTAN_DISTANCE, 0, 1, 1, list), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_stencil_count(other, HOP_MANHATTAN_DISTANCE, 1, &a), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_stencil(other, HOP_MANHATTAN_DISTANCE, 1, 1, list), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_stencil_diff(other, 1, list, 0, NULL, &a, again), MPI_ERR_COMM);
    MPI_Comm_free(&other);
}

/// Rooted collectives on a ring, in which rank 0 receives from the last process and sends to the next one; processes
/// that take no part succeed.
static void check_rooted(MPI_Comm graph)
{
    const MPI_Datatype none = MPI_DATATYPE_NULL;
    const int root = 0, gathers = me == root || me == p - 1, scatters = me == root || me == 1 % p;
    const int outside = p > 2 && !gathers, outside_scatter = p > 2 && !scatters, twos[1] = {2};
    CHECK_ERROR(form_Bcast(list, 1, MPI_INT, p, graph), MPI_ERR_ROOT);
    CHECK_ERROR(form_Bcast(list, -1, MPI_INT, root, graph), MPI_ERR_COUNT);
    CHECK_ERROR(form_Bcast(list, 1, none, root, graph), MPI_ERR_TYPE);
    CHECK_ERROR(form_Gather(list, 1, MPI_INT, again, 1, MPI_INT, -1, graph), MPI_ERR_ROOT);
    CHECK_ERROR(form_Scatter(list, 1, MPI_INT, again, 1, MPI_INT, p, graph), MPI_ERR_ROOT);
    CHECK_ERROR(form_Gather(list, -1, MPI_INT, again, -1, MPI_INT, root, graph), gathers ? MPI_ERR_COUNT : MPI_SUCCESS);
    CHECK_ERROR(form_Gatherv(list, -1, MPI_INT, again, negatives, zeros, MPI_INT, root, graph),
                gathers ? MPI_ERR_COUNT : MPI_SUCCESS);
    CHECK_ERROR(form_Scatter(list, -1, MPI_INT, again, -1, MPI_INT, root, graph),
                scatters ? MPI_ERR_COUNT : MPI_SUCCESS);
    CHECK_ERROR(form_Scatterv(list, negatives, zeros, MPI_INT, again, -1, MPI_INT, root, graph),
                scatters ? MPI_ERR_COUNT : MPI_SUCCESS);
    CHECK_ERROR(form_Gather(list, 1, none, again, 1, none, root, graph), gathers ? MPI_ERR_TYPE : MPI_SUCCESS);
    CHECK_ERROR(form_Gatherv(list, 1, none, again, ones, zeros, none, root, graph),
                gathers ? MPI_ERR_TYPE : MPI_SUCCESS);
    CHECK_ERROR(form_Scatter(list, 1, none, again, 1, none, root, graph), scatters ? MPI_ERR_TYPE : MPI_SUCCESS);
    CHECK_ERROR(form_Scatterv(list, ones, zeros, none, again, 1, none, root, graph),
                scatters ? MPI_ERR_TYPE : MPI_SUCCESS);
    CHECK_ERROR(form_Gather(outside ? MPI_IN_PLACE : list, 1, MPI_INT, again, 1, MPI_INT, root, graph),
                outside ? MPI_ERR_BUFFER : MPI_SUCCESS);
    CHECK_ERROR(form_Gatherv(outside ? MPI_IN_PLACE : list, 1, MPI_INT, again, ones, zeros, MPI_INT, root, graph),
                outside ? MPI_ERR_BUFFER : MPI_SUCCESS);
    CHECK_ERROR(form_Scatter(list, 1, MPI_INT, outside_scatter ? MPI_IN_PLACE : again, 1, MPI_INT, root, graph),
                outside_scatter ? MPI_ERR_BUFFER : MPI_SUCCESS);
    CHECK_ERROR(
        form_Scatterv(list, ones, zeros, MPI_INT, outside_scatter ? MPI_IN_PLACE : again, 1, MPI_INT, root, graph),
        outside_scatter ? MPI_ERR_BUFFER : MPI_SUCCESS);
    CHECK_ERROR(form_Gather(list, 2, MPI_INT, again, 1, MPI_INT, root, graph),
                me == root ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK_ERROR(form_Gatherv(list, 2, MPI_INT, again, ones, zeros, MPI_INT, root, graph),
                me == root ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK_ERROR(form_Scatter(list, 2, MPI_INT, again, 1, MPI_INT, root, graph),
                me == 1 % p ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK_ERROR(form_Scatterv(list, twos, zeros, MPI_INT, again, 1, MPI_INT, root, graph),
                me == 1 % p ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK_ERROR(form_Reduce(list, again, 1, MPI_INT, MPI_SUM, p, graph), MPI_ERR_ROOT);
    CHECK_ERROR(form_Reduce(list, again, 1, none, MPI_SUM, root, graph), MPI_ERR_TYPE);
    CHECK_ERROR(form_Reduce(list, again, 1, MPI_INT, MPI_OP_NULL, root, graph), MPI_ERR_OP);
    CHECK_ERROR(form_Reduce(outside ? MPI_IN_PLACE : list, again, 1, MPI_INT, MPI_SUM, root, graph),
                outside ? MPI_ERR_BUFFER : MPI_SUCCESS);
    CHECK_ERROR(form_Allreduce(list, again, -1, MPI_INT, MPI_SUM, graph), MPI_ERR_COUNT);
    CHECK_ERROR(form_Allreduce(list, again, 1, none, MPI_SUM, graph), MPI_ERR_TYPE);
    CHECK_ERROR(form_Allreduce(list, again, 1, MPI_INT, MPI_OP_NULL, graph), MPI_ERR_OP);
}

static void check_collectives_of_neighbors(void)
{
    const int next = (me + 1) % p, before = (me + p - 1) % p;
    const MPI_Datatype none[1] = {MPI_DATATYPE_NULL}, ints[1] = {MPI_INT};
    MPI_Comm graph, part;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN); // errors of the MPI library go through it
    int active = 0;
    Hop_active(&active);
    if (!active) // then requests do not know their communicator
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (form = blocking; form < forms; ++form)
        if (has_form(form))
            check_rooted(graph);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    CHECK_ERROR(Hop_Gatherv(list, 1, MPI_INT, again, ones, zeros, MPI_INT, p, graph), MPI_ERR_ROOT);
    CHECK_ERROR(Hop_Scatterv(list, ones, zeros, MPI_INT, again, 1, MPI_INT, -1, graph), MPI_ERR_ROOT);

    CHECK_ERROR(Hop_Allgather(list, -1, MPI_INT, again, 1, MPI_INT, graph), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Allgatherw(list, -1, MPI_INT, again, ones, nowhere, ints, graph), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Allgatherw(list, 1, MPI_INT, again, ones, nowhere, none, graph), MPI_ERR_TYPE);
    MPI_Datatype uncommitted;
    MPI_Type_contiguous(1, MPI_INT, &uncommitted);
    CHECK_ERROR(Hop_Allgatherw(list, 1, uncommitted, again, ones, nowhere, ints, graph), MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Allgatherw(list, 1, MPI_INT, again, ones, nowhere, &uncommitted, graph), MPI_ERR_TYPE);
    MPI_Type_free(&uncommitted);
    CHECK_ERROR(Hop_Allgatherw(MPI_IN_PLACE, 1, MPI_INT, again, ones, nowhere, ints, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Alltoall(list, 1, MPI_INT, again, -1, MPI_INT, graph), MPI_ERR_COUNT);
    if (p > 1) { // MPICH 4.0.2 passes these calls to a process that has only itself, and reports a truncated message
        CHECK_ERROR(Hop_Allgatherv(list, 1, MPI_INT, again, negatives, zeros, MPI_INT, graph), MPI_ERR_COUNT);
        CHECK_ERROR(Hop_Alltoallv(list, negatives, zeros, MPI_INT, again, ones, zeros, MPI_INT, graph), MPI_ERR_COUNT);
        CHECK_ERROR(Hop_Alltoallw(list, ones, nowhere, ints, again, negatives, nowhere, ints, graph), MPI_ERR_COUNT);
    }
    CHECK_ERROR(Hop_Reduce(list, again, -1, MPI_INT, MPI_SUM, 0, graph), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Bcast(list, 1, MPI_INT, 0, MPI_COMM_NULL), MPI_ERR_COMM);

    CHECK_ERROR(Hop_Comm_subgraph(graph, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Comm_subgraph(MPI_COMM_NULL, MPI_COMM_WORLD, &part), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Comm_split_type(graph, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Comm_create(graph, MPI_GROUP_EMPTY, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Comm_create_group(graph, MPI_GROUP_EMPTY, 0, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Comm_split(MPI_COMM_NULL, 0, 0, &part), MPI_ERR_COMM);

    MPI_Win win;
    MPI_Group in, out;
    CHECK(Hop_Win_create(list, sizeof list, sizeof(int), MPI_INFO_NULL, graph, &win) == MPI_SUCCESS);
    CHECK_ERROR(Hop_Win_create(list, sizeof list, sizeof(int), MPI_INFO_NULL, graph, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Win_bind(MPI_COMM_NULL, win), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Win_neighbor_groups(win, NULL, &out), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Win_neighbor_groups(MPI_WIN_NULL, &in, &out), MPI_ERR_WIN);
    CHECK_ERROR(Hop_Win_post(0, MPI_WIN_NULL), MPI_ERR_WIN);
    CHECK_ERROR(Hop_Win_start(0, MPI_WIN_NULL), MPI_ERR_WIN);
    CHECK(Hop_Win_free(&win) == MPI_SUCCESS);
    CHECK_ERROR(Hop_Win_free(&win), MPI_ERR_WIN);
    MPI_Comm_free(&graph);
}

static void check_exchange(MPI_Comm cart)
{
    int n = 0;
    CHECK_ERROR(Hop_Comm_neighbors_count(cart, 0, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Comm_neighbors_count(MPI_COMM_WORLD, 0, &n), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Comm_neighbors(MPI_COMM_WORLD, 0, 1, list), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_shift_xchg(list, -1, MPI_INT, again, 1, MPI_INT, 0, 1, cart), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Cart_shift_xchg(list, 1, MPI_INT, again, 1, MPI_INT, 0, 1, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Neighbor_xchg(MPI_IN_PLACE, 1, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Neighbor_xchg(list, -1, MPI_INT, again, 1, MPI_INT, cart), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Neighbor_xchg(list, 1, MPI_DATATYPE_NULL, again, 1, MPI_INT, cart), MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Neighbor_xchgv(MPI_IN_PLACE, ones, zeros, MPI_INT, again, ones, zeros, MPI_INT, cart),
                MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Neighbor_xchgv(list, negatives, zeros, MPI_INT, again, ones, zeros, MPI_INT, cart), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Neighbor_xchgv(list, ones, zeros, MPI_INT, again, ones, zeros, MPI_DATATYPE_NULL, cart),
                MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Comm_neighbors(cart, p, 1, list), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Comm_neighbors(cart, 0, 1, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_shift_xchg(MPI_IN_PLACE, 1, MPI_INT, again, 1, MPI_INT, 0, 1, cart), MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Cart_shift_xchg(list, 1, MPI_INT, again, 1, MPI_DATATYPE_NULL, 0, 1, cart), MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Cart_shift_xchg(list, 1, MPI_INT, again, 1, MPI_INT, -1, 1, cart), MPI_ERR_DIMS);
}

/// Rank 0 sends to the last process, which does not expect it; or to a rank that does not exist.
static void check_lists_that_disagree(int destination)
{
    MPI_Comm graph = MPI_COMM_NULL;
    const int source = 0;
    const MPI_Datatype ints[1] = {MPI_INT};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, &source, MPI_UNWEIGHTED, me == 0, &destination, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    CHECK_ERROR(Hop_Barrier(graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Bcast(list, 1, MPI_INT, 0, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Gather(list, 1, MPI_INT, again, 1, MPI_INT, 0, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Gatherv(list, 1, MPI_INT, again, ones, zeros, MPI_INT, 0, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Scatter(list, 1, MPI_INT, again, 1, MPI_INT, 0, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Scatterv(list, ones, zeros, MPI_INT, again, 1, MPI_INT, 0, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Allgatherw(list, 1, MPI_INT, again, ones, nowhere, ints, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Reduce(list, again, 1, MPI_INT, MPI_SUM, 0, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Allreduce(list, again, 1, MPI_INT, MPI_SUM, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Neighbor_xchgv(list, ones, zeros, MPI_INT, again, ones, zeros, MPI_INT, graph), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Neighbor_xchg(list, 1, MPI_INT, again, 1, MPI_INT, graph), MPI_ERR_TOPOLOGY);
    MPI_Comm_free(&graph);
}

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    MPI_Comm cart = make_neighborhood();
    check_neighborhood_queries(cart);
    CHECK_OPERATIONS(, cart);
    CHECK_OPERATIONS(_init, cart);
    CHECK_ERROR(Hop_Cart_allgather_free(MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    check_exchange(cart);
    check_truncation(cart);
    MPI_Comm_free(&cart);
    check_names();
    check_collectives_of_neighbors();
    check_lists_that_disagree(p - 1);
#ifndef OPEN_MPI // which refuses a rank that does not exist
    check_lists_that_disagree(p);
#endif
    return finish_checks();
}
