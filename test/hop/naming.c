// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cartesian naming: ranks and coordinates in both orders, borders, unnamed ranks, neighbors by distance, parts of the
// grid, and the check if a graph is Cartesian.
#define _GNU_SOURCE
#include "check.h"

#include <hopscotch.h>

#include <dlfcn.h>
static int p, me;

static int volume_of(int d, const int* order)
{
    int volume = 1;
    for (int k = 0; k < d; ++k)
        volume *= order[k];
    return volume;
}

static const int row_major[] = {0, 1, 2, 3}; // the dimension that varies slowest comes first

// The last dimension of the permutation varies fastest; MPI_PROC_NULL beyond a border.
static int expected_rank(int d, const int* order, const int* period, const int* permutation, const int* coordinates)
{
    int rank = 0;
    int stride = 1;
    for (int i = 0; i < d; ++i) {
        const int k = permutation[d - 1 - i];
        int c = coordinates[k];
        if (period[k])
            c = (c % order[k] + order[k]) % order[k];
        if (c < 0 || c >= order[k])
            return MPI_PROC_NULL;
        rank += c * stride;
        stride *= order[k];
    }
    return rank;
}

// Checks a communicator with names.
static void check_names(MPI_Comm comm, int d, const int* order, const int* period, int major, const int* permutation)
{
    int size = volume_of(d, order), flag = -1, found_d = -1, found_size = -1, dimorder = -1;
    int found_order[8] = {0}, found_period[8] = {0}, found_permutation[8] = {-9, -9, -9, -9};
    CHECK(Hop_Cart_test(comm, &flag, &found_d, &found_size) == MPI_SUCCESS && flag && found_d == d &&
          found_size == size);
    CHECK(Hop_Cart_testall(comm, &flag, &found_d, &found_size) == MPI_SUCCESS && flag && found_size == size);
    CHECK(Hop_Cart_get(comm, &dimorder, 8, found_order, found_period) == MPI_SUCCESS && dimorder == major);
    CHECK(memcmp(found_order, order, (size_t)d * sizeof(int)) == 0 && found_order[d] == 0);
    for (int k = 0; k < d; ++k)
        CHECK(found_period[k] == (period[k] != 0));
    CHECK(Hop_Cart_get_permutation(comm, 8, found_permutation) == MPI_SUCCESS && found_permutation[d] == -9);
    CHECK(memcmp(found_permutation, permutation, (size_t)d * sizeof(int)) == 0);
    found_order[d - 1] = found_period[d - 1] = found_permutation[d - 1] = -9; // room for one less
    CHECK(Hop_Cart_get(comm, &dimorder, d - 1, found_order, found_period) == MPI_SUCCESS);
    CHECK(Hop_Cart_get_permutation(comm, d - 1, found_permutation) == MPI_SUCCESS);
    CHECK(found_order[d - 1] == -9 && found_period[d - 1] == -9 && found_permutation[d - 1] == -9);
    for (int rank = 0; rank < p; ++rank) {
        int there[8] = {-9, -9, -9, -9, -9, -9, -9, -9};
        if (rank >= size) {
            CHECK_ERROR(Hop_Cart_coordinates(comm, rank, there), MPI_ERR_RANK);
            CHECK(there[0] == -9);
            int to = -9;
            const int zero[8] = {0};
            CHECK(Hop_Cart_relative_rank_from(comm, rank, zero, &to) == MPI_SUCCESS && to == MPI_PROC_NULL);
            CHECK(Hop_Cart_neighbors_count(comm, rank, HOP_CHEBYCHEV_DISTANCE, 0, 1, &to) == MPI_SUCCESS && to == 0);
            continue;
        }
        int back = -9;
        CHECK(Hop_Cart_coordinates(comm, rank, there) == MPI_SUCCESS);
        CHECK(Hop_Cart_rank(comm, there, &back) == MPI_SUCCESS && back == rank);
        CHECK(expected_rank(d, order, period, permutation, there) == rank);
        unsigned seed = (unsigned)(rank + 1);
        for (int i = 0; i < 12; ++i) {
            int relative[8], moved[8], reversed[8], difference[8];
            for (int k = 0; k < d; ++k) {
                relative[k] = random_in(&seed, -5, 5);
                moved[k] = there[k] + relative[k];
                reversed[k] = there[k] - relative[k];
            }
            const int out = expected_rank(d, order, period, permutation, moved);
            const int in = expected_rank(d, order, period, permutation, reversed);
            int to = -9, from = -9, all[2];
            CHECK(Hop_Cart_relative_rank_from(comm, rank, relative, &to) == MPI_SUCCESS && to == out);
            CHECK(Hop_Cart_relative_shift_from(comm, rank, relative, &from, &to) == MPI_SUCCESS);
            CHECK(from == in && to == out);
            CHECK(Hop_Cart_allranks(comm, 1, moved, all) == MPI_SUCCESS && all[0] == out);
            CHECK(Hop_Cart_allranks_relative(comm, rank, 1, relative, all) == MPI_SUCCESS && all[0] == out);
            to = -9;
            CHECK_ERROR(Hop_Cart_rank(comm, moved, &to), out == MPI_PROC_NULL ? MPI_ERR_DIMS : MPI_SUCCESS);
            CHECK(to == out);
            if (out == MPI_PROC_NULL)
                continue;
            int target[8];
            CHECK(Hop_Cart_coordinates(comm, out, target) == MPI_SUCCESS);
            CHECK(Hop_Cart_relative_coordinates(comm, rank, out, difference) == MPI_SUCCESS);
            for (int k = 0; k < d; ++k)
                CHECK(difference[k] == target[k] - there[k]);
        }
    }
}

