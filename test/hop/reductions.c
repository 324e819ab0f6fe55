// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reductions over Cartesian neighborhoods: random stencils on tori and meshes, seven operators of MPI and two of the
// program (one does not commute), with types that have gaps, in every form and by every algorithm, against a serial
// computation; and the values that travel. reductions SEED CASES [ALGORITHM]
#include "counted.h"

enum { most_dimensions = 4, most_neighbors = 40, m = 3, sentinel = 1234567 };
enum { blocking, nonblocking, persistent, forms };

static int d, t, me;
static int dims[most_dimensions], periods[most_dimensions], offsets[most_neighbors * most_dimensions];

// The rank at -offset i from here, MPI_PROC_NULL beyond a border.
static int source(int i)
{
    int there[most_dimensions], rest = me, rank = 0;
    for (int k = d - 1; k >= 0; --k) {
        there[k] = rest % dims[k];
        rest /= dims[k];
    }
    for (int k = 0; k < d; ++k) {
        int at = there[k] - offsets[i * d + k];
        if (periods[k])
            at = (at % dims[k] + dims[k]) % dims[k];
        if (at < 0 || at >= dims[k])
            return MPI_PROC_NULL;
        rank = rank * dims[k] + at;
    }
    return rank;
}

// Handles that are freed as soon as a call that completes later has begun.
static MPI_Datatype* forgotten_type;
static MPI_Op* forgotten_op;

static void forget(void)
{
    if (forgotten_op == NULL)
        return;
    free_operator(forgotten_op);
    MPI_Type_free(forgotten_type);
    MPI_Type_contiguous(3, MPI_DOUBLE, forgotten_type); // takes its place in the MPI library
    MPI_Type_free(forgotten_type);
    forgotten_op = NULL;
}

static int reduce(int form, int each, const void* send, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm cart)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code;
    begin_counted(cart);
    switch (form) {
    case nonblocking:
        code = each ? Hop_Icart_reduce(send, result, count, type, op, cart, &request)
                    : Hop_Icart_allreduce(send, result, count, type, op, cart, &request);
        forget();
        return code != MPI_SUCCESS ? code : end_counted(cart, MPI_Wait(&request, MPI_STATUS_IGNORE));
    case persistent:
        code = each ? Hop_Cart_reduce_init_request(send, result, count, type, op, cart, MPI_INFO_NULL, &request)
                    : Hop_Cart_allreduce_init_request(send, result, count, type, op, cart, MPI_INFO_NULL, &request);
        if (code != MPI_SUCCESS)
            return code;
        forget();
        for (int turn = 0; turn < 2; ++turn) {
            begin_counted(cart);
            MPI_Start(&request);
            code = end_counted(cart, MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        MPI_Request_free(&request);
        return code;
    default:
        code = each ? Hop_Cart_reduce(send, result, count, type, op, cart)
                    : Hop_Cart_allreduce(send, result, count, type, op, cart);
        return end_counted(cart, code);
    }
}

// Below 2^31: MPI_MAX and MPI_MIN of MPICH 4.0.2 take MPI_UNSIGNED for a type with sign.
static unsigned value(int rank, int block, int k)
{
    return (unsigned)((rank * 31 + block) * 7 + k) * 2654435761u >> 1;
}

static unsigned combined(int op, unsigned x, unsigned y)
{
    switch (op) {
    case 0:
        return x + y;
    case 1:
        return x * y;
    case 2:
        return x > y ? x : y;
    case 3:
        return x < y ? x : y;
    case 4:
        return x & y;
    case 5:
        return x ^ y;
    default:
        return x || y;
    }
}

static void check_predefined(MPI_Comm cart, int form, int each)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_BXOR, MPI_LOR};
    for (int op = 0; op < 7; ++op) {
        unsigned send[most_neighbors * m], result[m], expected[m];
        for (int i = 0; i < most_neighbors; ++i)
            for (int k = 0; k < m; ++k)
                send[i * m + k] = value(me, i, k);
        int sources = 0;
        for (int k = 0; k < m; ++k)
            result[k] = expected[k] = sentinel;
        for (int i = 0; i < t; ++i) {
            const int from = source(i);
            if (from == MPI_PROC_NULL)
                continue;
            for (int k = 0; k < m; ++k) {
                const unsigned one = value(from, each ? i : 0, k);
                expected[k] = sources == 0 ? one : combined(op, expected[k], one);
            }
            ++sources;
        }
        CHECK(reduce(form, each, send, result, m, MPI_UNSIGNED, ops[op], cart) == MPI_SUCCESS);
        for (int k = 0; k < m; ++k) // a single value of MPI_LOR stays as it is
            CHECK(op == 6 ? !result[k] == !expected[k] : result[k] == expected[k]);
        if (each || form == persistent)
            continue;
        CHECK(reduce(form, each, MPI_IN_PLACE, send, m, MPI_UNSIGNED, ops[op], cart) == MPI_SUCCESS);
        for (int k = 0; k < m; ++k)
            CHECK(sources == 0 ? send[k] == value(me, 0, k)
                  : op == 6    ? !send[k] == !expected[k]
                               : send[k] == expected[k]);
        CHECK(send[m] == value(me, 1, 0));
    }
}

