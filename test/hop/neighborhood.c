// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cartesian neighborhoods: random ones on tori, meshes and grids smaller than the communicator, all six collectives
// with their _init forms, trivial and combining, against data computed here. neighborhood SEED CASES
#include "check.h"

#include <hopscotch.h>

#include <stdlib.h>
#include <string.h>

enum { most_dimensions = 4, most_neighbors = 20, most_elements = 5, sentinel = -77 };

struct Case {
    int d, t, size;
    int dims[most_dimensions], periods[most_dimensions];
    int offsets[most_neighbors * most_dimensions];
    int counts[most_neighbors];
    MPI_Comm cart;
    int rank;
};

static int element(int rank, int block, int k, int turn)
{
    return ((rank * 101 + block) * 17 + k) * 7 + turn;
}

// The rank at sign * offset i from here, without asking the library: MPI_PROC_NULL beyond a border.
static int peer(const struct Case* c, int i, int sign)
{
    int rest = c->rank;
    int there[most_dimensions];
    for (int k = c->d - 1; k >= 0; --k) {
        there[k] = rest % c->dims[k];
        rest /= c->dims[k];
    }
    int rank = 0;
    for (int k = 0; k < c->d; ++k) {
        int at = there[k] + sign * c->offsets[i * c->d + k];
        if (c->periods[k])
            at = (at % c->dims[k] + c->dims[k]) % c->dims[k];
        if (at < 0 || at >= c->dims[k])
            return MPI_PROC_NULL;
        rank = rank * c->dims[k] + at;
    }
    return rank;
}

// Receive buffers have most_elements + 1 places per block, the last one a gap that must keep its sentinel.
enum { stride = most_elements + 1 };

static void check_block(const struct Case* c, const int* block, int i, int count, int from_block, int turn)
{
    const int source = peer(c, i, -1);
    for (int k = 0; k < stride; ++k) {
        const int expected = source == MPI_PROC_NULL || k >= count ? sentinel : element(source, from_block, k, turn);
        CHECK(block[k] == expected);
    }
}

static void wipe(int* buffer)
{
    for (int i = 0; i < most_neighbors * stride; ++i)
        buffer[i] = sentinel;
}

static void run_regular(const struct Case* c, int count, int gather, int turn)
{
    int send[most_neighbors * most_elements], received[most_neighbors * stride], spread[most_neighbors * stride];
    for (int i = 0; i < c->t; ++i)
        for (int k = 0; k < count; ++k)
            send[i * count + k] = element(c->rank, gather ? 0 : i, k, turn);
    wipe(received);
    wipe(spread);
    if (gather) {
        if (turn % 2 == 0)
            CHECK(Hop_Cart_allgather_init(send, count, MPI_INT, received, count, MPI_INT, c->cart) == MPI_SUCCESS);
        CHECK(Hop_Cart_allgather(send, count, MPI_INT, received, count, MPI_INT, c->cart) == MPI_SUCCESS);
    } else {
        if (turn % 2 == 0)
            CHECK(Hop_Cart_alltoall_init(send, count, MPI_INT, received, count, MPI_INT, c->cart) == MPI_SUCCESS);
        CHECK(Hop_Cart_alltoall(send, count, MPI_INT, received, count, MPI_INT, c->cart) == MPI_SUCCESS);
    }
    for (int i = 0; i < c->t; ++i) {
        memcpy(spread + i * stride, received + i * count, (size_t)count * sizeof(int));
        check_block(c, spread + i * stride, i, count, gather ? 0 : i, turn);
    }
    for (int i = c->t * count; i < most_neighbors * stride; ++i)
        CHECK(received[i] == sentinel);
}

static void run_v(const struct Case* c, int gather, int turn)
{
    int send[most_neighbors * stride], received[most_neighbors * stride];
    int senddispls[most_neighbors], recvdispls[most_neighbors], equal[most_neighbors];
    for (int i = 0; i < c->t; ++i) {
        senddispls[i] = i * stride;
        recvdispls[i] = (c->t - 1 - i) * stride; // not in order
        equal[i] = 3;
        for (int k = 0; k < most_elements; ++k)
            send[i * stride + k] = element(c->rank, gather ? 0 : i, k, turn);
    }
    wipe(received);
    if (gather) {
        CHECK(Hop_Cart_allgatherv_init(send, 3, MPI_INT, received, equal, recvdispls, MPI_INT, c->cart) == MPI_SUCCESS);
        CHECK(Hop_Cart_allgatherv(send, 3, MPI_INT, received, equal, recvdispls, MPI_INT, c->cart) == MPI_SUCCESS);
    } else {
        CHECK(Hop_Cart_alltoallv_init(send, c->counts, senddispls, MPI_INT, received, c->counts, recvdispls, MPI_INT,
                                      c->cart) == MPI_SUCCESS);
        CHECK(Hop_Cart_alltoallv(send, c->counts, senddispls, MPI_INT, received, c->counts, recvdispls, MPI_INT,
                                 c->cart) == MPI_SUCCESS);
    }
    for (int i = 0; i < c->t; ++i)
        check_block(c, received + recvdispls[i], i, gather ? 3 : c->counts[i], gather ? 0 : i, turn);
}

