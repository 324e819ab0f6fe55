// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Figure 1 (a, b) and Listings 2 and 7 of Träff et al., "A Case for Orthogonality", under the names of the paper: the
// 9-point stencil with MPI as it is and as proposed, and the Game of Life with a sparse Allreduce, against serial
// computations. The proposed meaning of MPI's names comes from HOPSCOTCH_ORTHOGONAL_NAMES, or at run time from
// HOPSCOTCH_SEMANTICS=orthogonal.
#include "halo.h"

#include "mpiortholib.h"

// Listing 4 declares the function that Listing 7 calls with one argument more; in a program with its own declaration
// the name has one prototype.
#ifdef PUBLISHED_MPIORTHOLIB_H
#define Cart_allranks_of_listing_7 Cart_allranks_relative
#else
#define Cart_allranks_of_listing_7 Cart_allranks
#endif

// Figure 1a; the paper's sources are at minus the offsets.
static void stencil_as_is(MPI_Comm comm, int periodic)
{
    int p, rank, order[2] = {0, 0}, period[2] = {periodic, periodic}, vector[2];
    MPI_Comm cart, cartcomm;
    MPI_Comm_size(comm, &p);
    const int d = 2; // number of dimensions
    MPI_Dims_create(p, d, order);
    MPI_Cart_create(comm, d, order, period, 0, &cart);
    MPI_Comm_rank(cart, &rank);
    int t = 8, sources[8], destinations[8];
    for (int i = 0; i < t; i++) {
        MPI_Cart_coords(cart, rank, 2, vector);
        vector[0] += moore[2 * i];
        vector[1] += moore[2 * i + 1];
        MPI_Cart_rank(cart, vector, &destinations[i]);
        MPI_Cart_coords(cart, rank, 2, vector);
        vector[0] -= moore[2 * i];
        vector[1] -= moore[2 * i + 1];
        MPI_Cart_rank(cart, vector, &sources[i]);
    }
    MPI_Dist_graph_create_adjacent(cart, t, sources, MPI_UNWEIGHTED, t, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &cartcomm);
    MPI_Cart_coords(cart, rank, 2, vector);
    const struct Grid grid = {order[0], order[1], periodic, vector[0], vector[1]};
    double matrix[n + 2][n + 2];
    struct Halo halo;
    fill(&grid, matrix);
    make_halo(&halo);
    for (int step = 0; step < steps; ++step) {
        MPI_Neighbor_alltoallw(matrix, halo.sendcount, halo.senddisp, halo.sendtype, matrix, halo.recvcount,
                               halo.recvdisp, halo.recvtype, cartcomm);
        update(matrix, 9);
    }
    check_against_serial(&grid, matrix, 9);
    free_halo(&halo);
    MPI_Comm_free(&cartcomm);
    MPI_Comm_free(&cart);
}

// Figure 1b, with the sources of Figure 1a; on a mesh, without the neighbors beyond the border.
static void stencil_as_proposed(MPI_Comm comm, int periodic)
{
    int p, pp, r, order[2] = {0, 0}, period[2] = {periodic, periodic}, vector[2];
    MPI_Comm cartcomm, basecomm;
    MPI_Comm_size(comm, &p);
    const int d = 2; // number of dimensions
    MPI_Dims_create(p, d, order);
    Cart_name(comm, d, ROWMAJOR, order, period, &pp);
    MPI_Comm_rank(comm, &r);
    int opposite[16], all_sources[8], all_ranks[8], sources[8], ranks[8];
    for (int i = 0; i < 16; ++i)
        opposite[i] = -moore[i];
    Cart_allranks_relative(comm, r, 8, moore, all_ranks);
    Cart_allranks_relative(comm, r, 8, opposite, all_sources);
    struct Halo halo;
    make_halo(&halo);
    struct Halo kept = halo;
    int s = 0, t = 0;
    for (int i = 0; i < 8; ++i) {
        if (all_ranks[i] != MPI_PROC_NULL) {
            ranks[t] = all_ranks[i];
            kept.senddisp[t] = halo.senddisp[i];
            kept.sendtype[t++] = halo.sendtype[i];
        }
        if (all_sources[i] != MPI_PROC_NULL) {
            sources[s] = all_sources[i];
            kept.recvdisp[s] = halo.recvdisp[i];
            kept.recvtype[s++] = halo.recvtype[i];
        }
    }
    MPI_Dist_graph_create_adjacent(comm, s, sources, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &cartcomm);
    CHECK(tuw_isCartesian(comm, cartcomm));
    Comm_base(cartcomm, &basecomm);
    Cart_coordinates(comm, r, vector);
    const struct Grid grid = {order[0], order[1], periodic, vector[0], vector[1]};
    double matrix[n + 2][n + 2];
    fill(&grid, matrix);
    short iterate = 1;
    for (int step = 0; iterate; ++step) {
        TUW_Alltoallw(matrix, kept.sendcount, kept.senddisp, kept.sendtype, matrix, kept.recvcount, kept.recvdisp,
                      kept.recvtype, cartcomm);
        update(matrix, 9);
        short local = step + 1 < steps || r > 0; // the convergence check: rank 0 decides to stop
        MPI_Allreduce(&local, &iterate, 1, MPI_SHORT, MPI_LAND, basecomm);
    }
    check_against_serial(&grid, matrix, 9);
    free_halo(&halo);
    MPI_Comm_free(&cartcomm);
    MPI_Comm_free(&basecomm);
}