// Elements are the first and the third of four numbers; the second and the fourth stay.
static void check_type(MPI_Datatype type)
{
    MPI_Aint lower, extent = 0;
    int size = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_size(type, &size);
    CHECK(extent == 4 * (MPI_Aint)sizeof(unsigned) && size == 2 * (int)sizeof(unsigned));
}

static void compose(void* in, void* inout, int* length, MPI_Datatype* type)
{
    const unsigned* first = in;
    unsigned* second = inout;
    check_type(*type);
    for (int i = 0; i < *length; ++i, first += 4, second += 4) {
        second[2] += second[0] * first[2];
        second[0] *= first[0];
    }
}

static void add_both(void* in, void* inout, int* length, MPI_Datatype* type)
{
    const unsigned* first = in;
    unsigned* second = inout;
    check_type(*type);
    for (int i = 0; i < *length; ++i, first += 4, second += 4) {
        second[0] += first[0];
        second[2] += first[2];
    }
}

static void check_own(MPI_Comm cart, int form, int each, int commutes)
{
    MPI_Datatype spread, spaced;
    MPI_Op op;
    MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &spread);
    MPI_Type_create_resized(spread, 0, 4 * (MPI_Aint)sizeof(unsigned), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Op_create(commutes ? add_both : compose, commutes, &op);
    unsigned send[most_neighbors][2][4], result[2][4], expected[2][4];
    for (int i = 0; i < most_neighbors; ++i)
        for (int k = 0; k < 8; ++k)
            send[i][k / 4][k % 4] = value(me, i, k);
    for (int k = 0; k < 8; ++k)
        result[k / 4][k % 4] = expected[k / 4][k % 4] = sentinel;
    int sources = 0;
    for (int i = 0; i < t; ++i) {
        const int from = source(i);
        if (from == MPI_PROC_NULL)
            continue;
        for (int e = 0; e < 2; ++e) {
            const unsigned a = value(from, each ? i : 0, e * 4), b = value(from, each ? i : 0, e * 4 + 2);
            unsigned* const so_far = expected[e];
            if (sources == 0) {
                so_far[0] = a;
                so_far[2] = b;
            } else if (commutes) {
                so_far[0] += a;
                so_far[2] += b;
            } else { // (x_0 op ...) op x_i
                so_far[2] = b + a * so_far[2];
                so_far[0] *= a;
            }
        }
        ++sources;
    }
    forgotten_type = &spaced;
    forgotten_op = &op;
    CHECK(reduce(form, each, send, result, 2, spaced, op, cart) == MPI_SUCCESS);
    forget();
    CHECK(memcmp(result, expected, sizeof result) == 0);
    MPI_Type_free(&spread);
}

static MPI_Comm neighborhood(const char* algorithm)
{
    MPI_Comm cart;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", algorithm);
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, d, dims, periods, t, offsets, MPI_UNWEIGHTED, info, 0, &cart) ==
          MPI_SUCCESS);
    MPI_Info_free(&info);
    if (cart != MPI_COMM_NULL)
        MPI_Comm_rank(cart, &me);
    return cart;
}