// Received as a column of a matrix: elements `most_neighbors` apart.
static void run_w(const struct Case* c, int gather, int turn)
{
    int send[most_neighbors * stride], columns[stride * most_neighbors];
    int ones[most_neighbors];
    MPI_Aint senddispls[most_neighbors], recvdispls[most_neighbors];
    MPI_Datatype sendtypes[most_neighbors], recvtypes[most_neighbors], column;
    MPI_Type_vector(3, 1, most_neighbors, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < c->t; ++i) {
        ones[i] = 1;
        senddispls[i] = (MPI_Aint)(i * stride) * (MPI_Aint)sizeof(int);
        recvdispls[i] = i * (MPI_Aint)sizeof(int);
        sendtypes[i] = MPI_INT;
        recvtypes[i] = column;
        for (int k = 0; k < most_elements; ++k)
            send[i * stride + k] = element(c->rank, gather ? 0 : i, k, turn);
    }
    int threes[most_neighbors];
    for (int i = 0; i < c->t; ++i)
        threes[i] = 3;
    wipe(columns);
    if (gather) {
        CHECK(Hop_Cart_allgatherw_init(send, 3, MPI_INT, columns, ones, recvdispls, recvtypes, c->cart) == MPI_SUCCESS);
        CHECK(Hop_Cart_allgatherw(send, 3, MPI_INT, columns, ones, recvdispls, recvtypes, c->cart) == MPI_SUCCESS);
    } else {
        CHECK(Hop_Cart_alltoallw_init(send, threes, senddispls, sendtypes, columns, ones, recvdispls, recvtypes,
                                      c->cart) == MPI_SUCCESS);
        CHECK(Hop_Cart_alltoallw(send, threes, senddispls, sendtypes, columns, ones, recvdispls, recvtypes, c->cart) ==
              MPI_SUCCESS);
    }
    for (int i = 0; i < c->t; ++i) {
        int row[stride];
        for (int k = 0; k < stride; ++k)
            row[k] = columns[k * most_neighbors + i];
        check_block(c, row, i, 3, gather ? 0 : i, turn);
    }
    MPI_Type_free(&column);
}

static void check_queries(const struct Case* c)
{
    int t = -1, indegree = 0, outdegree = 0, source[most_neighbors], target[most_neighbors];
    int offsets[most_neighbors * most_dimensions];
    CHECK(Hop_Cart_neighbor_count(c->cart, &t) == MPI_SUCCESS && t == c->t);
    CHECK(Hop_Cart_neighbor_degrees(c->cart, &indegree, &outdegree) == MPI_SUCCESS);
    CHECK(Hop_Cart_neighbor_get(c->cart, most_neighbors, source, MPI_UNWEIGHTED, most_neighbors, target,
                                MPI_UNWEIGHTED) == MPI_SUCCESS);
    CHECK(Hop_Cart_neighbor_get_relative(c->cart, most_neighbors, offsets, NULL) == MPI_SUCCESS);
    CHECK(memcmp(offsets, c->offsets, (size_t)(c->t * c->d) * sizeof(int)) == 0);
    if (indegree > 0 && outdegree > 0) { // room for one less
        int few[2][most_neighbors];
        few[0][indegree - 1] = few[1][outdegree - 1] = -77;
        CHECK(Hop_Cart_neighbor_get(c->cart, indegree - 1, few[0], NULL, outdegree - 1, few[1], NULL) == MPI_SUCCESS);
        CHECK(few[0][indegree - 1] == -77 && few[1][outdegree - 1] == -77);
        offsets[(c->t - 1) * c->d] = -77;
        CHECK(Hop_Cart_neighbor_get_relative(c->cart, c->t - 1, offsets, NULL) == MPI_SUCCESS);
        CHECK(offsets[(c->t - 1) * c->d] == -77);
    }
    int in = 0, out = 0;
    for (int i = 0; i < c->t; ++i) {
        int inrank = -5, outrank = -5, rank = -5;
        CHECK(Hop_Cart_relative_shift(c->cart, c->offsets + i * c->d, &inrank, &outrank) == MPI_SUCCESS);
        CHECK(Hop_Cart_relative_rank(c->cart, c->offsets + i * c->d, &rank) == MPI_SUCCESS);
        CHECK(inrank == peer(c, i, -1) && outrank == peer(c, i, 1) && rank == outrank);
        if (inrank != MPI_PROC_NULL)
            CHECK(source[in++] == inrank);
        if (outrank == MPI_PROC_NULL)
            continue;
        CHECK(target[out++] == outrank);
        int relative[most_dimensions], back = -5;
        CHECK(Hop_Cart_relative_coord(c->cart, outrank, relative) == MPI_SUCCESS);
        CHECK(Hop_Cart_relative_rank(c->cart, relative, &back) == MPI_SUCCESS && back == outrank);
        int positions[most_neighbors], more[most_neighbors], inmult = 0, outmult = 0, found = 0;
        CHECK(Hop_Cart_neighbor_find_rank(c->cart, outrank, most_neighbors, more, &inmult, most_neighbors, positions,
                                          &outmult) == MPI_SUCCESS);
        for (int j = 0; j < outmult; ++j)
            found |= positions[j] == i;
        CHECK(found);
        CHECK(Hop_Cart_neighbor_find_coord(c->cart, c->offsets + i * c->d, 0, NULL, &inmult, 0, NULL, &found) ==
                  MPI_SUCCESS &&
              found == outmult);
    }
    CHECK(in == indegree && out == outdegree);
}

