// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments that nonblocking and persistent forms of collectives refuse, and Cartesian reductions in every form. No
// request comes of a refused call.
#include "check.h"

#include <hopscotch.h>

enum { t = 2 }; // offsets of the neighborhood

static int list[8], again[8];
static const int zeros[8], ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static const MPI_Aint nowhere[8];
static const MPI_Datatype ints[t] = {MPI_INT, MPI_INT};

/// The arguments that follow those of the plain function.
#define NO_REQUEST
#define NULL_REQUEST , NULL
#define NULL_PERSISTENT , MPI_INFO_NULL, NULL
#define REQUEST , &request
#define PERSISTENT , MPI_INFO_NULL, &request

/// `family` is Hop_Icart_, say, and `form` empty or _init_request.
#define CHECK_NULL_REQUESTS(family, form, more, cart)                                                                  \
    do {                                                                                                               \
        CHECK_ERROR(family##alltoall##form(list, 1, MPI_INT, again, 1, MPI_INT, cart more), MPI_ERR_ARG);              \
        CHECK_ERROR(family##alltoallv##form(list, ones, zeros, MPI_INT, again, ones, zeros, MPI_INT, cart more),       \
                    MPI_ERR_ARG);                                                                                      \
        CHECK_ERROR(family##alltoallw##form(list, ones, nowhere, ints, again, ones, nowhere, ints, cart more),         \
                    MPI_ERR_ARG);                                                                                      \
        CHECK_ERROR(family##allgather##form(list, 1, MPI_INT, again, 1, MPI_INT, cart more), MPI_ERR_ARG);             \
        CHECK_ERROR(family##allgatherv##form(list, 1, MPI_INT, again, ones, zeros, MPI_INT, cart more), MPI_ERR_ARG);  \
        CHECK_ERROR(family##allgatherw##form(list, 1, MPI_INT, again, ones, nowhere, ints, cart more), MPI_ERR_ARG);   \
    } while (0)

/// The collectives of the 2020 paper. `family` is Hop_I, say, and `form` empty; names begin as the family demands.
#define CHECK_NULL_COLLECTIVES(barrier, bcast, gather, scatter, allgather, alltoall, reduce, allreduce, scan, exscan,  \
                               form, more, comm)                                                                       \
    do {                                                                                                               \
        CHECK_ERROR(barrier##form(comm more), MPI_ERR_ARG);                                                            \
        CHECK_ERROR(bcast##form(list, 1, MPI_INT, 0, comm more), MPI_ERR_ARG);                                         \
        CHECK_ERROR(gather##form(list, 1, MPI_INT, again, 1, MPI_INT, 0, comm more), MPI_ERR_ARG);                     \
        CHECK_ERROR(gather##v##form(list, 1, MPI_INT, again, ones, zeros, MPI_INT, 0, comm more), MPI_ERR_ARG);        \
        CHECK_ERROR(scatter##form(list, 1, MPI_INT, again, 1, MPI_INT, 0, comm more), MPI_ERR_ARG);                    \
        CHECK_ERROR(scatter##v##form(list, ones, zeros, MPI_INT, again, 1, MPI_INT, 0, comm more), MPI_ERR_ARG);       \
        CHECK_ERROR(allgather##form(list, 1, MPI_INT, again, 1, MPI_INT, comm more), MPI_ERR_ARG);                     \
        CHECK_ERROR(allgather##v##form(list, 1, MPI_INT, again, ones, zeros, MPI_INT, comm more), MPI_ERR_ARG);        \
        CHECK_ERROR(allgather##w##form(list, 1, MPI_INT, again, ones, nowhere, ints, comm more), MPI_ERR_ARG);         \
        CHECK_ERROR(alltoall##form(list, 1, MPI_INT, again, 1, MPI_INT, comm more), MPI_ERR_ARG);                      \
        CHECK_ERROR(alltoall##v##form(list, ones, zeros, MPI_INT, again, ones, zeros, MPI_INT, comm more),             \
                    MPI_ERR_ARG);                                                                                      \
        CHECK_ERROR(alltoall##w##form(list, ones, nowhere, ints, again, ones, nowhere, ints, comm more), MPI_ERR_ARG); \
        CHECK_ERROR(reduce##form(list, again, 1, MPI_INT, MPI_SUM, 0, comm more), MPI_ERR_ARG);                        \
        CHECK_ERROR(allreduce##form(list, again, 1, MPI_INT, MPI_SUM, comm more), MPI_ERR_ARG);                        \
        CHECK_ERROR(reduce##_scatter_block##form(list, again, 1, MPI_INT, MPI_SUM, comm more), MPI_ERR_ARG);           \
        CHECK_ERROR(reduce##_scatter##form(list, again, ones, MPI_INT, MPI_SUM, comm more), MPI_ERR_ARG);              \
        CHECK_ERROR(scan##form(list, again, 1, MPI_INT, MPI_SUM, comm more), MPI_ERR_ARG);                             \
        CHECK_ERROR(exscan##form(list, again, 1, MPI_INT, MPI_SUM, comm more), MPI_ERR_ARG);                           \
    } while (0)

#define CHECK_NULL_NONBLOCKING(comm)                                                                                   \
    CHECK_NULL_COLLECTIVES(Hop_Ibarrier, Hop_Ibcast, Hop_Igather, Hop_Iscatter, Hop_Iallgather, Hop_Ialltoall,         \
                           Hop_Ireduce, Hop_Iallreduce, Hop_Iscan, Hop_Iexscan, , NULL_REQUEST, comm)
#define CHECK_NULL_PERSISTENT(comm)                                                                                    \
    CHECK_NULL_COLLECTIVES(Hop_Barrier, Hop_Bcast, Hop_Gather, Hop_Scatter, Hop_Allgather, Hop_Alltoall, Hop_Reduce,   \
                           Hop_Allreduce, Hop_Scan, Hop_Exscan, _init, NULL_PERSISTENT, comm)

#define CHECK_REDUCTION(function, more, cart)                                                                          \
    do {                                                                                                               \
        CHECK_ERROR(function(list, again, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD more), MPI_ERR_TOPOLOGY);                \
        CHECK_ERROR(function(list, again, -1, MPI_INT, MPI_SUM, cart more), MPI_ERR_COUNT);                            \
        CHECK_ERROR(function(list, again, 1, MPI_DATATYPE_NULL, MPI_SUM, cart more), MPI_ERR_TYPE);                    \
        CHECK_ERROR(function(list, again, 1, MPI_INT, MPI_OP_NULL, cart more), MPI_ERR_OP);                            \
        CHECK_ERROR(function(list, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, cart more), MPI_ERR_BUFFER);                     \
    } while (0)

/// On a graph the errors of the blocking forms, and of collectives that it has not.
static void check_graph(int p)
{
    const int everyone = 0; // a star
    int me, length = 0;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm graph;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, me == 0, &everyone, MPI_UNWEIGHTED, me == 0, &everyone,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    CHECK_NULL_NONBLOCKING(graph);
    CHECK_NULL_PERSISTENT(graph);
    CHECK_ERROR(Hop_Ibcast(list, 1, MPI_INT, p, graph, &request), MPI_ERR_ROOT);
    CHECK_ERROR(Hop_Gather_init(list, 1, MPI_INT, again, 1, MPI_INT, -1, graph, MPI_INFO_NULL, &request), MPI_ERR_ROOT);
    CHECK_ERROR(Hop_Iallreduce(list, again, -1, MPI_INT, MPI_SUM, graph, &request), MPI_ERR_COUNT);
    CHECK_ERROR(
        Hop_Allgatherw_init(MPI_IN_PLACE, 1, MPI_INT, again, ones, nowhere, ints, graph, MPI_INFO_NULL, &request),
        MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Iallgatherw(list, -1, MPI_INT, again, ones, nowhere, ints, MPI_COMM_WORLD, &request),
                MPI_ERR_COUNT);
    const int code = Hop_Iscan(list, again, 1, MPI_INT, MPI_SUM, graph, &request);
    MPI_Error_string(code, text, &length);
    CHECK(strstr(text, "not defined") != NULL);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Comm_free(&graph);
}

int main(int argc, char** argv)
{
    int p;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int ring = 1, offsets[t] = {1, -1};
    MPI_Comm cart;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, &p, &ring, t, offsets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                       &cart) == MPI_SUCCESS);
    CHECK_NULL_REQUESTS(Hop_Icart_, , NULL_REQUEST, cart);
    CHECK_NULL_REQUESTS(Hop_Cart_, _init_request, NULL_PERSISTENT, cart);
    CHECK_ERROR(Hop_Ineighbor_xchg(list, 1, MPI_INT, again, 1, MPI_INT, cart, NULL), MPI_ERR_ARG);
    CHECK_NULL_NONBLOCKING(cart);
    CHECK_NULL_NONBLOCKING(MPI_COMM_WORLD);
    CHECK_NULL_PERSISTENT(cart);
    CHECK_NULL_PERSISTENT(MPI_COMM_WORLD);
    check_graph(p);
    CHECK_REDUCTION(Hop_Cart_allreduce, NO_REQUEST, cart);
    CHECK_REDUCTION(Hop_Cart_reduce, NO_REQUEST, cart);
    CHECK_REDUCTION(Hop_Icart_allreduce, REQUEST, cart);
    CHECK_REDUCTION(Hop_Icart_reduce, REQUEST, cart);
    CHECK_REDUCTION(Hop_Cart_allreduce_init_request, PERSISTENT, cart);
    CHECK_REDUCTION(Hop_Cart_reduce_init_request, PERSISTENT, cart);
    CHECK_ERROR(Hop_Ineighbor_xchg(list, 1, MPI_INT, again, 1, MPI_INT, MPI_COMM_WORLD, &request), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Ineighbor_xchgv(list, ones, zeros, MPI_INT, again, ones, zeros, MPI_INT, MPI_COMM_WORLD, &request),
                MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Icart_shift_xchg(list, 1, MPI_INT, again, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request),
                MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Icart_shift_xchg(list, 1, MPI_INT, again, 1, MPI_INT, 1, 1, cart, &request), MPI_ERR_DIMS);
    CHECK_ERROR(Hop_Icart_shift_xchg(list, 1, MPI_INT, again, 1, MPI_INT, 0, 1, cart, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Icart_shift_xchg(list, -1, MPI_INT, again, 1, MPI_INT, 0, 1, cart, &request), MPI_ERR_COUNT);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Comm_free(&cart);
    return finish_checks();
}
