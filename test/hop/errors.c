// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Refused arguments of Cartesian neighborhoods (no refusal may reach an error handler: MPI's default handler ends the
// job); counters and report on demand.
#include "check.h"

#include <hopscotch.h>

static int p, me;

static void check_create(void)
{
    const int dims[1] = {p}, periods[1] = {1}, offset[2] = {1, -1};
    const int mine[1] = {me == 0 ? 2 : 1};
    MPI_Comm cart = MPI_COMM_WORLD;
    CHECK_ERROR(Hop_Cart_neighborhood_create(MPI_COMM_NULL, 1, dims, periods, 1, offset, NULL, MPI_INFO_NULL, 0, &cart),
                MPI_ERR_COMM);
    CHECK_ERROR(
        Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 0, dims, periods, 1, offset, NULL, MPI_INFO_NULL, 0, &cart),
        MPI_ERR_DIMS);
    CHECK(cart == MPI_COMM_NULL);
    CHECK_ERROR(
        Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, -1, offset, NULL, MPI_INFO_NULL, 0, &cart),
        MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, 1, NULL, NULL, MPI_INFO_NULL, 0, &cart),
                MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, 1, offset, NULL, MPI_INFO_NULL, 0, NULL),
                MPI_ERR_ARG);
    // Lists that differ: the same answer everywhere, even if the local list is valid.
    CHECK_ERROR(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, 1, mine, NULL, MPI_INFO_NULL, 0, &cart),
                p > 1 ? MPI_ERR_TOPOLOGY : MPI_SUCCESS);
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    CHECK_ERROR(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, me == 0 ? 1 : 2, offset, NULL,
                                             MPI_INFO_NULL, 0, &cart),
                p > 1 ? MPI_ERR_TOPOLOGY : MPI_SUCCESS);
    if (cart != MPI_COMM_NULL)
        MPI_Comm_free(&cart);
    // A grid too large is the MPI library's to refuse.
    const int larger[1] = {p + 1};
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    CHECK(Hop_Cart_neighborhood_create(own, 1, larger, periods, 1, offset, NULL, MPI_INFO_NULL, 0, &cart) !=
          MPI_SUCCESS);
    CHECK(cart == MPI_COMM_NULL);
    MPI_Comm_free(&own);
}