static void make_case(struct Case* c, unsigned* seed, int p)
{
    c->d = random_in(seed, 1, most_dimensions);
    c->size = 1;
    for (int k = 0; k < c->d; ++k) {
        c->dims[k] = random_in(seed, 1, p / c->size < 4 ? p / c->size : 4);
        c->periods[k] = random_in(seed, 0, 2) > 0;
        c->size *= c->dims[k];
    }
    c->t = random_in(seed, 0, most_neighbors);
    const int reach = random_in(seed, 1, 3);
    const int least = random_in(seed, 0, 1) ? 0 : -reach; // 0: the neighborhoods the published allgather gets wrong
    for (int i = 0; i < c->t; ++i) {
        c->counts[i] = random_in(seed, 0, most_elements);
        for (int k = 0; k < c->d; ++k)
            c->offsets[i * c->d + k] = random_in(seed, least, reach);
    }
}

// On a torus of 3x3 with all 8 neighbors: a message for each, or four rounds.
static void check_trivial_key(void)
{
    const int three[2] = {3, 3}, ones[2] = {1, 1};
    const int offsets[16] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    int send[8] = {0}, received[8];
    for (int trivial = 0; trivial < 2; ++trivial) {
        Hop_Counters counters;
        MPI_Info info;
        MPI_Comm cart;
        MPI_Info_create(&info);
        MPI_Info_set(info, "trivial", trivial ? "true" : "false");
        CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, three, ones, 8, offsets, MPI_UNWEIGHTED, info, 0,
                                           &cart) == MPI_SUCCESS);
        MPI_Info_free(&info);
        CHECK(Hop_Cart_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, cart) == MPI_SUCCESS);
        CHECK(Hop_counters(cart, &counters) == MPI_SUCCESS && counters.messages == (trivial ? 8 : 4));
        MPI_Comm_free(&cart);
    }
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    const int cases = argc > 2 ? atoi(argv[2]) : 40;
    const char* const keys[][2] = {
        {NULL, NULL}, {"trivial", "false"}, {"trivial", "true"}, {"hopscotch_algorithm", "merged"}};
    int p = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (p == 9)
        check_trivial_key();
    for (int n = 0; n < cases; ++n) {
        struct Case c;
        make_case(&c, &seed, p);
        MPI_Info info = MPI_INFO_NULL;
        const char* const* const key = keys[n % 4];
        if (key[0] != NULL) {
            MPI_Info_create(&info);
            MPI_Info_set(info, key[0], key[1]);
            if (n % 8 > 3)
                MPI_Info_set(info, "blocking", "true");
        }
        CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, c.d, c.dims, c.periods, c.t, c.offsets, MPI_UNWEIGHTED, info,
                                           n % 2, &c.cart) == MPI_SUCCESS);
        if (info != MPI_INFO_NULL)
            MPI_Info_free(&info);
        if (c.cart == MPI_COMM_NULL)
            continue; // beyond the grid
        MPI_Comm_rank(c.cart, &c.rank);
        if (n % 5 == 4) { // duplicates have the neighborhood, also after the original has been freed
            MPI_Comm original = c.cart;
            MPI_Comm_dup(original, &c.cart);
            MPI_Comm_free(&original);
        }
        check_queries(&c);
        for (int turn = 0; turn < 3; ++turn) {
            for (int gather = 0; gather < 2; ++gather) {
                run_regular(&c, 1 + turn, gather, turn); // another count each time
                run_v(&c, gather, turn);
                run_w(&c, gather, turn);
            }
        }
        CHECK(Hop_Cart_alltoall_free(c.cart) == MPI_SUCCESS && Hop_Cart_allgather_free(c.cart) == MPI_SUCCESS);
        MPI_Comm_free(&c.cart);
    }
    return finish_checks();
}