// By both orders of the paper and, in up to three dimensions, by all permutations; a communicator of MPI_Cart_create
// without being asked.
static void check_orders(int d, const int* order, const int* period)
{
    static const int permutations[][3] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}};
    static const int column_major[][3] = {{0}, {1, 0}, {2, 1, 0}};
    static const int count[] = {1, 2, 6};
    int size = -1;
    MPI_Comm comm = MPI_COMM_WORLD, cart;
    CHECK(Hop_Cart_name(comm, d, HOP_ROWMAJOR, order, period, &size) == MPI_SUCCESS && size == volume_of(d, order));
    check_names(comm, d, order, period, HOP_ROWMAJOR, row_major);
    CHECK(Hop_Cart_name(comm, d, HOP_COLMAJOR, order, period, &size) == MPI_SUCCESS && size == volume_of(d, order));
    check_names(comm, d, order, period, HOP_COLMAJOR, column_major[d - 1]);
    for (int i = 0; i < count[d - 1]; ++i) {
        const int* const permutation = permutations[i];
        const int reversed = memcmp(permutation, column_major[d - 1], (size_t)d * sizeof(int)) == 0;
        size = -1;
        CHECK(Hop_Cart_name_permuted(comm, d, permutation, order, period, &size) == MPI_SUCCESS);
        CHECK(size == volume_of(d, order));
        check_names(comm, d, order, period,
                    i == 0     ? HOP_ROWMAJOR
                    : reversed ? HOP_COLMAJOR
                               : HOP_PERMUTED,
                    permutation);
    }
    if (size < p)
        return;
    MPI_Cart_create(comm, d, order, period, 0, &cart);
    check_names(cart, d, order, period, HOP_ROWMAJOR, row_major);
    CHECK(Hop_Cart_name(cart, d, HOP_COLMAJOR, order, period, &size) == MPI_SUCCESS);
    check_names(cart, d, order, period, HOP_COLMAJOR, column_major[d - 1]);
    MPI_Comm_free(&cart);
}

static int distance(int d, const int* offset, int metric)
{
    int sum = 0, largest = 0;
    for (int k = 0; k < d; ++k) {
        sum += abs(offset[k]);
        largest = abs(offset[k]) > largest ? abs(offset[k]) : largest;
    }
    return metric == HOP_MANHATTAN_DISTANCE ? sum : largest;
}

