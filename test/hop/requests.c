// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking and persistent forms of the 2019 and 2020 interfaces, and nonblocking exchanges of the 2008 proposal:
// several under way at once, completed in any order, and started in different orders on different processes. Argument
// arrays, types and operators are freed before completion. Results are those of the blocking forms. requests SEED CASES
#include "check.h"

#include <hopscotch.h>

enum { d = 2, most = 12, m = 3, calls = 8, sentinel = -77 };

static int t, me;
static int send[calls][most * m], received[calls][most * m], expected[calls][most * m];

static void fill(int turn)
{
    for (int n = 0; n < calls; ++n)
        for (int i = 0; i < most * m; ++i) {
            send[n][i] = (me * 101 + n * 7 + turn * 3) * 64 + i;
            received[n][i] = expected[n][i] = sentinel;
        }
}

// Call n in its form: 0 blocking, into `expected`; 1 nonblocking; 2 persistent.
static void call(int n, int form, MPI_Comm cart, MPI_Request* request)
{
    int* const into = form == 0 ? expected[n] : received[n];
    int counts[most], displs[most];
    MPI_Aint bytes[most];
    MPI_Datatype types[most], pair;
    MPI_Op op = MPI_SUM;
    MPI_Type_contiguous(m, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < t; ++i) {
        counts[i] = 1;
        displs[i] = i;
        bytes[i] = i * m * (MPI_Aint)sizeof(int);
        types[i] = pair;
    }
    int code = MPI_SUCCESS;
#define IN_FORM(name, ...)                                                                                             \
    (form == 0   ? Hop_Cart_##name(__VA_ARGS__, cart)                                                                  \
     : form == 1 ? Hop_Icart_##name(__VA_ARGS__, cart, request)                                                        \
                 : Hop_Cart_##name##_init_request(__VA_ARGS__, cart, MPI_INFO_NULL, request))
    switch (n) {
    case 0:
        code = IN_FORM(alltoall, send[n], 1, pair, into, m, MPI_INT);
        break;
    case 1:
        code = IN_FORM(alltoallv, send[n], counts, displs, pair, into, counts, displs, pair);
        break;
    case 2:
        code = IN_FORM(alltoallw, send[n], counts, bytes, types, into, counts, bytes, types);
        break;
    case 3:
        code = IN_FORM(allgather, send[n], m, MPI_INT, into, 1, pair);
        break;
    case 4:
        code = IN_FORM(allgatherv, send[n], 1, pair, into, counts, displs, pair);
        break;
    case 5:
        code = IN_FORM(allgatherw, send[n], 1, pair, into, counts, bytes, types);
        break;
    case 6:
        code = IN_FORM(allreduce, send[n], into, m, MPI_INT, op);
        break;
    default:
        code = IN_FORM(reduce, send[n], into, m, MPI_INT, op);
    }
#undef IN_FORM
    CHECK(code == MPI_SUCCESS);
    MPI_Type_free(&pair);
    memset(counts, 0x11, sizeof counts); // the call has read them
    memset(bytes, 0x11, sizeof bytes);
}

static void compare(void)
{
    for (int n = 0; n < calls; ++n)
        CHECK(memcmp(received[n], expected[n], sizeof received[n]) == 0);
}

static void complete(MPI_Request* requests, unsigned* seed)
{
    switch (random_in(seed, 0, 2)) {
    case 0:
        MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
        break;
    case 1:
        for (int n = calls; n-- > 0;)
            MPI_Wait(&requests[n], MPI_STATUS_IGNORE);
        break;
    default:
        for (int done = 0; done < calls;) {
            int found = MPI_UNDEFINED, flag = 0;
            MPI_Testany(calls, requests, &found, &flag, MPI_STATUS_IGNORE);
            if (flag && found == MPI_UNDEFINED)
                break; // all are
            done += flag;
        }
    }
}

static void check_neighborhood(MPI_Comm cart, unsigned* seed)
{
    MPI_Request requests[calls];
    fill(1);
    for (int n = 0; n < calls; ++n)
        call(n, 0, cart, NULL);
    const int first = random_in(seed, 0, calls - 1);
    for (int n = 0; n < calls; ++n)
        call((first + n) % calls, 1, cart, &requests[n]);
    complete(requests, seed);
    compare();

    MPI_Request lasting[calls];
    for (int n = 0; n < calls; ++n)
        call(n, 2, cart, &lasting[n]);
    for (int turn = 2; turn < 5; ++turn) {
        fill(turn);
        for (int n = 0; n < calls; ++n)
            call(n, 0, cart, NULL);
        for (int n = 0; n < calls; ++n) // not in one order
            MPI_Start(&lasting[(n + me * turn) % calls]);
        complete(lasting, seed);
        compare();
    }
    for (int n = 0; n < calls; ++n)
        MPI_Request_free(&lasting[n]);
}

// Unsigned numbers modulo 2^32; freed while the reduction is under way.
static void add(void* in, void* inout, int* length, MPI_Datatype* type)
{
    (void)type;
    for (int i = 0; i < *length; ++i)
        ((unsigned*)inout)[i] += ((const unsigned*)in)[i];
}

static void check_freed_operator(MPI_Comm cart)
{
    unsigned own = (unsigned)me * 1000u + 1u, sum = 0, by_mpi = 0;
    MPI_Op op;
    MPI_Request request;
    MPI_Op_create(add, 1, &op);
    CHECK(Hop_Cart_allreduce(&own, &by_mpi, 1, MPI_UNSIGNED, op, cart) == MPI_SUCCESS);
    CHECK(Hop_Icart_allreduce(&own, &sum, 1, MPI_UNSIGNED, op, cart, &request) == MPI_SUCCESS);
    free_operator(&op);
    CHECK(op == MPI_OP_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == by_mpi);
}

// Calls on two communicators of the same processes, the one first on some processes and the other first on others;
// more reductions at once than exchanges take turns.
static void check_side_by_side(MPI_Comm one, MPI_Comm other)
{
    enum { many = 6 };
    const MPI_Comm comms[2] = {one, other};
    MPI_Request requests[2][many + 2];
    unsigned own[2][many], sums[2][many], expected_sums[2][many];
    int sent[2], expected_sent[2];
    for (int c = 0; c < 2; ++c) {
        sent[c] = expected_sent[c] = me == 0 ? 77 + c : sentinel;
        CHECK(Hop_Bcast(&expected_sent[c], 1, MPI_INT, 0, comms[c]) == MPI_SUCCESS);
        for (int n = 0; n < many; ++n) {
            own[c][n] = (unsigned)(me * 1000 + c * 100 + n);
            sums[c][n] = expected_sums[c][n] = 5;
            CHECK(Hop_Cart_allreduce(&own[c][n], &expected_sums[c][n], 1, MPI_UNSIGNED, MPI_SUM, comms[c]) ==
                  MPI_SUCCESS);
        }
    }
    for (int turn = 0; turn < 2; ++turn) {
        const int c = (me + turn) % 2;
        for (int n = 0; n < many; ++n)
            CHECK(Hop_Icart_allreduce(&own[c][n], &sums[c][n], 1, MPI_UNSIGNED, MPI_SUM, comms[c], &requests[c][n]) ==
                  MPI_SUCCESS);
        CHECK(Hop_Ibcast(&sent[c], 1, MPI_INT, 0, comms[c], &requests[c][many]) == MPI_SUCCESS);
        CHECK(Hop_Ibarrier(comms[c], &requests[c][many + 1]) == MPI_SUCCESS);
    }
    MPI_Waitall(2 * (many + 2), requests[0], MPI_STATUSES_IGNORE);
    CHECK(memcmp(sums, expected_sums, sizeof sums) == 0 && memcmp(sent, expected_sent, sizeof sent) == 0);
}

static void check_exchange(MPI_Comm comm)
{
    int neighbors = 0;
    CHECK(Hop_Comm_neighbors_count(comm, me, &neighbors) == MPI_SUCCESS && neighbors <= most);
    int counts[most], displs[most];
    for (int i = 0; i < neighbors; ++i) {
        counts[i] = m;
        displs[i] = (neighbors - 1 - i) * m;
    }
    fill(9);
    MPI_Request requests[3];
    CHECK(Hop_Ineighbor_xchg(send[0], m, MPI_INT, received[0], m, MPI_INT, comm, &requests[0]) == MPI_SUCCESS);
    CHECK(Hop_Ineighbor_xchgv(send[1], counts, displs, MPI_INT, received[1], counts, displs, MPI_INT, comm,
                              &requests[1]) == MPI_SUCCESS);
    CHECK(Hop_Ineighbor_xchg(send[2], m, MPI_INT, received[2], m, MPI_INT, comm, &requests[2]) == MPI_SUCCESS);
    memset(counts, 0, sizeof counts);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < neighbors; ++i) {
        counts[i] = m;
        displs[i] = (neighbors - 1 - i) * m;
    }
    CHECK(Hop_Neighbor_xchg(send[0], m, MPI_INT, expected[0], m, MPI_INT, comm) == MPI_SUCCESS);
    CHECK(Hop_Neighbor_xchgv(send[1], counts, displs, MPI_INT, expected[1], counts, displs, MPI_INT, comm) ==
          MPI_SUCCESS);
    CHECK(Hop_Neighbor_xchg(send[2], m, MPI_INT, expected[2], m, MPI_INT, comm) == MPI_SUCCESS);
    for (int n = 0; n < 3; ++n)
        CHECK(memcmp(received[n], expected[n], sizeof received[n]) == 0);
}

