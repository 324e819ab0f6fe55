// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The examples 8.1 to 8.11 of MPI 4.0, chapter 8, in C: a program that knows nothing of Hopscotch and is run with it
// preloaded. Each example sends data along the topology it describes, and the program computes the expected data too.
// An example for 4 or 8 processes runs on as many of them as there are.
#include "halo.h"

static int p, me;

// A communicator of the first `count` processes; MPI_COMM_NULL on other processes, and on all of them if there are
// fewer.
static MPI_Comm first(int count)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, me < count && p >= count ? 0 : MPI_UNDEFINED, me, &part);
    return part;
}

static void example_1(void)
{
    int two[2] = {0, 0}, seven[2] = {0, 0}, three[3] = {0, 3, 0};
    MPI_Dims_create(6, 2, two);
    MPI_Dims_create(7, 2, seven);
    MPI_Dims_create(6, 3, three);
    CHECK(two[0] == 3 && two[1] == 2 && seven[0] == 7 && seven[1] == 1);
    CHECK(three[0] == 2 && three[1] == 3 && three[2] == 1);
}

// Everyone sends its rank to its neighbors and must see those of its neighbors, in their order.
static void check_ranks(MPI_Comm graph, int count, const int* neighbors)
{
    int rank = 0, received[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    MPI_Comm_rank(graph, &rank);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, graph);
    CHECK(memcmp(received, neighbors, (size_t)count * sizeof(int)) == 0);
}

static const int index_2[] = {2, 3, 4, 6}, edges_2[] = {1, 3, 0, 3, 0, 2};

static void example_2(void)
{
    MPI_Comm part = first(4), graph;
    if (part == MPI_COMM_NULL)
        return;
    MPI_Graph_create(part, 4, index_2, edges_2, 0, &graph);
    const int begin = me == 0 ? 0 : index_2[me - 1];
    check_ranks(graph, index_2[me] - begin, edges_2 + begin);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&part);
}

static void example_3(void)
{
    static const int all[] = {0, 1, 2, 3}, degrees[] = {2, 1, 1, 2}, ones[] = {1, 1, 1, 1, 1, 1};
    MPI_Comm part = first(4), graph;
    if (part == MPI_COMM_NULL)
        return;
    const int begin = me == 0 ? 0 : index_2[me - 1], degree = index_2[me] - begin;
    for (int way = 0; way < 3; ++way) {
        if (way == 0) // everyone its own edges
            MPI_Dist_graph_create(part, 1, &me, &degree, edges_2 + begin, ones, MPI_INFO_NULL, 0, &graph);
        else if (way == 1) // all by process 0
            MPI_Dist_graph_create(part, me == 0 ? 4 : 0, all, degrees, edges_2, ones, MPI_INFO_NULL, 0, &graph);
        else
            MPI_Dist_graph_create_adjacent(part, degree, edges_2 + begin, ones, degree, edges_2 + begin, ones,
                                           MPI_INFO_NULL, 0, &graph);
        int indegree = 0, outdegree = 0, weighted = 0, sources[4], targets[4], in[4], out[4];
        MPI_Dist_graph_neighbors_count(graph, &indegree, &outdegree, &weighted);
        CHECK(indegree == degree && outdegree == degree && weighted);
        MPI_Dist_graph_neighbors(graph, indegree, sources, in, outdegree, targets, out);
        check_ranks(graph, indegree, sources);
        int seen = 0, expected = 0;
        for (int i = 0; i < degree; ++i) {
            seen |= 1 << sources[i];
            expected |= 1 << edges_2[begin + i];
            CHECK(in[i] == 1 && out[i] == 1);
        }
        CHECK(seen == expected);
        MPI_Comm_free(&graph);
    }
    MPI_Comm_free(&part);
}

static void example_4(void)
{
    int dims[2] = {0, 0}, destinations[8], weights[8] = {2, 2, 2, 2, 1, 1, 1, 1}, degrees[1] = {8}, sources[1] = {me};
    MPI_Dims_create(p, 2, dims);
    const int P = dims[0], Q = dims[1], y = me / P, x = me % P;
    destinations[0] = P * y + (x + 1) % P;
    destinations[1] = P * y + (P + x - 1) % P;
    destinations[2] = P * ((y + 1) % Q) + x;
    destinations[3] = P * ((Q + y - 1) % Q) + x;
    destinations[4] = P * ((y + 1) % Q) + (x + 1) % P;
    destinations[5] = P * ((Q + y - 1) % Q) + (x + 1) % P;
    destinations[6] = P * ((y + 1) % Q) + (P + x - 1) % P;
    destinations[7] = P * ((Q + y - 1) % Q) + (P + x - 1) % P;
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, destinations, weights, MPI_INFO_NULL, 0, &graph);
    long mine = 1000 + me, received[8], sum = 0, expected = 0;
    MPI_Neighbor_allgather(&mine, 1, MPI_LONG, received, 1, MPI_LONG, graph);
    for (int i = 0; i < 8; ++i) { // the list is symmetric, the order of sources is the library's
        sum += received[i] * received[i];
        expected += (1000L + destinations[i]) * (1000L + destinations[i]);
    }
    CHECK(sum == expected);
    MPI_Comm_free(&graph);
}