static void check_case(const char* algorithm)
{
    MPI_Comm cart = neighborhood(algorithm);
    if (cart == MPI_COMM_NULL)
        return;
    for (int form = 0; form < forms; ++form)
        for (int each = 0; each < 2; ++each) {
            check_predefined(cart, form, each);
            check_own(cart, form, each, 0);
            check_own(cart, form, each, 1);
        }
    // On a neighborhood the collectives of the 2020 paper mean the neighborhood.
    int one = 1, neighbors = 0, sources = 0;
    for (int i = 0; i < t; ++i)
        sources += source(i) != MPI_PROC_NULL;
    CHECK(Hop_Allreduce(&one, &neighbors, 1, MPI_INT, MPI_SUM, cart) == MPI_SUCCESS && neighbors == sources);
    int gathered[most_neighbors];
    for (int i = 0; i < most_neighbors; ++i)
        gathered[i] = -5;
    CHECK(Hop_Gather(&me, 1, MPI_INT, gathered, 1, MPI_INT, 0, cart) == MPI_SUCCESS);
    for (int i = 0; i < most_neighbors; ++i)
        CHECK(gathered[i] == (me == 0 && i < t && source(i) != MPI_PROC_NULL ? source(i) : -5));
    CHECK(Hop_Allgather(&me, 1, MPI_INT, gathered, 1, MPI_INT, cart) == MPI_SUCCESS);
    for (int i = 0; i < t; ++i)
        CHECK(source(i) == MPI_PROC_NULL || gathered[i] == source(i));
    MPI_Comm_free(&cart);
}

static void random_case(unsigned* seed, int p)
{
    int size = 1;
    d = random_in(seed, 1, most_dimensions);
    for (int k = 0; k < d; ++k) {
        dims[k] = random_in(seed, 1, p / size < 4 ? p / size : 4);
        periods[k] = random_in(seed, 0, 2) > 0;
        size *= dims[k];
    }
    t = random_in(seed, 0, most_neighbors);
    for (int i = 0; i < t * d; ++i)
        offsets[i] = random_in(seed, -2, 2);
}

// The 26 neighbors of a 3x3x3 torus: six values travel, and with a value for each neighbor the 26 edges of the tree.
static void check_travelling_values(const char* algorithm, int last_form)
{
    d = 3;
    t = 0;
    for (int k = 0; k < d; ++k) {
        dims[k] = 3;
        periods[k] = 1;
    }
    for (int n = 0; n < 27; ++n)
        if (n != 13) {
            offsets[t * d] = n / 9 - 1;
            offsets[t * d + 1] = n / 3 % 3 - 1;
            offsets[t * d + 2] = n % 3 - 1;
            ++t;
        }
    MPI_Comm cart = neighborhood(algorithm);
    Hop_Counters before, after;
    double send[26], sum = 0;
    for (int i = 0; i < t; ++i)
        send[i] = me + i;
    for (int each = 0; each < 2; ++each)
        for (int form = 0; form <= last_form; ++form) {
            CHECK(Hop_counters(cart, &before) == MPI_SUCCESS);
            CHECK(reduce(form, each, send, &sum, 1, MPI_DOUBLE, MPI_SUM, cart) == MPI_SUCCESS);
            CHECK(Hop_counters(cart, &after) == MPI_SUCCESS);
            const unsigned long long times = form == persistent ? 2 : 1;
            CHECK(after.calls - before.calls == times);
            CHECK(after.messages - before.messages == 6 * times);
            CHECK(after.bytes - before.bytes == (each ? 26 : 6) * times * sizeof(double));
            CHECK(after.messages_trivial - before.messages_trivial == 26 * times);
        }
    MPI_Comm_free(&cart);
}

