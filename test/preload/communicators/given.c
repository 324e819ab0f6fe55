// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Gives info keys to communicators by MPI_Comm_dup_with_info and MPI_Comm_set_info, and exchanges blocks on them.
//
//   given KIND [odd:]KEY=VALUE ...    "odd:": on the last process alone
//
// KIND is one of
//   duplicate  a duplicate of a ring gets the keys
//   later      a ring gets the keys while a call is in flight and a persistent request is there; then it is duplicated
//   parent     a duplicate of MPI_COMM_WORLD gets the keys, a Cartesian communicator is made of it
//   sub        the same, with the keys given later; of the Cartesian communicator MPI_Cart_sub makes one more
//   idup       the duplicates of MPI_COMM_WORLD and of the Cartesian communicator are made by MPI_Comm_idup
//   again      a ring for which the library's functions are requested gets the keys
#include "../../program.h"
#include "exchange.h"

static int exchange_on_ring(MPI_Comm ring, int round)
{
    const int neighbors[2] = {(rank + size - 1) % size, (rank + 1) % size};
    return exchange_and_check(ring, round, 3, 2, neighbors, 2, neighbors);
}

static int wrong_ranks(const int got[2])
{
    return got[0] != (rank + size - 1) % size || got[1] != (rank + 1) % size;
}

static int try_duplicate(MPI_Info info)
{
    int neighbors[2];
    MPI_Comm ring;
    MPI_Comm duplicate;
    make_ring(MPI_COMM_WORLD, neighbors, &ring);
    MPI_Comm_dup_with_info(ring, info, &duplicate);
    const int wrong = exchange_on_ring(duplicate, 1) + exchange_on_ring(ring, 2);
    MPI_Comm_free(&duplicate);
    MPI_Comm_free(&ring);
    return wrong;
}

// Makes a persistent request for an exchange of ranks if the MPI library has such requests, else a nonblocking one at
// each start.
static void start(MPI_Comm ring, const int out[2], int in[2], MPI_Request* request)
{
    in[0] = in[1] = -1;
#ifndef NO_PERSISTENT
    if (*request == MPI_REQUEST_NULL) {
        MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, ring, MPI_INFO_NULL, request);
    }
    MPI_Start(request);
#else
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, request);
#endif
}

static int try_later(MPI_Info info)
{
    const int out[2] = {rank, rank};
    int in_flight[2] = {-1, -1};
    int in[2];
    int neighbors[2];
    MPI_Comm ring;
    MPI_Comm duplicate;
    MPI_Request flight;
    MPI_Request request = MPI_REQUEST_NULL;
    make_ring(MPI_COMM_WORLD, neighbors, &ring);
    int wrong = exchange_on_ring(ring, 1);
    start(ring, out, in, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong += wrong_ranks(in);

    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in_flight, 1, MPI_INT, ring, &flight);
    MPI_Comm_set_info(ring, info);
    start(ring, out, in, &request);
    wrong += exchange_on_ring(ring, 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&flight, MPI_STATUS_IGNORE);
    wrong += wrong_ranks(in) + wrong_ranks(in_flight);

    MPI_Comm_dup(ring, &duplicate);
    if (request != MPI_REQUEST_NULL) {
        MPI_Request_free(&request);
    }
    MPI_Comm_free(&ring);
    wrong += exchange_on_ring(duplicate, 3);
    MPI_Comm_free(&duplicate);
    return wrong;
}

static int try_parent(MPI_Info info)
{
    const int periodic = 1;
    MPI_Comm parent;
    MPI_Comm grid;
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &parent);
    MPI_Cart_create(parent, 1, &size, &periodic, 0, &grid);
    const int wrong = exchange_on_ring(grid, 1);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&parent);
    return wrong;
}

static MPI_Comm duplicate_later(MPI_Comm comm)
{
    MPI_Comm made;
    MPI_Request request;
    MPI_Comm_idup(comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return made;
}

static int try_idup(MPI_Info info)
{
    const int periodic = 1;
    MPI_Comm parents[3];
    MPI_Comm grid;
    MPI_Comm ring;
    int neighbors[2];
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &parents[0]);
    parents[1] = duplicate_later(parents[0]);
    MPI_Cart_create(parents[1], 1, &size, &periodic, 0, &grid);
    parents[2] = duplicate_later(grid);
    make_ring(parents[2], neighbors, &ring);
    const int wrong = exchange_on_ring(grid, 1) + exchange_on_ring(ring, 2);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&grid);
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_free(&parents[i]);
    }
    return wrong;
}

static int try_again(MPI_Info info)
{
    MPI_Info off;
    MPI_Comm parent;
    MPI_Comm ring;
    int neighbors[2];
    MPI_Info_create(&off);
    MPI_Info_set(off, "hopscotch_algorithm", "native");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, off, &parent);
    MPI_Info_free(&off);
    make_ring(parent, neighbors, &ring);
    MPI_Comm_set_info(ring, info);
    const int wrong = exchange_on_ring(ring, 1);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&parent);
    return wrong;
}

static int try_sub(MPI_Info info)
{
    const int periodic = 1;
    MPI_Comm first;
    MPI_Comm parent;
    MPI_Comm grid;
    MPI_Comm sub;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_set_info(first, info);
    MPI_Comm_dup(first, &parent);
    MPI_Cart_create(parent, 1, &size, &periodic, 0, &grid);
    MPI_Cart_sub(grid, &periodic, &sub);
    const int wrong = exchange_on_ring(grid, 1) + exchange_on_ring(sub, 2);
    MPI_Comm_free(&sub);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&parent);
    MPI_Comm_free(&first);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* kind = argc > 1 ? argv[1] : "";
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 2; i < argc; ++i) {
        set_key("given", info, argv[i]);
    }
    const int wrong = strcmp(kind, "duplicate") == 0 ? try_duplicate(info)
                      : strcmp(kind, "later") == 0   ? try_later(info)
                      : strcmp(kind, "parent") == 0  ? try_parent(info)
                      : strcmp(kind, "idup") == 0    ? try_idup(info)
                      : strcmp(kind, "again") == 0   ? try_again(info)
                                                     : try_sub(info);
    MPI_Info_free(&info);
    return conclude("given", wrong);
}