// Against all offsets of the surrounding grid, one after the other.
static void check_neighbors(MPI_Comm comm, int d, const int* order, const int* period, int rank)
{
    int size = 0, there[4];
    Hop_Cart_name(comm, d, HOP_ROWMAJOR, order, period, &size);
    if (rank >= size)
        return;
    Hop_Cart_coordinates(comm, rank, there);
    for (int metric = HOP_MANHATTAN_DISTANCE; metric <= HOP_CHEBYCHEV_DISTANCE; ++metric) {
        for (int depth = 0; depth <= 2; ++depth) {
            for (int shadow = -1; shadow <= depth + 2; ++shadow) {
                int expected = 0, count = -1;
                const int n = 2 * depth + 1;
                int points = 1;
                for (int k = 0; k < d; ++k)
                    points *= n;
                for (int i = 0; i < points; ++i) {
                    int offset[4], moved[4];
                    for (int k = 0, rest = i; k < d; ++k, rest /= n) {
                        offset[k] = rest % n - depth;
                        moved[k] = there[k] + offset[k];
                    }
                    const int far = distance(d, offset, metric);
                    expected += far >= shadow && far <= depth &&
                                expected_rank(d, order, period, row_major, moved) != MPI_PROC_NULL;
                }
                CHECK(Hop_Cart_neighbors_count(comm, rank, metric, shadow, depth, &count) == MPI_SUCCESS);
                CHECK(count == expected);
                int* offsets = malloc((size_t)(count * d + 1) * sizeof(int));
                int* ranks = malloc((size_t)(count + 1) * sizeof(int));
                int* translated = malloc((size_t)(count + 1) * sizeof(int));
                offsets[count * d] = ranks[count] = -77;
                CHECK(Hop_Cart_neighbors(comm, rank, metric, shadow, depth, count, offsets) == MPI_SUCCESS);
                CHECK(Hop_Cart_neighbors_ranks(comm, rank, metric, shadow, depth, count, ranks) == MPI_SUCCESS);
                CHECK(Hop_Cart_allranks_relative(comm, rank, count, offsets, translated) == MPI_SUCCESS);
                CHECK(memcmp(ranks, translated, (size_t)count * sizeof(int)) == 0);
                CHECK(offsets[count * d] == -77 && ranks[count] == -77);
                if (count > 0) { // room for one less
                    int* few = malloc((size_t)(count * d) * sizeof(int));
                    few[(count - 1) * d] = translated[count - 1] = -77;
                    CHECK(Hop_Cart_neighbors(comm, rank, metric, shadow, depth, count - 1, few) == MPI_SUCCESS);
                    CHECK(memcmp(few, offsets, (size_t)((count - 1) * d) * sizeof(int)) == 0);
                    CHECK(Hop_Cart_neighbors_ranks(comm, rank, metric, shadow, depth, count - 1, translated) ==
                          MPI_SUCCESS);
                    CHECK(few[(count - 1) * d] == -77 && translated[count - 1] == -77);
                    free(few);
                }
                for (int i = 0; i < count; ++i) {
                    const int far = distance(d, offsets + i * d, metric);
                    CHECK(far >= shadow && far <= depth);
                    for (int j = 0; j < i; ++j)
                        CHECK(memcmp(offsets + i * d, offsets + j * d, (size_t)d * sizeof(int)) != 0);
                }
                free(offsets);
                free(ranks);
                free(translated);
            }
        }
    }
}