// One process gives a longer value: its neighbors hear of it, nobody waits for ever, and the next call works.
static void check_disagreement(int p, const char* algorithm)
{
    d = 1;
    t = 2;
    dims[0] = p;
    periods[0] = 1;
    offsets[0] = -1;
    offsets[1] = 1;
    MPI_Comm cart = neighborhood(algorithm);
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    unsigned send[3] = {1, 1, 1}, result[3] = {0, 0, 5};
    const int code = Hop_Cart_allreduce(send, result, me == 0 ? 3 : 2, MPI_UNSIGNED, MPI_SUM, cart);
    if (source(0) == 0 || source(1) == 0)
        CHECK(class_of(code) == MPI_ERR_TRUNCATE);
    CHECK(me == 0 || result[2] == 5);
    CHECK(Hop_Cart_allreduce(send, result, 2, MPI_UNSIGNED, MPI_SUM, cart) == MPI_SUCCESS);
    CHECK(result[0] == 2 && result[1] == 2);
    MPI_Comm_free(&cart);
}

// The same where values go on from there, in a second phase: it takes place on all processes.
static void check_later_phases(int p, int last_form)
{
    const int steps[] = {1, 0, 0, 1, 1, 1, -1, 1};
    d = 2;
    t = 4;
    dims[0] = p / 2;
    dims[1] = 2;
    periods[0] = periods[1] = 1;
    memcpy(offsets, steps, sizeof steps);
    MPI_Comm cart = neighborhood("combining");
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    for (int form = 0; form <= last_form; ++form) {
        unsigned send[3] = {1, 1, 1}, result[3] = {0, 0, 5};
        const int code = reduce(form, 0, send, result, me == 0 ? 3 : 2, MPI_UNSIGNED, MPI_SUM, cart);
        CHECK(code == MPI_SUCCESS || class_of(code) == MPI_ERR_TRUNCATE);
        CHECK(me == 0 || result[2] == 5);
        send[0] = send[1] = 7;
        CHECK(reduce(form, 0, send, result, 2, MPI_UNSIGNED, MPI_SUM, cart) == MPI_SUCCESS);
        CHECK(result[0] == 4 * 7 && result[1] == 4 * 7);
    }
    MPI_Comm_free(&cart);
}

// No process has a neighbor: nothing is sent, and the result does not change, in every form and for every type.
static void check_nobody(int p)
{
    d = 1;
    t = 0;
    dims[0] = p;
    periods[0] = 1;
    MPI_Comm cart = neighborhood("auto");
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    const int ends[] = {0, 2};
    MPI_Datatype gap;
    MPI_Op op;
    MPI_Type_create_indexed_block(2, 1, ends, MPI_INT, &gap);
    MPI_Type_commit(&gap);
    MPI_Op_create(compose, 0, &op);
    int value[3] = {1, 2, 3}, result[3] = {4, 5, 6};
    for (int each = 0; each < 2; ++each)
        for (int form = 0; form < forms; ++form) {
            CHECK(reduce(form, each, value, result, 1, gap, op, cart) == MPI_SUCCESS);
            CHECK(reduce(form, each, value, result, 1, MPI_INT, MPI_SUM, cart) == MPI_SUCCESS);
            CHECK(!each || reduce(form, each, NULL, result, 1, MPI_INT, MPI_SUM, cart) == MPI_SUCCESS);
        }
    CHECK(result[0] == 4 && result[1] == 5 && result[2] == 6);
    MPI_Op_free(&op);
    MPI_Type_free(&gap);
    MPI_Comm_free(&cart);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    const int cases = argc > 2 ? atoi(argv[2]) : 10;
    const char* const algorithms[] = {"combining", "auto", "combining", "trivial", "shared", "merged"};
    const char* const active = getenv("HOPSCOTCH_ALGORITHM");
    int p = 1, flag = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int n = 0; n < cases; ++n) {
        random_case(&seed, p);
        check_case(argc > 3 ? argv[3] : algorithms[n % 6]);
    }
    for (int n = 0; p > 1 && n < 6; ++n)
        check_disagreement(p, algorithms[n]);
    if (argc <= 3)
        check_nobody(p);
    Hop_active(&flag);
    if (p % 2 == 0) // requests do not know their communicator under HOPSCOTCH=off
        check_later_phases(p, flag ? persistent : blocking);
    if (p == 27 && flag && active == NULL) {
        check_travelling_values("combining", persistent);
        if (getenv("MPIR_CVAR_NUM_CLIQUES") != NULL) // between nodes it pays
            check_travelling_values("auto", blocking);
    }
    return finish_checks();
}
