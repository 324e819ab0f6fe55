// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Listings 1 to 4 of Träff & Hunold, ICPP 2019, under the names of the paper: 5- and 9-point stencils on tori and
// meshes with Cart_alltoallw, and the trivial algorithm written with Cart_relative_shift; against a serial computation.
#include "halo.h"

#include "tuwcartesians.h"

// Listing 4, with the blocks of Listing 3.
static void trivial_alltoallw(double* matrix, const struct Halo* halo, int t, MPI_Comm comm)
{
    for (int i = 0; i < t; i++) {
        int source, dest;
        Cart_relative_shift(comm, moore + 2 * i, &source, &dest);
        MPI_Sendrecv((char*)matrix + halo->senddisp[i], halo->sendcount[i], halo->sendtype[i], dest, 0,
                     (char*)matrix + halo->recvdisp[i], halo->recvcount[i], halo->recvtype[i], source, 0, comm,
                     MPI_STATUS_IGNORE);
    }
}

static void stencil(MPI_Comm comm, int periodic, int points, int by_hand, MPI_Info info)
{
    int p, order[2] = {0, 0}, period[2] = {periodic, periodic}, rank, coordinates[2];
    MPI_Comm cart;
    MPI_Comm_size(comm, &p);
    MPI_Dims_create(p, 2, order);
    const int t = points - 1;
    Cart_neighborhood_create(comm, 2, order, period, t, moore, MPI_UNWEIGHTED, info, 0, &cart);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 2, coordinates); // it is a Cartesian communicator
    const struct Grid grid = {order[0], order[1], periodic, coordinates[0], coordinates[1]};

    double matrix[n + 2][n + 2];
    struct Halo halo;
    fill(&grid, matrix);
    make_halo(&halo);
    Cart_alltoallw_init(matrix, halo.sendcount, halo.senddisp, halo.sendtype, matrix, halo.recvcount, halo.recvdisp,
                        halo.recvtype, cart);
    for (int step = 0; step < steps; ++step) {
        if (by_hand)
            trivial_alltoallw(matrix[0], &halo, t, cart);
        else
            Cart_alltoallw(matrix, halo.sendcount, halo.senddisp, halo.sendtype, matrix, halo.recvcount, halo.recvdisp,
                           halo.recvtype, cart);
        update(matrix, points);
    }
    check_against_serial(&grid, matrix, points);
    free_halo(&halo);
    MPI_Comm_free(&cart);
}

// Cart_neighbor_get returns the arguments of MPI_Dist_graph_create_adjacent (section 2.2).
static void graph_of_neighborhood(MPI_Comm comm)
{
    int p, t = 0, order[2] = {0, 0}, period[2] = {1, 1}, source[8], sink[8], sent = 0, received[8];
    MPI_Comm cart, graph;
    MPI_Comm_size(comm, &p);
    MPI_Dims_create(p, 2, order);
    Cart_neighborhood_create(comm, 2, order, period, 8, moore, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &cart);
    Cart_neighbor_count(cart, &t);
    CHECK(t == 8);
    Cart_neighbor_get(cart, t, source, MPI_UNWEIGHTED, t, sink, MPI_UNWEIGHTED);
    MPI_Dist_graph_create_adjacent(cart, t, source, MPI_UNWEIGHTED, t, sink, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    int by_graph[8];
    MPI_Comm_rank(cart, &sent);
    Cart_allgather(&sent, 1, MPI_INT, received, 1, MPI_INT, cart);
    MPI_Neighbor_allgather(&sent, 1, MPI_INT, by_graph, 1, MPI_INT, graph);
    for (int i = 0; i < 8; ++i)
        CHECK(received[i] == source[i] && by_graph[i] == source[i]);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&cart);
}

// The names of the published library.
static void published_names(MPI_Comm comm)
{
    int p, t = 0, in = 0, out = 0, order[2] = {0, 0}, period[2] = {1, 1}, send[8], received[8], rank;
    MPI_Comm cart;
    MPI_Comm_size(comm, &p);
    MPI_Dims_create(p, 2, order);
    TUW_Cart_neighborhood_create(comm, 2, order, period, 8, moore, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &cart);
    TUW_Cart_neighborhood_count(cart, &t);
    TUW_Cart_neighbors_count(cart, &out, &in);
    CHECK(t == 8 && in == 4 && out == 4);
    MPI_Comm_rank(cart, &rank);
    for (int i = 0; i < 8; ++i)
        send[i] = rank * 8 + i;
    TUW_Cart_neighbor_alltoall_init(send, 1, MPI_INT, received, 1, MPI_INT, cart);
    TUW_Cart_neighbor_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, cart);
    for (int i = 0; i < 8; ++i) {
        int source, dest;
        TUW_Cart_relative_shift(cart, moore + 2 * i, &source, &dest);
        CHECK(received[i] == source * 8 + i);
    }
    // The published header declares displacements of type int.
    int zeros[8] = {0};
    MPI_Datatype types[8] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    CHECK(TUW_Cart_neighbor_alltoallw_init(send, zeros, zeros, types, received, zeros, zeros, types, cart) ==
          MPI_SUCCESS);
    TUW_Cart_neighbor_alltoall_free(cart);
    MPI_Comm_free(&cart);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    for (int trivial = 0; trivial < 3; ++trivial) {
        MPI_Info info = MPI_INFO_NULL;
        if (trivial < 2) {
            MPI_Info_create(&info);
            MPI_Info_set(info, "trivial", trivial ? "true" : "false");
        }
        for (int periodic = 0; periodic < 2; ++periodic) {
            stencil(MPI_COMM_WORLD, periodic, 5, 0, info);
            stencil(MPI_COMM_WORLD, periodic, 9, 0, info);
            stencil(MPI_COMM_WORLD, periodic, 9, 1, info);
        }
        if (info != MPI_INFO_NULL)
            MPI_Info_free(&info);
    }
    graph_of_neighborhood(MPI_COMM_WORLD);
    published_names(MPI_COMM_WORLD);
    return finish_checks();
}