static void check_stencils(void)
{
    // Worked by hand: orders and numbers of the documentation, d = 2.
    static const int manhattan[] = {0, 0, -1, 0, 1, 0, 0, -1, 0, 1};
    static const int chebychev[] = {-1, -1, 0, -1, 1, -1, -1, 0, 0, 0, 1, 0, -1, 1, 0, 1, 1, 1};
    const int order[2] = {1, p}, period[2] = {1, 1};
    int size = 0, n = 0, m = 0, list[18], difference[18];
    Hop_Cart_name(MPI_COMM_WORLD, 2, HOP_ROWMAJOR, order, period, &size);
    CHECK(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_MANHATTAN_DISTANCE, 2, &n) == MPI_SUCCESS && n == 13);
    CHECK(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_MANHATTAN_DISTANCE, 3, &n) == MPI_SUCCESS && n == 25);
    CHECK(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_CHEBYCHEV_DISTANCE, 2, &n) == MPI_SUCCESS && n == 25);
    CHECK(Hop_Cart_stencil(MPI_COMM_WORLD, HOP_MANHATTAN_DISTANCE, 1, 0, NULL) == MPI_SUCCESS);
    CHECK(Hop_Cart_stencil(MPI_COMM_WORLD, HOP_MANHATTAN_DISTANCE, 1, 5, list) == MPI_SUCCESS);
    CHECK(memcmp(list, manhattan, sizeof manhattan) == 0);
    CHECK(Hop_Cart_stencil(MPI_COMM_WORLD, HOP_CHEBYCHEV_DISTANCE, 1, 9, list) == MPI_SUCCESS);
    CHECK(memcmp(list, chebychev, sizeof chebychev) == 0);
    list[0] = list[8] = -9;
    CHECK(Hop_Cart_stencil(MPI_COMM_WORLD, HOP_CHEBYCHEV_DISTANCE, 1, 4, list) == MPI_SUCCESS);
    CHECK(list[0] == -1 && list[8] == -9);
    // As many as an int can count, and a depth more.
    CHECK(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_MANHATTAN_DISTANCE, 32767, &n) == MPI_SUCCESS && n == 2147418113);
    CHECK_ERROR(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_MANHATTAN_DISTANCE, 32768, &n), MPI_ERR_ARG);
    CHECK(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_CHEBYCHEV_DISTANCE, 23169, &n) == MPI_SUCCESS && n == 2147302921);
    CHECK_ERROR(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_CHEBYCHEV_DISTANCE, 23170, &n), MPI_ERR_ARG);
    // The corners: no subsequence in either list's order.
    CHECK(Hop_Cart_stencil_diff(MPI_COMM_WORLD, 9, chebychev, 5, manhattan, &m, difference) == MPI_SUCCESS && m == 4);
    static const int corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    CHECK(memcmp(difference, corners, sizeof corners) == 0);
    CHECK_ERROR(Hop_Cart_stencil_count(MPI_COMM_WORLD, 3, 1, &n), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_CHEBYCHEV_DISTANCE, -1, &n), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_CHEBYCHEV_DISTANCE, 1 << 20, &n), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_stencil_count(MPI_COMM_WORLD, HOP_MANHATTAN_DISTANCE, 1 << 20, &n), MPI_ERR_ARG);
}

static void check_parts(MPI_Comm comm, int d, const int* order, const int* period)
{
    int size = 0;
    Hop_Cart_name(comm, d, HOP_ROWMAJOR, order, period, &size);
    for (int dropped = 0; dropped < d; ++dropped) {
        int keep[4];
        for (int k = 0; k < d; ++k)
            keep[k] = k != dropped;
        MPI_Comm part = MPI_COMM_NULL;
        CHECK(Hop_Cart_create_sub(comm, keep, &part) == MPI_SUCCESS);
        CHECK((part == MPI_COMM_NULL) == (me >= size));
        if (part == MPI_COMM_NULL)
            continue;
        int members = 0, rank = 0, there[4], expected = 0, flag = 1, unused;
        MPI_Comm_size(part, &members);
        MPI_Comm_rank(part, &rank);
        CHECK(members == size / order[dropped]);
        CHECK(Hop_Cart_test(part, &flag, &unused, &unused) == MPI_SUCCESS && !flag);
        Hop_Cart_coordinates(comm, me, there);
        for (int k = 0; k < d; ++k)
            expected = k == dropped ? expected : expected * order[k] + there[k];
        CHECK(rank == expected);
        MPI_Comm_free(&part);
    }
}

