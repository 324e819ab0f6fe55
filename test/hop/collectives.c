// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Collectives on random distributed graphs, with parallel edges, edges to itself and processes without neighbors,
// against their definitions; on other communicators against MPI. In all forms: blocking, nonblocking, persistent. With
// BY_MPI_NAMES the program knows nothing of Hopscotch and is run under HOPSCOTCH_SEMANTICS=orthogonal, with large
// counts, too. collectives SEED CASES KINDS
#include "check.h"

#include "forms.h"

#define Hop(name) form_##name

enum { most = 64, m = 3, sentinel = -77 };

static int p, me;
static int edges[most][most]; // number of edges from, to
static int sources[most * 4], targets[most * 4], s, t;
static int turn;
static int kinds = 5; // without MPI_Neighbor_alltoallw 4: that of MPICH 4.0.2 takes numbers of sources for targets

static int value(int rank, int block, int k)
{
    return ((rank * 31 + block) * 7 + k) * 3 + turn;
}

static MPI_Comm random_graph(unsigned* seed)
{
    for (int from = 0; from < p; ++from)
        for (int to = 0; to < p; ++to) {
            const int draw = random_in(seed, 0, 9);
            edges[from][to] = draw < 5 ? 0 : draw < 8 ? 1 : draw - 7;
        }
    const int alone = random_in(seed, 0, p - 1); // sends to nobody
    for (int to = 0; to < p; ++to)
        edges[alone][to] = 0;
    s = t = 0;
    for (int i = 0; i < p; ++i) { // sources from the top, targets from here on
        for (int n = 0; n < edges[p - 1 - i][me]; ++n)
            sources[s++] = p - 1 - i;
        for (int n = 0; n < edges[me][(me + i) % p]; ++n)
            targets[t++] = (me + i) % p;
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, s, sources, MPI_UNWEIGHTED, t, targets, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    return graph;
}

static void wipe(int* buffer, int n)
{
    for (int i = 0; i < n; ++i)
        buffer[i] = sentinel;
}

static void check_rooted(MPI_Comm graph, int root)
{
    static int send[most * 4 * m], received[most * 4 * (m + 1)];
    int counts[most * 4], displs[most * 4];
    wipe(received, m);
    if (me == root)
        for (int k = 0; k < m; ++k)
            received[k] = value(root, 0, k);
    CHECK(Hop(Bcast)(received, m, own_int, root, graph) == MPI_SUCCESS);
    for (int k = 0; k < m; ++k)
        CHECK(received[k] == (edges[root][me] || me == root ? value(root, 0, k) : sentinel));

    for (int k = 0; k < m; ++k)
        send[k] = value(me, 0, k);
    wipe(received, most * 4 * (m + 1));
    CHECK(Hop(Gather)(send, m, own_int, received, m, own_int, root, graph) == MPI_SUCCESS);
    for (int i = 0; i < most * 4; ++i)
        for (int k = 0; k < m; ++k)
            CHECK(received[i * m + k] == (me == root && i < s ? value(sources[i], 0, k) : sentinel));
    wipe(received, most * 4 * (m + 1)); // the root's own blocks stay
    CHECK(Hop(Gather)(me == root ? MPI_IN_PLACE : send, m, own_int, received, m, own_int, root, graph) == MPI_SUCCESS);
    for (int i = 0; i < s; ++i)
        for (int k = 0; k < m; ++k)
            CHECK(received[i * m + k] == (me == root && sources[i] != me ? value(sources[i], 0, k) : sentinel));

    wipe(received, most * 4 * (m + 1));
    for (int i = 0; i < s; ++i) {
        counts[i] = m;
        displs[i] = (s - 1 - i) * (m + 1);
    }
    CHECK(Hop(Gatherv)(send, m, own_int, received, counts, displs, own_int, root, graph) == MPI_SUCCESS);
    for (int i = 0; me == root && i < s; ++i) {
        for (int k = 0; k < m; ++k)
            CHECK(received[displs[i] + k] == value(sources[i], 0, k));
        CHECK(received[displs[i] + m] == sentinel);
    }
    CHECK(me == root || received[0] == sentinel);

    // The last of parallel edges stays: the block of the root's last edge to this process.
    int last = -1;
    if (edges[root][me] > 0) {
        int position = 0;
        for (int i = 0; i < p; ++i)
            for (int n = 0; n < edges[root][(root + i) % p]; ++n, ++position)
                last = (root + i) % p == me ? position : last;
    }
    for (int i = 0; i < t; ++i) {
        counts[i] = m;
        displs[i] = i * m;
        for (int k = 0; k < m; ++k)
            send[i * m + k] = value(me, i, k);
    }
    for (int which = 0; which < 4; ++which) {
        const int stays = which / 2 == 1 && me == root;
        void* const into = stays ? MPI_IN_PLACE : received;
        wipe(received, m + 1);
        if (which % 2 == 1)
            CHECK(Hop(Scatterv)(send, counts, displs, own_int, into, m, own_int, root, graph) == MPI_SUCCESS);
        else
            CHECK(Hop(Scatter)(send, m, own_int, into, m, own_int, root, graph) == MPI_SUCCESS);
        for (int k = 0; k < m; ++k)
            CHECK(received[k] == (last >= 0 && !stays ? value(root, last, k) : sentinel));
        CHECK(received[m] == sentinel);
    }

    long sums[m], expected[m] = {0};
    for (int i = 0; i < s; ++i)
        for (int k = 0; k < m; ++k)
            expected[k] += value(sources[i], 0, k);
    long own[m];
    for (int k = 0; k < m; ++k) {
        own[k] = value(me, 0, k);
        sums[k] = sentinel;
    }
    CHECK(Hop(Reduce)(own, sums, m, own_long, own_sum, root, graph) == MPI_SUCCESS);
    for (int k = 0; k < m; ++k)
        CHECK(sums[k] == (me == root && s > 0 ? expected[k] : sentinel));
    if (me == root)
        memcpy(sums, own, sizeof own);
    CHECK(Hop(Reduce)(me == root ? MPI_IN_PLACE : own, sums, m, MPI_LONG, MPI_SUM, root, graph) == MPI_SUCCESS);
    for (int k = 0; k < m; ++k)
        CHECK(me != root || sums[k] == (s > 0 ? expected[k] : own[k]));
}

// Does not commute: a pair (a, b) stands for x -> a x + b.
static void compose(void* in, void* inout, int* length, MPI_Datatype* type)
{
    (void)type;
    const unsigned* first = in;
    unsigned* second = inout;
    for (int i = 0; i < *length; ++i) {
        second[2 * i + 1] += second[2 * i] * first[2 * i + 1];
        second[2 * i] *= first[2 * i];
    }
}

static void check_reductions(MPI_Comm graph)
{
    long own[m], sums[m], expected[m] = {0};
    for (int k = 0; k < m; ++k) {
        own[k] = value(me, 0, k);
        sums[k] = sentinel;
        for (int i = 0; i < s; ++i)
            expected[k] += value(sources[i], 0, k);
    }
    CHECK(Hop(Allreduce)(own, sums, m, own_long, own_sum, graph) == MPI_SUCCESS);
    for (int k = 0; k < m; ++k)
        CHECK(sums[k] == (s > 0 ? expected[k] : sentinel));
    memcpy(sums, own, sizeof own);
    CHECK(Hop(Allreduce)(MPI_IN_PLACE, sums, m, MPI_LONG, MPI_SUM, graph) == MPI_SUCCESS);
    for (int k = 0; k < m; ++k)
        CHECK(sums[k] == (s > 0 ? expected[k] : own[k]));

    // In list order, with a type of gaps and an operator that does not commute.
    MPI_Datatype pair, spaced;
    MPI_Op op;
    MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
    MPI_Type_create_resized(pair, 0, 8, &spaced);
    MPI_Type_commit(&spaced);
    MPI_Op_create(compose, 0, &op);
    unsigned map[2] = {(unsigned)(2 * me + 3), (unsigned)(me + turn)}, result[2] = {0, 0}, folded[2] = {1, 0};
    for (int i = 0; i < s; ++i) { // ((x_0 x_1) x_2) ...
        const unsigned next[2] = {(unsigned)(2 * sources[i] + 3), (unsigned)(sources[i] + turn)};
        folded[1] = next[1] + next[0] * folded[1];
        folded[0] = next[0] * folded[0];
    }
    CHECK(Hop(Allreduce)(map, result, 1, spaced, op, graph) == MPI_SUCCESS);
    CHECK(s == 0 || (result[0] == folded[0] && result[1] == folded[1]));
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    MPI_Type_free(&spaced);

    // A predefined type with a hole at its end.
    struct {
        double value;
        int index;
    } mine = {me * 1.5, me}, best = {-1, -1};
    int winner = -1;
    for (int i = 0; i < s; ++i)
        winner = sources[i] > winner ? sources[i] : winner;
    CHECK(Hop(Allreduce)(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, graph) == MPI_SUCCESS);
    CHECK(best.index == winner && (s == 0 || best.value == winner * 1.5));
}

static void check_all(MPI_Comm graph)
{
    static int send[most * 4 * m], received[most * 4 * m], by_mpi[most * 4 * m];
    int counts[most * 4], senddispls[most * 4], recvdispls[most * 4];
    Displacement sendbytes[most * 4], recvbytes[most * 4];
    MPI_Aint sendaddresses[most * 4], recvaddresses[most * 4];
    MPI_Datatype types[most * 4];
    for (int i = 0; i < most * 4; ++i) {
        counts[i] = m;
        senddispls[i] = recvdispls[i] = i * m;
        sendbytes[i] = recvbytes[i] = (Displacement)(i * m) * (Displacement)sizeof(int);
        sendaddresses[i] = recvaddresses[i] = i * m * (MPI_Aint)sizeof(int);
        for (int k = 0; k < m; ++k)
            send[i * m + k] = value(me, i, k);
    }
    for (int kind = 0; kind < kinds; ++kind) {
        wipe(received, most * 4 * m);
        wipe(by_mpi, most * 4 * m);
        for (int i = 0; i < most * 4; ++i)
            types[i] = own_int;
        switch (kind) {
        case 0:
            CHECK(Hop(Allgather)(send, m, own_int, received, m, own_int, graph) == MPI_SUCCESS);
            MPI_Neighbor_allgather(send, m, own_int, by_mpi, m, own_int, graph);
            break;
        case 1:
            CHECK(Hop(Allgatherv)(send, m, own_int, received, counts, recvdispls, own_int, graph) == MPI_SUCCESS);
            MPI_Neighbor_allgatherv(send, m, own_int, by_mpi, counts, recvdispls, own_int, graph);
            break;
        case 2:
            CHECK(Hop(Alltoall)(send, m, own_int, received, m, own_int, graph) == MPI_SUCCESS);
            MPI_Neighbor_alltoall(send, m, own_int, by_mpi, m, own_int, graph);
            break;
        case 3:
            CHECK(Hop(Alltoallv)(send, counts, senddispls, own_int, received, counts, recvdispls, own_int, graph) ==
                  MPI_SUCCESS);
            MPI_Neighbor_alltoallv(send, counts, senddispls, own_int, by_mpi, counts, recvdispls, own_int, graph);
            break;
        default:
            CHECK(Hop(Alltoallw)(send, counts, sendbytes, types, received, counts, recvbytes, types, graph) ==
                  MPI_SUCCESS);
            for (int i = 0; i < most * 4; ++i)
                types[i] = own_int;
            MPI_Neighbor_alltoallw(send, counts, sendaddresses, types, by_mpi, counts, recvaddresses, types, graph);
        }
        CHECK(memcmp(received, by_mpi, sizeof received) == 0);
        for (int i = 0; kind < 2 && i < s; ++i)
            for (int k = 0; k < m; ++k)
                CHECK(received[i * m + k] == value(sources[i], 0, k));
    }
#ifndef BY_MPI_NAMES
    wipe(received, most * 4 * m);
    for (int i = 0; i < s; ++i) {
        recvaddresses[i] = (s - 1 - i) * m * (MPI_Aint)sizeof(int);
        types[i] = own_int;
    }
    CHECK(Hop(Allgatherw)(send, m, own_int, received, counts, recvaddresses, types, graph) == MPI_SUCCESS);
    for (int i = 0; i < s; ++i)
        for (int k = 0; k < m; ++k)
            CHECK(received[(s - 1 - i) * m + k] == value(sources[i], 0, k));
#endif
}

static void check_undefined(MPI_Comm graph)
{
    int one = 1, result[most] = {0}, counts[most * 4] = {0}, length = 0;
    char text[MPI_MAX_ERROR_STRING];
    for (int i = 0; i < p; ++i)
        counts[i] = 1;
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
    const int codes[] = {Hop(Scan)(&one, result, 1, MPI_INT, MPI_SUM, graph),
                         Hop(Exscan)(&one, result, 1, MPI_INT, MPI_SUM, graph),
                         Hop(Reduce_scatter_block)(counts, result, 1, MPI_INT, MPI_SUM, graph),
                         Hop(Reduce_scatter)(counts, result, counts, MPI_INT, MPI_SUM, graph)};
    for (int i = 0; i < 4; ++i) {
        CHECK(codes[i] != MPI_SUCCESS);
        MPI_Error_string(codes[i], text, &length);
        CHECK(strstr(text, "not defined") != NULL);
    }
    CHECK_ERROR(Hop(Bcast)(result, 1, MPI_INT, p, graph), MPI_ERR_ROOT);
    CHECK_ERROR(Hop(Gather)(result, 1, MPI_INT, result, 1, MPI_INT, -1, graph), MPI_ERR_ROOT);
    CHECK_ERROR(Hop(Scatter)(result, 1, MPI_INT, result, 1, MPI_INT, p, graph), MPI_ERR_ROOT);
    CHECK_ERROR(Hop(Reduce)(result, result + 1, 1, MPI_INT, MPI_SUM, p, graph), MPI_ERR_ROOT);
    CHECK_ERROR(Hop(Bcast)(result, -1, MPI_INT, 0, graph), MPI_ERR_COUNT);
    CHECK_ERROR(Hop(Allreduce)(result, result + 1, -1, MPI_INT, MPI_SUM, graph), MPI_ERR_COUNT);
    CHECK_ERROR(Hop(Allreduce)(result, result + 1, 1, MPI_DATATYPE_NULL, MPI_SUM, graph), MPI_ERR_TYPE);
    CHECK_ERROR(Hop(Allreduce)(result, result + 1, 1, MPI_INT, MPI_OP_NULL, graph), MPI_ERR_OP);
}

#ifdef BY_MPI_NAMES
// MPI_Comm_idup lets processes agree on nothing: nor does a nonblocking call before the first blocking one.
static void check_idup(MPI_Comm graph)
{
    MPI_Comm copy;
    MPI_Request request;
    MPI_Comm_idup(graph, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_Ibarrier(copy, &request), MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK(request == MPI_REQUEST_NULL);
    CHECK(MPI_Barrier(copy) == MPI_SUCCESS);
    CHECK(MPI_Ibarrier(copy, &request) == MPI_SUCCESS);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
}

// In the others they agree, so that a nonblocking call may be the first one.
static void check_duplicates(MPI_Comm graph)
{
    for (int with_info = 0; with_info < 2; ++with_info) {
        MPI_Comm copy;
        MPI_Request request = MPI_REQUEST_NULL;
        if (with_info)
            MPI_Comm_dup_with_info(graph, MPI_INFO_NULL, &copy);
        else
            MPI_Comm_dup(graph, &copy);
        MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
        CHECK(MPI_Ibarrier(copy, &request) == MPI_SUCCESS);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
    }
}
#endif

// The rules of MPI, on communicators without a graph: plain, Cartesian, between groups.
static void check_elsewhere(MPI_Comm comm, int peers)
{
    int one = 1, all[most], sum = 0, send[most];
    CHECK(Hop(Barrier)(comm) == MPI_SUCCESS);
    CHECK(Hop(Allreduce)(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == peers);
    CHECK(Hop(Allgather)(&one, 1, MPI_INT, all, 1, MPI_INT, comm) == MPI_SUCCESS && all[peers - 1] == 1);
    for (int i = 0; i < peers; ++i)
        send[i] = me * most + i;
    CHECK(Hop(Alltoall)(send, 1, MPI_INT, all, 1, MPI_INT, comm) == MPI_SUCCESS);
#ifndef BY_MPI_NAMES
    int counts[most], again[most];
    MPI_Aint displs[most];
    MPI_Datatype types[most];
    for (int i = 0; i < peers; ++i) {
        counts[i] = 1;
        displs[i] = i * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
    }
    CHECK(Hop(Alltoallw)(send, counts, displs, types, again, counts, displs, types, comm) == MPI_SUCCESS);
    CHECK(memcmp(all, again, (size_t)peers * sizeof(int)) == 0);
    CHECK(Hop(Allgatherw)(&me, 1, MPI_INT, again, counts, displs, types, comm) == MPI_SUCCESS);
    MPI_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, comm);
    CHECK(memcmp(all, again, (size_t)peers * sizeof(int)) == 0);
#endif
}

// Those that mean ranks: each has a result of its own.
static void check_by_rank(MPI_Comm comm)
{
    const int last = p - 1;
    int send[most], received[most], counts[most], displs[most], value = me == last ? 42 : 0;
    for (int i = 0; i < p; ++i) {
        counts[i] = 1;
        displs[i] = p - 1 - i;
        send[i] = 100 * me + i;
    }
    CHECK(Hop(Bcast)(&value, 1, own_int, last, comm) == MPI_SUCCESS && value == 42);
    wipe(received, most);
    CHECK(Hop(Gather)(send, 1, own_int, received, 1, own_int, last, comm) == MPI_SUCCESS);
    for (int i = 0; i < p; ++i)
        CHECK(received[i] == (me == last ? 100 * i : sentinel));
    CHECK(Hop(Gatherv)(send, 1, own_int, received, counts, displs, own_int, last, comm) == MPI_SUCCESS);
    for (int i = 0; i < p; ++i)
        CHECK(received[p - 1 - i] == (me == last ? 100 * i : sentinel));
    CHECK(Hop(Scatter)(send, 1, own_int, received, 1, own_int, last, comm) == MPI_SUCCESS);
    CHECK(received[0] == 100 * last + me);
    CHECK(Hop(Scatterv)(send, counts, displs, own_int, received, 1, own_int, last, comm) == MPI_SUCCESS);
    CHECK(received[0] == 100 * last + p - 1 - me);
    CHECK(Hop(Allgatherv)(send, 1, own_int, received, counts, displs, own_int, comm) == MPI_SUCCESS);
    for (int i = 0; i < p; ++i)
        CHECK(received[p - 1 - i] == 100 * i);
    CHECK(Hop(Alltoallv)(send, counts, displs, own_int, received, counts, displs, own_int, comm) == MPI_SUCCESS);
    for (int i = 0; i < p; ++i)
        CHECK(received[p - 1 - i] == 100 * i + p - 1 - me);
    long own[most], result = sentinel;
    const long all = (long)p * (p - 1) / 2, before = (long)me * (me - 1) / 2;
    for (int i = 0; i < p; ++i)
        own[i] = me + 1000 * i;
    CHECK(Hop(Reduce)(own, &result, 1, MPI_LONG, MPI_SUM, last, comm) == MPI_SUCCESS);
    CHECK(result == (me == last ? all : sentinel));
    CHECK(Hop(Reduce_scatter_block)(own, &result, 1, MPI_LONG, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK(result == all + 1000L * p * me);
    result = sentinel;
    CHECK(Hop(Reduce_scatter)(own, &result, counts, MPI_LONG, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK(result == all + 1000L * p * me);
    CHECK(Hop(Scan)(own, &result, 1, MPI_LONG, MPI_SUM, comm) == MPI_SUCCESS && result == before + me);
    CHECK(Hop(Exscan)(own, &result, 1, MPI_LONG, MPI_SUM, comm) == MPI_SUCCESS);
    CHECK(me == 0 || result == before);
}

static void check_others(void)
{
    check_elsewhere(MPI_COMM_WORLD, p);
    check_by_rank(MPI_COMM_WORLD);
    const int ring = 1;
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &ring, 0, &cart);
    check_elsewhere(cart, p);
    check_by_rank(cart);
    MPI_Comm_free(&cart);
    if (p > 1) {
        MPI_Comm half, between;
        MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 9, &between);
        check_elsewhere(between, me % 2 ? (p + 1) / 2 : p / 2);
        MPI_Comm_free(&between);
        MPI_Comm_free(&half);
    }
}

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    const int cases = argc > 2 ? atoi(argv[2]) : 5;
    if (argc > 3)
        kinds = atoi(argv[3]);
    make_handles();
    for (turn = 0; turn < cases; ++turn) {
        if (!has_form(form = turn % forms))
            continue;
        MPI_Comm graph = random_graph(&seed);
        if (turn % 4 == 3) {
            MPI_Comm original = graph;
            MPI_Comm_dup(original, &graph);
            MPI_Comm_free(&original);
        }
        CHECK(Hop(Barrier)(graph) == MPI_SUCCESS);
        for (int root = 0; root < p; ++root)
            check_rooted(graph, root);
        check_reductions(graph);
        check_all(graph);
        check_undefined(graph);
#ifdef BY_MPI_NAMES
        check_idup(graph);
        check_duplicates(graph);
#endif
        MPI_Comm_free(&graph);
    }
    for (form = 0; form < forms; ++form)
        if (has_form(form))
            check_others();
    free_handles();
    return finish_checks();
}
