// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cartesian neighborhoods: random ones on tori, meshes and grids smaller than the communicator, all six collectives
// with their _init forms, trivial and combining, against data computed here. neighborhood SEED CASES
#include "check.h"

#include <hopscotch.h>

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
    CHECK(Hop_Cart_neighbor_find_rank(c->cart, MPI_PROC_NULL, most_neighbors, source, &in, most_neighbors, target,
                                      &out) == MPI_SUCCESS);
    CHECK(in == 0 && out == 0); // beyond a border is nobody
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

static const int three[2] = {3, 3}, ones[2] = {1, 1};
static const int moore[16] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};

// On a torus of 3x3 with all 8 neighbors: a message for each, or four rounds. Duplicates keep to it, with the weights.
static void check_keys(void)
{
    const int weights[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    int send[8] = {0}, received[8];
    for (int keys = 0; keys < 4; ++keys) {
        const int trivial = keys % 2, blocking = keys / 2;
        Hop_Counters counters;
        MPI_Info info;
        MPI_Comm cart, copy;
        MPI_Info_create(&info);
        MPI_Info_set(info, "trivial", trivial ? "true" : "false");
        MPI_Info_set(info, "blocking", blocking ? "true" : "false");
        CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, three, ones, 8, moore, weights, info, 0, &cart) ==
              MPI_SUCCESS);
        MPI_Info_free(&info);
        MPI_Comm_dup(cart, &copy);
        for (int duplicated = 0; duplicated < 2; ++duplicated) {
            const MPI_Comm comm = duplicated ? copy : cart;
            int kept[2][8] = {{0}}, ranks[2][8];
            CHECK(Hop_Cart_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, comm) == MPI_SUCCESS);
            CHECK(Hop_counters(comm, &counters) == MPI_SUCCESS && counters.messages == (trivial ? 8 : 4));
            CHECK(counters.calls == 1 && counters.native == (trivial && blocking ? 1 : 0));
            CHECK(Hop_Cart_neighbor_get(comm, 8, ranks[0], kept[0], 8, ranks[1], kept[1]) == MPI_SUCCESS);
            CHECK(memcmp(kept[0], weights, sizeof weights) == 0 && memcmp(kept[1], weights, sizeof weights) == 0);
        }
        MPI_Comm_free(&copy);
        MPI_Comm_free(&cart);
    }
}

// The messages of a process for neighbors at some offsets on a torus of its processes, if the library may combine.
static int messages_on(MPI_Comm comm, const int dims[2], int t, const int* offsets)
{
    int me, sources[8], targets[8], send[8] = {0}, received[8];
    MPI_Info info;
    MPI_Comm graph;
    Hop_Counters counters;
    MPI_Comm_rank(comm, &me);
    for (int i = 0; i < t; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            const int row = (me / dims[1] + sign * offsets[2 * i] + dims[0]) % dims[0];
            const int column = (me % dims[1] + sign * offsets[2 * i + 1] + dims[1]) % dims[1];
            (sign < 0 ? sources : targets)[i] = row * dims[1] + column;
        }
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", "combining");
    MPI_Dist_graph_create_adjacent(comm, t, sources, MPI_UNWEIGHTED, t, targets, MPI_UNWEIGHTED, info, 0, &graph);
    MPI_Info_free(&info);
    MPI_Neighbor_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, graph);
    CHECK(Hop_counters(graph, &counters) == MPI_SUCCESS);
    MPI_Comm_free(&graph);
    return (int)counters.messages;
}

// Grids of neighborhoods and of names explain graphs that are made later, even if none may be inferred.
static void check_known_grids(void)
{
    const int two_by_four[2] = {2, 4}, right[10] = {0, 1, 0, -1, 1, 0, 1, 1, 1, -1};
    int rank, size;
    MPI_Comm cart, eight;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(messages_on(MPI_COMM_WORLD, three, 8, moore) == 8);
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, three, ones, 8, moore, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                       &cart) == MPI_SUCCESS);
    MPI_Comm_free(&cart);
    CHECK(messages_on(MPI_COMM_WORLD, three, 8, moore) == 4);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 8 ? MPI_UNDEFINED : 0, rank, &eight);
    if (eight == MPI_COMM_NULL)
        return;
    CHECK(messages_on(eight, two_by_four, 5, right) == 5);
    CHECK(Hop_Cart_name(eight, 2, HOP_ROWMAJOR, two_by_four, ones, &size) == MPI_SUCCESS);
    CHECK(messages_on(eight, two_by_four, 5, right) == 3);
    MPI_Comm_free(&eight);
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
    if (p == 9 && getenv("HOPSCOTCH_INFER") != NULL)
        check_known_grids();
    if (p == 9)
        check_keys();
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