// Argument arrays of the w forms: block i is one int at place i. They change after the call.
struct Arrays {
    int counts[most];
    MPI_Aint places[most];
    MPI_Datatype types[most];
};

static struct Arrays arrays_of(const int* buffer, int n)
{
    struct Arrays arrays;
    for (int i = 0; i < n; ++i) {
        arrays.counts[i] = 1;
        MPI_Get_address(buffer + i, &arrays.places[i]); // beyond an int
        MPI_Type_contiguous(1, MPI_INT, &arrays.types[i]);
        MPI_Type_commit(&arrays.types[i]);
    }
    return arrays;
}

static void forget(struct Arrays* arrays, int n)
{
    for (int i = 0; i < n; ++i)
        MPI_Type_free(&arrays->types[i]);
    memset(arrays, 0x11, sizeof *arrays);
}

// All processes, also those that are no neighbors.
static void check_everyone(int p, int turn, const int* from_all)
{
    for (int i = 0; i < p; ++i)
        CHECK(from_all[i] == i * 100 + me + turn);
}

#ifndef NO_PERSISTENT
static void check_persistent_collective(int p)
{
    int sent[most], from_all[most];
    struct Arrays out = arrays_of(sent, p), in = arrays_of(from_all, p);
    MPI_Request request;
    CHECK(Hop_Alltoallw_init(MPI_BOTTOM, out.counts, out.places, out.types, MPI_BOTTOM, in.counts, in.places, in.types,
                             MPI_COMM_WORLD, MPI_INFO_NULL, &request) == MPI_SUCCESS);
    forget(&out, p);
    forget(&in, p);
    for (int turn = 0; turn < 3; ++turn) {
        for (int i = 0; i < p; ++i)
            sent[i] = me * 100 + i + turn;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check_everyone(p, turn, from_all);
    }
    MPI_Request_free(&request);
}
#endif

