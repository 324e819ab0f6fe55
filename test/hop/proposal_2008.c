// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The functions of the 2008 proposal under its own names, on a ring: by our header, or declared by the program.
#include "check.h"

#include "mpi2_topological.h"

int main(int argc, char** argv)
{
    int p, me, count = 0, ring = 1;
    MPI_Comm cart;
    begin_checks(&argc, &argv, &p, &me);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &ring, 0, &cart);
    const int after = (me + 1) % p, before = (me + p - 1) % p;

    int neighbors[2] = {-1, -1};
    CHECK(MPI_Comm_neighbors_count(cart, me, &count) == MPI_SUCCESS && count == 2);
    CHECK(MPI_Comm_neighbors(cart, me, 2, neighbors) == MPI_SUCCESS);
    CHECK(neighbors[0] == after && neighbors[1] == before);

    int sent[2] = {me, me}, received[2] = {-1, -1}, ones[2] = {1, 1}, turned[2] = {1, 0}, places[2] = {0, 1};
    CHECK(MPI_Neighbor_xchg(sent, 1, MPI_INT, received, 1, MPI_INT, cart) == MPI_SUCCESS);
    CHECK(received[0] == after && received[1] == before);
    CHECK(MPI_Neighbor_xchgv(sent, ones, places, MPI_INT, received, ones, turned, MPI_INT, cart) == MPI_SUCCESS);
    CHECK(received[1] == after && received[0] == before);
    CHECK(MPI_Cart_shift_xchg(sent, 1, MPI_INT, received, 1, MPI_INT, 0, 1, cart) == MPI_SUCCESS);
    CHECK(received[0] == before);
    MPI_Comm_free(&cart);
    return finish_checks();
}