static int is_cartesian_with(MPI_Comm comm, MPI_Comm processes, int s, const int* sources, int t, const int* targets)
{
    MPI_Comm graph;
    int flag = -1;
    MPI_Dist_graph_create_adjacent(processes, s, sources, MPI_UNWEIGHTED, t, targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    CHECK(Hop_Comm_is_cartesian(comm, graph, &flag) == MPI_SUCCESS);
    MPI_Comm_free(&graph);
    return flag;
}

static int is_cartesian(MPI_Comm comm, int s, const int* sources, int t, const int* targets)
{
    return is_cartesian_with(comm, comm, s, sources, t, targets);
}

static void check_predicate(void)
{
    int size = 0, flag = -1;
    const int ring = 1, line = 0;
    MPI_Comm comm, other;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int next = (me + 1) % p, before = (me + p - 1) % p;
    const int there[2] = {next, before}, back[2] = {before, next};
    CHECK(is_cartesian(comm, 1, &before, 1, &next) == 0); // no name
    Hop_Cart_name(comm, 1, HOP_ROWMAJOR, &p, &ring, &size);
    CHECK(is_cartesian(comm, 1, &before, 1, &next) == 1);
    CHECK(is_cartesian(comm, 2, back, 2, me % 2 ? there : back) == 1); // the order does not matter
    CHECK(is_cartesian(comm, 0, NULL, 0, NULL) == 1);
    if (p > 2) { // one target everywhere, but not the same offset
        const int rotated = me == 0 ? 1 : me == 1 ? 0 : me;
        CHECK(is_cartesian(comm, 1, &rotated, 1, &rotated) == 0);
        // Every process has one source, but rank 0 sends to all: the published check says yes.
        int* all = malloc((size_t)p * sizeof(int));
        const int root = 0;
        for (int i = 0; i < p; ++i)
            all[i] = i;
        CHECK(is_cartesian(comm, 1, &root, me == 0 ? p : 0, all) == 0);
        free(all);
        // On a line the ends have one neighbor only.
        const int end = me == 0 ? 1 : p - 2;
        const int ends = me == 0 || me == p - 1;
        CHECK(is_cartesian(comm, ends ? 1 : 2, ends ? &end : back, ends ? 1 : 2, ends ? &end : back) == 0);
        Hop_Cart_name(comm, 1, HOP_ROWMAJOR, &p, &line, &size);
        CHECK(is_cartesian(comm, ends ? 1 : 2, ends ? &end : back, ends ? 1 : 2, ends ? &end : back) == 1);
        CHECK(is_cartesian(comm, 1, &before, 1, &next) == 1); // the offsets are 1 and 1 - p: all but one are left out
        CHECK(is_cartesian(comm, 1, &rotated, 1, &rotated) == 0);
        // The last process has no name, and must have no neighbors.
        const int smaller = p - 1, beyond = me == smaller;
        const int onward = (me + 1) % smaller, backward = (me + smaller - 1) % smaller;
        Hop_Cart_name(comm, 1, HOP_ROWMAJOR, &smaller, &ring, &size);
        CHECK(is_cartesian(comm, 1, &before, 1, &next) == 0);
        CHECK(is_cartesian(comm, beyond ? 0 : 1, &backward, beyond ? 0 : 1, &onward) == 1);
        CHECK(is_cartesian(comm, 1, beyond ? &me : &backward, 1, beyond ? &me : &onward) == 0); // an edge to itself
        Hop_Cart_name(comm, 1, HOP_ROWMAJOR, &smaller, &line, &size);
        const int first = me == 0 || beyond, last = me >= smaller - 1;
        CHECK(is_cartesian(comm, first ? 0 : 1, &backward, last ? 0 : 1, &onward) == 1);
        CHECK(is_cartesian(comm, me == 0 ? 0 : 1, &before, beyond ? 0 : 1, &next) == 0); // to the one beyond
    }
    // A graph whose processes have a rank more than in the named communicator: a ring, and pairs.
    Hop_Cart_name(comm, 1, HOP_ROWMAJOR, &p, &ring, &size);
    MPI_Comm turned;
    const int after_me = (me + 2) % p, partner = p - 1 - (me + 1) % p;
    MPI_Comm_split(comm, 0, (me + 1) % p, &turned);
    CHECK(is_cartesian_with(comm, turned, 1, &me, 1, &after_me) == 1);
    CHECK(is_cartesian_with(comm, turned, 1, &partner, 1, &partner) == (p <= 2));
    MPI_Comm_free(&turned);
    // The neighborhoods of MPI_Cart_create in its own grid, and a graph in it, on a mesh.
    const int sizes[2] = {1, p}, none[2] = {0, 0};
    MPI_Comm cart;
    MPI_Cart_create(comm, 2, sizes, none, 0, &cart);
    CHECK(Hop_Comm_is_cartesian(cart, cart, &flag) == MPI_SUCCESS && flag == 1);
    CHECK(is_cartesian(cart, me == 0 ? 0 : 1, &before, me == p - 1 ? 0 : 1, &next) == 1);
    CHECK(is_cartesian(cart, me == 0 || p == 1 ? 0 : 1, &before, me == p - 2 || p == 1 ? 0 : 1, &next) == (p == 1));
    MPI_Comm_free(&cart);
    if (p % 2 == 0) { // both orders of dimensions, a graph in the other one
        const int order[2] = {2, p / 2}, periods[2] = {1, 1}, offset[2] = {0, 1};
        int in = 0, out = 0;
        Hop_Cart_name(comm, 2, HOP_COLMAJOR, order, periods, &size);
        Hop_Cart_relative_shift_from(comm, me, offset, &in, &out);
        CHECK(is_cartesian(comm, 1, &in, 1, &out) == 1);
        // names differ
        Hop_Cart_name(comm, 2, me % 2 ? HOP_ROWMAJOR : HOP_COLMAJOR, order, periods, &size);
        CHECK_ERROR(Hop_Cart_testall(comm, &flag, &size, &size), MPI_ERR_TOPOLOGY);
        CHECK(flag == 0);
        CHECK(is_cartesian(comm, 1, &in, 1, &out) == 0);
    }
    MPI_Comm_dup(comm, &other);
    CHECK(Hop_Comm_is_cartesian(comm, other, &flag) == MPI_SUCCESS && flag == 0); // no graph
    MPI_Comm_free(&other);
    MPI_Comm_free(&comm);
}

/* A grid with one column more than there are processes for: the last points have none. */
static void check_larger(void)
{
    const int order[2] = {2, p}, period[2] = {1, 0};
    const int down[2] = {1, 0}, right[2] = {0, 1}, rows[2] = {1, 0};
    int size = 0, flag = 0, d = 0, rank = 0, in = 0, out = 0, count = 0, coordinates[2] = {7, 7};
    MPI_Comm comm, part;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(Hop_Cart_name(comm, 2, HOP_ROWMAJOR, order, period, &size) == MPI_SUCCESS && size == 2 * p);
    CHECK(Hop_Cart_testall(comm, &flag, &d, &size) == MPI_SUCCESS && flag == 1 && d == 2 && size == 2 * p);
    CHECK(Hop_Cart_coordinates(comm, me, coordinates) == MPI_SUCCESS && coordinates[0] == 0 && coordinates[1] == me);
    CHECK_ERROR(Hop_Cart_coordinates(comm, p, coordinates), MPI_ERR_RANK);
    const int empty[2] = {1, 0}, back[2] = {2, 0};
    CHECK_ERROR(Hop_Cart_rank(comm, empty, &rank), MPI_ERR_DIMS);
    CHECK(rank == MPI_PROC_NULL);
    CHECK(Hop_Cart_rank(comm, back, &rank) == MPI_SUCCESS && rank == 0); // around the torus
    CHECK(Hop_Cart_relative_rank_from(comm, me, down, &rank) == MPI_SUCCESS && rank == MPI_PROC_NULL);
    CHECK(Hop_Cart_relative_shift_from(comm, me, right, &in, &out) == MPI_SUCCESS);
    CHECK(in == (me == 0 ? MPI_PROC_NULL : me - 1) && out == (me == p - 1 ? MPI_PROC_NULL : me + 1));
    CHECK(Hop_Cart_allranks(comm, 1, empty, &rank) == MPI_SUCCESS && rank == MPI_PROC_NULL);
    CHECK(Hop_Cart_neighbors_count(comm, me, HOP_MANHATTAN_DISTANCE, 1, 1, &count) == MPI_SUCCESS);
    CHECK(count == (me > 0) + (me < p - 1));
    CHECK(Hop_Comm_is_cartesian(comm, comm, &flag) == MPI_SUCCESS && flag == 0);
    CHECK(Hop_Cart_create_sub(comm, rows, &part) == MPI_SUCCESS); // columns of one process
    CHECK(part != MPI_COMM_NULL);
    MPI_Comm_size(part, &size);
    CHECK(size == 1);
    MPI_Comm_free(&part);
    // Two rows; the second has one process only.
    const int short_row[2] = {2, p > 1 ? p - 1 : 1};
    CHECK(Hop_Cart_name(comm, 2, HOP_ROWMAJOR, short_row, period, &size) == MPI_SUCCESS);
    CHECK(Hop_Cart_create_sub(comm, rows, &part) == MPI_SUCCESS && part != MPI_COMM_NULL);
    MPI_Comm_size(part, &size);
    CHECK(size == (p > 1 && (me == 0 || me == p - 1) ? 2 : 1));
    MPI_Comm_free(&part);
    MPI_Comm_free(&comm);
}

static void check_errors(void)
{
    const int order[2] = {p, 1}, period[2] = {1, 0}, broken[2] = {0, 1};
    int size = -1, rank = -1, flag = -1, d = 0, list[2] = {0, 0};
    MPI_Comm comm, part;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(Hop_Cart_test(comm, &flag, &d, &size) == MPI_SUCCESS && flag == 0 && d == -1 && size == -1);
    CHECK_ERROR(Hop_Cart_testall(comm, &flag, &d, &size), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_rank(comm, list, &rank), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_get(comm, &rank, 0, NULL, NULL), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_coordinates(comm, 0, list), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_neighbors_count(comm, 0, 1, 0, 1, &size), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_create_sub(comm, list, &part), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Cart_name(comm, 2, 3, order, period, &size), MPI_ERR_DIMS);
    CHECK_ERROR(Hop_Cart_name(comm, 0, HOP_ROWMAJOR, order, period, &size), MPI_ERR_DIMS);
    CHECK_ERROR(Hop_Cart_name(comm, 2, HOP_ROWMAJOR, broken, period, &size), MPI_ERR_DIMS);
    CHECK_ERROR(Hop_Cart_name(comm, 2, HOP_ROWMAJOR, order, period, NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_name(MPI_COMM_NULL, 2, HOP_ROWMAJOR, order, period, &size), MPI_ERR_COMM);
    const int twice[2] = {1, 1};
    CHECK_ERROR(Hop_Cart_name_permuted(comm, 2, twice, order, period, &size), MPI_ERR_DIMS);
    CHECK_ERROR(Hop_Cart_name_permuted(comm, 0, twice, order, period, &size), MPI_ERR_DIMS);
    CHECK_ERROR(Hop_Cart_name_permuted(comm, 2, NULL, order, period, &size), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_get_permutation(comm, 2, list), MPI_ERR_COMM);
    CHECK(Hop_Cart_name(comm, 2, MPI_ORDER_FORTRAN, order, period, &size) == MPI_SUCCESS);
    CHECK(Hop_Cart_get(comm, &rank, 0, NULL, NULL) == MPI_SUCCESS && rank == HOP_COLMAJOR);
    CHECK_ERROR(Hop_Cart_get_permutation(comm, -1, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_coordinates(comm, p, list), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_relative_rank_from(comm, p, list, &rank), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_relative_coordinates(comm, 0, -1, list), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_allranks(comm, -1, list, &rank), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors(comm, 0, 7, 0, 1, 1, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors(comm, 0, 1, 0, 1, -1, list), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbors(comm, -1, 1, 0, 1, 1, list), MPI_ERR_RANK);
    MPI_Comm_dup(comm, &part); // a name is not inherited
    CHECK(Hop_Cart_test(part, &flag, &d, &size) == MPI_SUCCESS && flag == 0);
    MPI_Comm_free(&part);
    MPI_Comm_free(&comm);
}

static void ask(MPI_Comm cart)
{
    int flag = 0, d = 0, size = 0;
    CHECK(Hop_Cart_test(cart, &flag, &d, &size) == MPI_SUCCESS && flag && d == 1 && size == p);
}

// As if a second thread asked while the first one makes the name: one name stays, which the other may be using.
static void check_asked_at_once(void)
{
    void (*call_in_cart_get)(void (*)(MPI_Comm)); // of left.c, if it is there
    int (*attributes)(void);
    *(void**)&call_in_cart_get = dlsym(RTLD_DEFAULT, "call_in_cart_get");
    *(void**)&attributes = dlsym(RTLD_DEFAULT, "attributes_set");
    if (call_in_cart_get == NULL)
        return;
    const int ring = 1;
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &ring, 0, &cart);
    const int before = attributes();
    call_in_cart_get(ask);
    ask(cart);
    CHECK(attributes() == before + 1);
    MPI_Comm_free(&cart);
}

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    for (int d = 1; d <= 3; ++d) {
        for (int pattern = 0; pattern < 4; ++pattern) {
            int order[3] = {0, 0, 0}, period[3];
            const int points = pattern == 3 && p > 1 ? p - 1 : p; // the last rank has no name
            MPI_Dims_create(points, d, order);
            for (int k = 0; k < d; ++k)
                period[k] = pattern == 0 || (pattern == 2 && k % 2 == 0);
            check_orders(d, order, period);
            check_neighbors(MPI_COMM_WORLD, d, order, period, me);
            check_neighbors(MPI_COMM_WORLD, d, order, period, (me + 1) % p); // that of another rank
            check_parts(MPI_COMM_WORLD, d, order, period);
        }
    }
    check_stencils();
    check_larger();
    check_predicate();
    check_errors();
    check_asked_at_once();
    return finish_checks();
}