// On a ring and its duplicate, the one first on some processes and the other first on others.
static void check_two_rings(MPI_Comm ring, int before)
{
    MPI_Comm comms[2] = {ring, MPI_COMM_NULL};
    MPI_Request requests[2][2];
    int sent[2], own[2], sums[2];
    MPI_Comm_dup(ring, &comms[1]);
    for (int c = 0; c < 2; ++c) {
        sent[c] = me == 0 ? 77 + c : sentinel;
        own[c] = 10 * me + c;
        sums[c] = sentinel;
    }
    CHECK(Hop_Barrier(comms[0]) == MPI_SUCCESS && Hop_Barrier(comms[1]) == MPI_SUCCESS);
    for (int turn = 0; turn < 2; ++turn) {
        const int c = (me + turn) % 2;
        CHECK(Hop_Ibcast(&sent[c], 1, MPI_INT, 0, comms[c], &requests[c][0]) == MPI_SUCCESS);
        CHECK(Hop_Ireduce(&own[c], &sums[c], 1, MPI_INT, MPI_SUM, 0, comms[c], &requests[c][1]) == MPI_SUCCESS);
    }
    MPI_Waitall(4, requests[0], MPI_STATUSES_IGNORE);
    for (int c = 0; c < 2; ++c) {
        CHECK(sent[c] == (me == 0 || before == 0 ? 77 + c : sentinel));
        CHECK(sums[c] == (me == 0 ? 10 * before + c : sentinel));
    }
    MPI_Comm_free(&comms[1]);
}