static void check_without_neighborhood(void)
{
    const int dims[1] = {p}, periods[1] = {1}, one[1] = {1};
    const MPI_Aint zero[1] = {0};
    const MPI_Datatype type[1] = {MPI_INT};
    int a = 0, b = 0, t = 0;
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart); // Cartesian, but not one of ours
    CHECK_ERROR(Hop_Cart_alltoall(&a, 1, MPI_INT, &b, 1, MPI_INT, cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_alltoallv(&a, one, one, MPI_INT, &b, one, one, MPI_INT, cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_alltoallw(&a, one, zero, type, &b, one, zero, type, cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_allgather(&a, 1, MPI_INT, &b, 1, MPI_INT, cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_allgatherv(&a, 1, MPI_INT, &b, one, one, MPI_INT, cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_allgatherw(&a, 1, MPI_INT, &b, one, zero, type, cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_alltoall_init(&a, 1, MPI_INT, &b, 1, MPI_INT, cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_alltoall_free(cart), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_neighbor_count(cart, &t), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_neighbor_get(cart, 0, NULL, NULL, 0, NULL, NULL), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_neighbor_get_relative(cart, 0, NULL, NULL), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_neighbor_degrees(cart, &a, &b), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_neighbor_find_rank(cart, 0, 0, NULL, &a, 0, NULL, &b), MPI_ERR_TOPOLOGY);
    CHECK(Hop_Cart_relative_rank(cart, one, &t) == MPI_SUCCESS && t == (me + 1) % p);
    CHECK(Hop_Cart_axis_neighbors_count(cart, &a, &b) == MPI_SUCCESS && a == 2 && b == 2);
    int source[3] = {-9, -9, -9}, target[3] = {-9, -9, -9};
    CHECK(Hop_Cart_axis_neighbors(cart, 1, source, 3, target) == MPI_SUCCESS);
    CHECK(source[0] == (me + p - 1) % p && source[1] == -9); // no more than asked for
    CHECK(target[0] == (me + 1) % p && target[1] == (me + p - 1) % p && target[2] == -9);
    MPI_Comm_free(&cart);
    CHECK_ERROR(Hop_Cart_relative_rank(MPI_COMM_WORLD, one, &t), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_relative_shift(MPI_COMM_WORLD, one, &t, &a), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_relative_coord(MPI_COMM_WORLD, 0, &t), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_axis_neighbors_count(MPI_COMM_WORLD, &a, &b), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_alltoall(&a, 1, MPI_INT, &b, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Cart_alltoall(&a, 1, MPI_INT, &b, 1, MPI_INT, MPI_COMM_NULL), MPI_ERR_COMM);
}

static void check_arguments(void)
{
    const int dims[1] = {p}, periods[1] = {0}, offsets[3] = {1, -1, 3000000}, weights[3] = {5, 6, 7};
    const int negative[3] = {1, -1, 1}, zeros[3] = {0, 0, 0}, ones[3] = {1, 1, 1};
    const MPI_Aint aints[3] = {0, 0, 0};
    const MPI_Datatype types[3] = {MPI_INT, MPI_DATATYPE_NULL, MPI_INT};
    const MPI_Datatype ints[3] = {MPI_INT, MPI_INT, MPI_INT};
    int send[3] = {me, me + 100, me + 200}, received[3] = {-77, -77, -77}, rank = 0;
    MPI_Comm cart;
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, 3, offsets, weights, MPI_INFO_NULL, 1,
                                       &cart) == MPI_SUCCESS);
    CHECK_ERROR(Hop_Cart_alltoall(MPI_IN_PLACE, 1, MPI_INT, received, 1, MPI_INT, cart), MPI_ERR_BUFFER);
    CHECK_ERROR(Hop_Cart_allgather(send, -1, MPI_INT, received, 1, MPI_INT, cart), MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Cart_allgather(send, 1, MPI_DATATYPE_NULL, received, 1, MPI_INT, cart), MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Cart_alltoallv(send, negative, zeros, MPI_INT, received, zeros, zeros, MPI_INT, cart),
                MPI_ERR_COUNT);
    CHECK_ERROR(Hop_Cart_alltoallv(send, zeros, NULL, MPI_INT, received, zeros, zeros, MPI_INT, cart), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_alltoallw(send, zeros, aints, types, received, zeros, aints, ints, cart), MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Cart_allgatherv(send, 1, MPI_INT, received, NULL, zeros, MPI_INT, cart), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_allgatherw(send, 1, MPI_INT, received, ones, aints, types, cart), MPI_ERR_TYPE);
    CHECK_ERROR(Hop_Cart_alltoallw_init(send, zeros, NULL, ints, received, zeros, aints, ints, cart), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_relative_coord(cart, p, &rank), MPI_ERR_RANK);
    CHECK_ERROR(Hop_Cart_relative_rank(cart, NULL, &rank), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Cart_neighbor_get(cart, -1, received, received, 0, NULL, NULL), MPI_ERR_ARG);
    CHECK(received[0] == -77);

    // A line: the ends miss a neighbor, nobody has the third; blocks without source stay untouched.
    CHECK(Hop_Cart_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, cart) == MPI_SUCCESS);
    CHECK(received[0] == (me > 0 ? me - 1 : -77));
    CHECK(received[1] == (me < p - 1 ? me + 1 + 100 : -77));
    CHECK(received[2] == -77);
    int source[3] = {-9, -9, -9}, in[3] = {-9, -9, -9}, target[3] = {-9, -9, -9}, out[3] = {-9, -9, -9};
    CHECK(Hop_Cart_neighbor_get(cart, 3, source, in, 3, target, out) == MPI_SUCCESS);
    const int inner = me < p - 1;
    CHECK(target[0] == (inner ? me + 1 : me > 0 ? me - 1 : -9) && out[0] == (inner ? 5 : me > 0 ? 6 : -9));
    CHECK(source[0] == (me > 0 ? me - 1 : inner ? me + 1 : -9) && in[0] == (me > 0 ? 5 : inner ? 6 : -9));
    int coordinate = -9;
    if (me > 0) // the sign stays on a mesh
        CHECK(Hop_Cart_relative_coord(cart, me - 1, &coordinate) == MPI_SUCCESS && coordinate == -1);

    // A block that does not fit, through the communicator's handler.
    int room[8];
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    const int two[3] = {2, 2, 2}, spread[3] = {0, 1, 0};
    const int code = Hop_Cart_alltoallv(send, two, spread, MPI_INT, room, ones, zeros, MPI_INT, cart);
    CHECK_ERROR(code, p > 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    MPI_Comm_free(&cart);
}

static void check_information(const char* algorithm)
{
    Hop_Counters before, after, all;
    int active = -1;
    const int dims[1] = {p}, periods[1] = {1}, offset[1] = {1};
    MPI_Comm cart;
    CHECK(Hop_active(&active) == MPI_SUCCESS);
    CHECK(strlen(Hop_version()) > 0);
    CHECK_ERROR(Hop_active(NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_counters(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", algorithm);
    Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, dims, periods, 1, offset, NULL, info, 0, &cart);
    MPI_Info_free(&info);
    CHECK(Hop_counters(cart, &before) == MPI_SUCCESS && before.calls == 0);
    int received = 0;
    for (int i = 0; i < 3; ++i)
        Hop_Cart_alltoall(&me, 1, MPI_INT, &received, 1, MPI_INT, cart);
    CHECK(Hop_counters(cart, &after) == MPI_SUCCESS);
    CHECK(Hop_counters(MPI_COMM_NULL, &all) == MPI_SUCCESS && all.calls >= after.calls);
    if (active) {
        const int natively = strcmp(algorithm, "native") == 0;
        CHECK(after.calls == 3 && after.accelerated == (natively ? 0 : 3) && after.native == (natively ? 3 : 0));
        CHECK(after.failed == 0 && after.seconds > 0 && after.setup_seconds > 0);
        CHECK(after.messages_trivial == (p > 1 ? 3 : 0) && after.messages == after.messages_trivial);
        CHECK(after.bytes == after.messages * sizeof(int));
        Hop_counting(0);
        Hop_Cart_alltoall(&me, 1, MPI_INT, &received, 1, MPI_INT, cart);
        Hop_counting(1);
        CHECK(Hop_counters(cart, &after) == MPI_SUCCESS && after.calls == 3);
    }
    MPI_Comm_free(&cart);

    CHECK_ERROR(Hop_report("no-kind-of-report"), active ? MPI_ERR_ARG : MPI_ERR_OTHER);
    char path[] = "/tmp/hop-errors-XXXXXX.json"; // of this process alone: programs of several tests run at once
    close(mkstemps(path, 5));
    CHECK_ERROR(Hop_report(me == 0 ? path : "no-kind-of-report"), active ? MPI_SUCCESS : MPI_ERR_OTHER);
    CHECK_ERROR(Hop_report(NULL), active ? MPI_SUCCESS : MPI_ERR_OTHER); // as HOPSCOTCH_REPORT says
    if (me == 0 && active) {
        static char text[1 << 20];
        FILE* file = fopen(path, "r");
        CHECK(file != NULL);
        if (file != NULL) {
            text[fread(text, 1, sizeof text - 1, file)] = '\0';
            fclose(file);
        }
        const char* const totals = strstr(text, "\"totals\"");
        const char* const calls = totals != NULL ? strstr(totals, "\"calls\": ") : NULL;
        CHECK(strstr(text, "\"schema\": 1") != NULL);
        CHECK(strstr(text, "\"created_by\": \"MPI_Cart_create\"") != NULL);
        CHECK(strstr(text, "\"found\": \"parent\"") != NULL && strstr(text, "\"found\": \"inferred\"") == NULL);
        CHECK(strstr(text, "\"reorder\": \"ranks stay: no mapping") != NULL);
        const char* const compared = totals != NULL ? strstr(totals, "\"compared\": ") : NULL;
        if (getenv("HOPSCOTCH_VERIFY") != NULL)
            CHECK(compared != NULL && strtoull(compared + strlen("\"compared\": "), NULL, 10) > 0);
        CHECK(calls != NULL && strtoull(calls + strlen("\"calls\": "), NULL, 10) == all.calls);
    }
    remove(path);
}

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    check_create();
    check_without_neighborhood();
    check_arguments();
    check_information("merged");
    check_information("native");
    return finish_checks();
}