static void example_5(void)
{
    static const int index[] = {3, 5, 6, 9}, edges[] = {1, 1, 3, 0, 0, 3, 0, 2, 2};
    MPI_Comm part = first(4), graph;
    if (part == MPI_COMM_NULL)
        return;
    MPI_Graph_create(part, 4, index, edges, 0, &graph);
    for (int rank = 0; rank < 4; ++rank) {
        const int begin = rank == 0 ? 0 : index[rank - 1];
        int count = 0, neighbors[4];
        MPI_Graph_neighbors_count(graph, rank, &count);
        CHECK(count == index[rank] - begin);
        MPI_Graph_neighbors(graph, rank, count, neighbors);
        CHECK(memcmp(neighbors, edges + begin, (size_t)count * sizeof(int)) == 0);
    }
    // Not every edge of the example has one back (2 knows 3 once, 3 knows 2 twice), so no collective is defined on it.
    MPI_Comm_free(&graph);
    MPI_Comm_free(&part);
}

static int shuffled(int node)
{
    return (node << 1 & 7) | node >> 2;
}

static int unshuffled(int node)
{
    return node >> 1 | (node & 1) << 2;
}

static void example_6(void)
{
    MPI_Comm part = first(8), comm;
    if (part == MPI_COMM_NULL)
        return;
    int index[8], edges[24], neighbors[3], rank;
    for (int node = 0; node < 8; ++node) {
        index[node] = 3 * (node + 1);
        edges[3 * node] = node ^ 1;
        edges[3 * node + 1] = shuffled(node);
        edges[3 * node + 2] = unshuffled(node);
    }
    MPI_Graph_create(part, 8, index, edges, 0, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Graph_neighbors(comm, rank, 3, neighbors);
    int a = rank;
    MPI_Sendrecv_replace(&a, 1, MPI_INT, neighbors[0], 0, neighbors[0], 0, comm, MPI_STATUS_IGNORE);
    CHECK(a == (rank ^ 1));
    a = rank;
    MPI_Sendrecv_replace(&a, 1, MPI_INT, neighbors[1], 0, neighbors[2], 0, comm, MPI_STATUS_IGNORE);
    CHECK(a == unshuffled(rank));
    a = rank;
    MPI_Sendrecv_replace(&a, 1, MPI_INT, neighbors[2], 0, neighbors[1], 0, comm, MPI_STATUS_IGNORE);
    CHECK(a == shuffled(rank));
    check_ranks(comm, 3, neighbors); // the same neighbors, by a collective
    MPI_Comm_free(&comm);
    MPI_Comm_free(&part);
}

static void example_7(void)
{
    int dims[2] = {0, 0}, coords[2], source, dest, rank;
    const int periods[2] = {1, 1};
    MPI_Comm comm;
    MPI_Dims_create(p, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, 2, coords);
    MPI_Cart_shift(comm, 0, coords[1], &source, &dest);
    int a = rank;
    MPI_Sendrecv_replace(&a, 1, MPI_INT, dest, 0, source, 0, comm, MPI_STATUS_IGNORE);
    const int row = ((coords[0] - coords[1]) % dims[0] + dims[0]) % dims[0];
    CHECK(a == row * dims[1] + coords[1]);
    MPI_Comm_free(&comm);
}

static void example_8(void)
{
    // The grid of the example is 2 x 3 x 4; with fewer processes the last dimension is smaller.
    const int dims[3] = {2, 3, p / 6}, periods[3] = {0, 0, 0}, remain[3] = {1, 0, 1};
    MPI_Comm comm, sub;
    if (p < 6)
        return;
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    int size = 0, number = 0, coords[3], there[2], before = 0, after = 0, received[4] = {-1, -1, -1, -1};
    MPI_Cart_sub(comm, remain, &sub);
    MPI_Comm_size(sub, &size);
    MPI_Cartdim_get(sub, &number);
    CHECK(size == 2 * dims[2] && number == 2);
    MPI_Cart_coords(comm, me, 3, coords);
    int rank = 0;
    MPI_Comm_rank(sub, &rank);
    MPI_Cart_coords(sub, rank, 2, there);
    CHECK(there[0] == coords[0] && there[1] == coords[2]);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, sub);
    for (int k = 0; k < 2; ++k) {
        MPI_Cart_shift(sub, k, 1, &before, &after);
        CHECK(received[2 * k] == (before == MPI_PROC_NULL ? -1 : before));
        CHECK(received[2 * k + 1] == (after == MPI_PROC_NULL ? -1 : after));
    }
    MPI_Comm_free(&sub);
    MPI_Comm_free(&comm);
}