// Collectives of the 2020 paper on a ring and on all processes.
static void check_collectives(int p, unsigned* seed)
{
    const int before = (me + p - 1) % p, after = (me + 1) % p;
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
    int sum = sentinel, block = sentinel, wide = sentinel, root_sum = sentinel, value = me == 0 ? 42 : sentinel;
    int sent[most], from_all[most], ranks[most];
    for (int i = 0; i < p; ++i)
        sent[i] = me * 100 + i;
    MPI_Request requests[calls];
    CHECK(Hop_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, ring, &requests[0]) == MPI_SUCCESS);
    CHECK(Hop_Iallgather(&me, 1, MPI_INT, &block, 1, MPI_INT, ring, &requests[1]) == MPI_SUCCESS);
    struct Arrays in = arrays_of(&wide, 1), out;
    CHECK(Hop_Iallgatherw(&me, 1, MPI_INT, MPI_BOTTOM, in.counts, in.places, in.types, ring, &requests[2]) ==
          MPI_SUCCESS);
    forget(&in, 1);
    in = arrays_of(from_all, p);
    out = arrays_of(sent, p);
    CHECK(Hop_Ialltoallw(MPI_BOTTOM, out.counts, out.places, out.types, MPI_BOTTOM, in.counts, in.places, in.types,
                         MPI_COMM_WORLD, &requests[3]) == MPI_SUCCESS);
    forget(&in, p);
    forget(&out, p);
    CHECK(Hop_Ibcast(&value, 1, MPI_INT, 0, ring, &requests[4]) == MPI_SUCCESS);
    CHECK(Hop_Ibarrier(ring, &requests[5]) == MPI_SUCCESS);
    in = arrays_of(ranks, p);
    CHECK(Hop_Iallgatherw(&me, 1, MPI_INT, MPI_BOTTOM, in.counts, in.places, in.types, MPI_COMM_WORLD, &requests[6]) ==
          MPI_SUCCESS);
    forget(&in, p);
    CHECK(Hop_Ireduce(&me, &root_sum, 1, MPI_INT, MPI_SUM, 0, ring, &requests[7]) == MPI_SUCCESS);
    complete(requests, seed);
    CHECK(sum == before && block == before && wide == before && root_sum == (me == 0 ? before : sentinel));
    CHECK(value == (me == 0 || before == 0 ? 42 : sentinel));
    check_everyone(p, 0, from_all);
    for (int i = 0; i < p; ++i)
        CHECK(ranks[i] == i);
    check_two_rings(ring, before);
    MPI_Comm_free(&ring);
#ifndef NO_PERSISTENT
    check_persistent_collective(p);
#endif
}

static void check_errors(MPI_Comm cart)
{
    int one = 1, other = 2;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_ERROR(Hop_Icart_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, cart, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Icart_alltoall(send, -1, MPI_INT, received, 1, MPI_INT, cart, &request), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Icart_allgather(&one, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD, &request),
                MPI_ERR_TOPOLOGY);
    CHECK_ERROR(
        Hop_Cart_alltoall_init_request(MPI_IN_PLACE, 1, MPI_INT, received, 1, MPI_INT, cart, MPI_INFO_NULL, &request),
        MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Cart_allreduce(&one, &other, -1, MPI_INT, MPI_SUM, cart), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Cart_allreduce(&one, &other, 1, MPI_DATATYPE_NULL, MPI_SUM, cart), MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Cart_allreduce(&one, &other, 1, MPI_INT, MPI_OP_NULL, cart), MPI_ERR_OP);
    CHECK_ERROR(Hop_Cart_allreduce(&one, &other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_reduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_SUM, cart), MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Icart_reduce(&one, &other, 1, MPI_INT, MPI_SUM, cart, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Ineighbor_xchg(send, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD, &request), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Ineighbor_xchg(send, 1, MPI_INT, received, 1, MPI_INT, cart, NULL), MPI_ERR_ARG);
    CHECK(request == MPI_REQUEST_NULL && other == 2);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    const int cases = argc > 2 ? atoi(argv[2]) : 8;
    const char* const algorithms[] = {"auto", "combining", "trivial", "merged", "shared"};
    int p = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int n = 0; n < cases; ++n) {
        int dims[d] = {0, 0}, offsets[most * d];
        const int periods[d] = {random_in(&seed, 0, 2) > 0, random_in(&seed, 0, 2) > 0};
        MPI_Dims_create(p, d, dims);
        t = random_in(&seed, 0, most);
        for (int i = 0; i < t * d; ++i)
            offsets[i] = random_in(&seed, -2, 2);
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "hopscotch_algorithm", algorithms[n % 5]);
        MPI_Comm cart, copy;
        CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, d, dims, periods, t, offsets, MPI_UNWEIGHTED, info, 0,
                                           &cart) == MPI_SUCCESS);
        MPI_Info_free(&info);
        MPI_Comm_rank(cart, &me);
        check_neighborhood(cart, &seed);
        check_freed_operator(cart);
        check_errors(cart);
        MPI_Comm_dup(cart, &copy);
        check_side_by_side(cart, copy);
        MPI_Comm_free(&cart);
        check_neighborhood(copy, &seed);
        check_exchange(copy);
        check_collectives(p, &seed);
        MPI_Comm_free(&copy);
    }
    return finish_checks();
}