// Listing 7: one cell per process.
static void game_of_life(MPI_Comm comm, int periodic)
{
    int p, pp, order[2] = {0, 0}, period[2];
    MPI_Comm cartcomm;
    MPI_Comm_size(comm, &p);
    int d = 2; // number of dimensions
    MPI_Dims_create(p, d, order);
    period[0] = periodic;
    period[1] = periodic;
    Cart_name(comm, d, ROWMAJOR, order, period, &pp);
    int r;
    MPI_Comm_rank(comm, &r);
    int t;
    Cart_neighbors_count(comm, r, CHEBYCHEV_DISTANCE, 1, 1, &t);
    CHECK(t <= 8 && (t == 8 || !periodic));
    int target[2 * 8];
    Cart_neighbors(comm, r, CHEBYCHEV_DISTANCE, 1, 1, t, target);
    int ranks[8];
    Cart_allranks_of_listing_7(comm, r, t, target, ranks);
    MPI_Dist_graph_create_adjacent(comm, t, ranks, MPI_UNWEIGHTED, t, ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &cartcomm);

    int* now = malloc((size_t)p * sizeof(int));
    int* next = malloc((size_t)p * sizeof(int));
    for (int i = 0; i < p; ++i)
        now[i] = i % 3 == 0 || i % 7 == 1;
    short state = (short)now[r];
    for (int generation = 0; generation < 6; ++generation) {
        short live = 0;
        MPI_Allreduce(&state, &live, 1, MPI_SHORT, MPI_SUM, cartcomm);
        if (live < 2 || live > 3)
            state = 0;
        else if (live == 3)
            state = 1;
        for (int i = 0; i < p; ++i) { // the whole board
            int neighbors = 0;
            for (int k = 0; k < 9; ++k) {
                int row = i / order[1] + k / 3 - 1, column = i % order[1] + k % 3 - 1;
                if (k == 4)
                    continue;
                if (periodic) {
                    row = (row + order[0]) % order[0];
                    column = (column + order[1]) % order[1];
                }
                if (row >= 0 && row < order[0] && column >= 0 && column < order[1])
                    neighbors += now[row * order[1] + column];
            }
            next[i] = neighbors == 3 || (neighbors == 2 && now[i]);
        }
        int* swap = now;
        now = next;
        next = swap;
        CHECK(state == now[r]);
    }
    free(now);
    free(next);
    MPI_Comm_free(&cartcomm);
}

// The constants a program gives are those it gets back, and coordinates are numbered as they say.
static void orders(MPI_Comm comm)
{
    int p, pp, dimorder = 0, order[2] = {0, 0}, period[2] = {1, 1}, got[2], vector[2] = {0, 1}, rank = -1, same = -1;
    MPI_Comm_size(comm, &p);
    MPI_Dims_create(p, 2, order);
    vector[1] %= order[1];
    CHECK(Cart_name(comm, 2, ROWMAJOR, order, period, &pp) == MPI_SUCCESS && pp == p);
    CHECK(TUW_Cart_get(comm, &dimorder, 2, got, period) == MPI_SUCCESS && dimorder == TUW_ROWMAJOR);
    CHECK(Cart_rank(comm, vector, &rank) == MPI_SUCCESS && rank == vector[1]);
    CHECK(TUW_Cart_name(comm, 2, TUW_COLMAJOR, order, period, &pp) == MPI_SUCCESS);
    CHECK(Cart_get(comm, &dimorder, 2, got, period) == MPI_SUCCESS && dimorder == COLMAJOR && got[1] == order[1]);
    CHECK(Cart_rank(comm, vector, &rank) == MPI_SUCCESS && rank == vector[1] * order[0]);
    CHECK(Cart_allranks(comm, 1, vector, &same) == MPI_SUCCESS && same == rank);
    CHECK_ERROR(Cart_name(comm, 2, 99, order, period, &pp), MPI_ERR_DIMS);
    CHECK_ERROR(Cart_get(comm, NULL, 2, got, period), MPI_ERR_ARG);
    CHECK_ERROR(TUW_Cart_get(comm, NULL, 2, got, period), MPI_ERR_ARG);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm world; // named anew in every part
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    stencil_as_is(world, 1);
    stencil_as_proposed(world, 1);
    stencil_as_proposed(world, 0);
    game_of_life(world, 1);
    game_of_life(world, 0);
    orders(world);
    MPI_Comm_free(&world);
    return finish_checks();
}