// Directions of 3 and of 1 process, periodic and not: the buffers that are read and written.
static void examples_9_and_10(int periodic)
{
    const int dims[2] = {p >= 3 ? 3 : p, 1}, periods[2] = {periodic, periodic};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    int rank = 0, send[4], gathered[4] = {-1, -1, -1, -1}, exchanged[4] = {-1, -1, -1, -1};
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < 4; ++i)
        send[i] = 10 * rank + i;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, comm);
    MPI_Neighbor_alltoall(send, 1, MPI_INT, exchanged, 1, MPI_INT, comm);
    for (int d = 0; d < 2; ++d) {
        int source = 0, dest = 0;
        MPI_Cart_shift(comm, d, 1, &source, &dest);
        CHECK(gathered[2 * d] == (source == MPI_PROC_NULL ? -1 : source));
        CHECK(gathered[2 * d + 1] == (dest == MPI_PROC_NULL ? -1 : dest));
        // Block 2d+1 of the previous process arrives here, and block 2d of the next one; if both are one process, MPI
        // libraries differ in the order of the two.
        if (source != dest) {
            CHECK(exchanged[2 * d] == (source == MPI_PROC_NULL ? -1 : 10 * source + 2 * d + 1));
            CHECK(exchanged[2 * d + 1] == (dest == MPI_PROC_NULL ? -1 : 10 * dest + 2 * d));
        } else if (source == rank && dims[0] == 1) { // all four blocks go to the process itself
            CHECK(exchanged[0] + exchanged[1] + exchanged[2] + exchanged[3] == 40 * rank + 6);
        } else if (source != MPI_PROC_NULL) {
            CHECK(exchanged[2 * d] + exchanged[2 * d + 1] == 20 * source + 4 * d + 1);
        } else {
            CHECK(exchanged[2 * d] == -1 && exchanged[2 * d + 1] == -1);
        }
    }
    MPI_Comm_free(&comm);
}

// The Poisson example with its exchange as one collective: rows and columns of the halo, corners not needed. It is
// periodic, so a dimension of two processes has parallel edges; the halo must be right on all sides there as well.
static void example_11(void)
{
    int dims[2] = {0, 0}, coords[2], rank;
    const int periods[2] = {p < 9, p < 9};
    MPI_Comm comm;
    struct Halo halo;
    double matrix[n + 2][n + 2];
    MPI_Dims_create(p, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, 2, coords);
    const struct Grid grid = {dims[0], dims[1], periods[0], coords[0], coords[1]};
    fill(&grid, matrix);
    make_halo(&halo);
    // Neighbors: up, down, left, right; to them the first row, the last row, the first column, the last column.
    const int place[4][2] = {{1, 1}, {n, 1}, {1, 1}, {1, n}}, at[4][2] = {{0, 1}, {n + 1, 1}, {1, 0}, {1, n + 1}};
    MPI_Aint senddispls[4], recvdispls[4];
    MPI_Datatype types[4] = {halo.ROW, halo.ROW, halo.COL, halo.COL};
    const int ones[4] = {1, 1, 1, 1};
    for (int i = 0; i < 4; ++i) {
        senddispls[i] = (place[i][0] * (n + 2) + place[i][1]) * (MPI_Aint)sizeof(double);
        recvdispls[i] = (at[i][0] * (n + 2) + at[i][1]) * (MPI_Aint)sizeof(double);
    }
    const int twice = periods[0] && (dims[0] < 3 || dims[1] < 3);
    for (int step = 0; step < steps; ++step) {
        if (!twice) {
            MPI_Neighbor_alltoallw(matrix, ones, senddispls, types, matrix, ones, recvdispls, types, comm);
        } else { // MPI libraries differ here, so the exchange is written by hand, by its description in MPI 4.0
            for (int d = 0; d < 2; ++d) {
                int before, after;
                MPI_Cart_shift(comm, d, 1, &before, &after);
                MPI_Sendrecv((char*)matrix + senddispls[2 * d], 1, types[2 * d], before, 2 * d,
                             (char*)matrix + recvdispls[2 * d + 1], 1, types[2 * d], after, 2 * d, comm,
                             MPI_STATUS_IGNORE);
                MPI_Sendrecv((char*)matrix + senddispls[2 * d + 1], 1, types[2 * d], after, 2 * d + 1,
                             (char*)matrix + recvdispls[2 * d], 1, types[2 * d], before, 2 * d + 1, comm,
                             MPI_STATUS_IGNORE);
            }
        }
        update(matrix, 5);
    }
    check_against_serial(&grid, matrix, 5);
    free_halo(&halo);
    MPI_Comm_free(&comm);
}

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    example_1();
    example_2();
    example_3();
    example_4();
    example_5();
    example_6();
    example_7();
    example_8();
    examples_9_and_10(0);
    examples_9_and_10(1);
    example_11();
    return finish_checks();
}
