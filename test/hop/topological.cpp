// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The 2008 proposal: exchanges, queries and shifts on Cartesian, graph and distributed graph communicators, by function
// and by class; Cannon's algorithm against a serial product.
#include "check.h"

#include <hopscotch.hpp>
#include <hopscotch/mpi2_topological.h>

#include <cmath>
#include <cstring>

namespace
{

int p, me;

int value(int from, int block, int k)
{
    return (from * 37 + block) * 5 + k;
}

/// Neighbors as the proposal defines them, from MPI's own functions: +1 before -1, none beyond borders.
std::vector<int> expected_neighbors(MPI_Comm cart, int d)
{
    std::vector<int> neighbors;
    for (int k = 0; k < d; ++k) {
        int before = 0, after = 0;
        MPI_Cart_shift(cart, k, 1, &before, &after);
        if (after != MPI_PROC_NULL)
            neighbors.push_back(after);
        if (before != MPI_PROC_NULL)
            neighbors.push_back(before);
    }
    return neighbors;
}

/// The slot in which my block i lands: the entry with the same position among the entries for me in my neighbor's list.
int slot_of(const std::vector<int>& theirs, const std::vector<int>& mine, std::size_t i)
{
    std::size_t turn = 0;
    for (std::size_t j = 0; j < i; ++j)
        turn += mine[j] == mine[i] ? 1 : 0;
    for (std::size_t j = 0; j < theirs.size(); ++j)
        if (theirs[j] == me && turn-- == 0)
            return static_cast<int>(j);
    return -1;
}

/// Sends every neighbor the slot its block is to land in.
void check_exchange(const hopscotch::Topocomm& comm, const std::vector<int>& mine)
{
    CHECK(comm.Get_neighbors(me) == mine);
    if (!mine.empty()) { // room for one less
        std::vector<int> few(mine.size(), -77);
        CHECK(Hop_Comm_neighbors(comm.mpi_comm(), me, static_cast<int>(mine.size()) - 1, few.data()) == MPI_SUCCESS);
        CHECK(few.back() == -77);
    }
    std::vector<int> sent, received(mine.size() * 3 + 1, -77);
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const int slot = slot_of(comm.Get_neighbors(mine[i]), mine, i);
        for (int k = 0; k < 3; ++k)
            sent.push_back(value(me, slot, k));
    }
    sent.push_back(0);
    comm.Neighbor_xchg(sent.data(), 3, MPI_INT, received.data(), 3, MPI_INT);
    for (std::size_t i = 0; i < mine.size(); ++i)
        for (int k = 0; k < 3; ++k)
            CHECK(received[i * 3 + static_cast<std::size_t>(k)] == value(mine[i], static_cast<int>(i), k));
    CHECK(received.back() == -77);

    // The v form: sizes by pair of processes, buffers backwards.
    std::vector<int> counts(mine.size() + 1), displs(mine.size() + 1);
    received.assign(mine.size() * 4 + 1, -77);
    std::vector<int> scattered(mine.size() * 4 + 1, 0);
    for (std::size_t i = 0; i < mine.size(); ++i) {
        counts[i] = (me + mine[i]) % 4;
        displs[i] = static_cast<int>((mine.size() - 1 - i) * 4);
        for (int k = 0; k < counts[i]; ++k)
            scattered[static_cast<std::size_t>(displs[i] + k)] = sent[i * 3] + k;
    }
    comm.Neighbor_xchgv(scattered.data(), counts.data(), displs.data(), MPI_INT, received.data(), counts.data(),
                        displs.data(), MPI_INT);
    for (std::size_t i = 0; i < mine.size(); ++i)
        for (int k = 0; k < 4; ++k)
            CHECK(received[static_cast<std::size_t>(displs[i] + k)] ==
                  (k < counts[i] ? value(mine[i], static_cast<int>(i), k) : -77));
}

void check_cartesian(int d, bool periodic)
{
    std::vector<int> dims(static_cast<std::size_t>(d), 0), periods(static_cast<std::size_t>(d), periodic);
    MPI_Dims_create(p, d, dims.data());
    MPI_Comm raw;
    MPI_Cart_create(MPI_COMM_WORLD, d, dims.data(), periods.data(), 0, &raw);
    hopscotch::Cartcomm cart(raw);
    check_exchange(cart, expected_neighbors(raw, d));
    int active = 0;
    Hop_Counters before, after;
    CHECK(Hop_active(&active) == MPI_SUCCESS && Hop_counters(raw, &before) == MPI_SUCCESS);
    CHECK(before.calls == (active ? 2u : 0u)); // both exchanges
    for (int direction = 0; direction < d; ++direction) {
        for (int displacement = -2; displacement <= 2; ++displacement) {
            int from = 0, to = 0, received = -77;
            MPI_Cart_shift(raw, direction, displacement, &from, &to);
            cart.Shift_xchg(&me, 1, MPI_INT, &received, 1, MPI_INT, direction, displacement);
            CHECK(received == (from == MPI_PROC_NULL ? -77 : from));
            CHECK(Hop_counters(raw, &after) == MPI_SUCCESS && after.calls == before.calls + (active ? 1u : 0u));
            CHECK(after.messages == before.messages + (active && to != MPI_PROC_NULL && to != me ? 1u : 0u));
            before = after;
        }
    }
    int none = 0;
    CHECK_ERROR(MPI_Cart_shift_xchg(&me, 1, MPI_INT, &none, 1, MPI_INT, d, 1, raw), MPI_ERR_DIMS);
    CHECK_ERROR(MPI_Cart_shift_xchg(&me, -1, MPI_INT, &none, 1, MPI_INT, 0, 1, raw), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Neighbor_xchg(MPI_IN_PLACE, 1, MPI_INT, &none, 1, MPI_INT, raw), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Comm_neighbors_count(raw, p, &none), MPI_ERR_RANK);
    CHECK_ERROR(MPI_Comm_neighbors(raw, 0, -1, &none), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_neighbors_count(raw, 0, nullptr), MPI_ERR_ARG);
    cart.Free();
}

void check_graphs()
{
    // A star: everyone knows rank 0.
    std::vector<int> index, edges;
    for (int rank = 1; rank < p; ++rank)
        edges.push_back(rank);
    index.push_back(p - 1);
    for (int rank = 1; rank < p; ++rank) {
        edges.push_back(0);
        index.push_back(p - 1 + rank);
    }
    edges.push_back(0); // never empty
    MPI_Comm raw;
    MPI_Graph_create(MPI_COMM_WORLD, p, index.data(), edges.data(), 0, &raw);
    hopscotch::Graphcomm star(raw);
    std::vector<int> mine(edges.begin(), edges.begin() + p - 1);
    if (me != 0)
        mine.assign(1, 0);
    check_exchange(star, mine);
    star.Free();

    // A distributed ring in one direction: to the next, from the one before.
    const int to = (me + 1) % p, from = (me + p - 1) % p;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &raw);
    const hopscotch::Distgraphcomm ring(raw);
    int received = -1;
    CHECK(ring.Get_neighbors(me) == std::vector<int>(1, to));
    ring.Neighbor_xchg(&me, 1, MPI_INT, &received, 1, MPI_INT);
    CHECK(received == from);
    if (p > 1)
        CHECK_ERROR(Hop_Comm_neighbors_count(raw, to, &received), MPI_ERR_RANK);
    MPI_Comm_free(&raw);
}

void check_no_topology()
{
    int one = 0, two = 0;
    CHECK_ERROR(MPI_Neighbor_xchg(&one, 1, MPI_INT, &two, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Neighbor_xchgv(&one, &one, &one, MPI_INT, &two, &two, &two, MPI_INT, MPI_COMM_WORLD),
                MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Comm_neighbors_count(MPI_COMM_WORLD, 0, &one), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Comm_neighbors(MPI_COMM_WORLD, 0, 1, &one), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Cart_shift_xchg(&one, 1, MPI_INT, &two, 1, MPI_INT, 0, 1, MPI_COMM_WORLD), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Comm_neighbors_count(MPI_COMM_NULL, 0, &one), MPI_ERR_COMM);
    int thrown = MPI_SUCCESS;
    try {
        hopscotch::Topocomm none(MPI_COMM_WORLD);
    } catch (const hopscotch::Error& error) {
        thrown = error.code();
        CHECK(std::strlen(error.what()) > 0);
    }
    CHECK(thrown == MPI_ERR_TOPOLOGY);
}

/// The proposal's example (section 2.3): every process has one element of each matrix, rows of A and columns of B
/// travel.
void cannon()
{
    const int side = static_cast<int>(std::sqrt(static_cast<double>(p)) + 0.5);
    if (side * side != p)
        return;
    const int dims[2] = {side, side}, periods[2] = {1, 1};
    int at[2];
    MPI_Comm raw;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &raw);
    MPI_Cart_coords(raw, me, 2, at);
    const hopscotch::Cartcomm grid(raw);
    const auto element_a = [&](int i, int j) { return 1.0 + i * side + j; };
    const auto element_b = [&](int i, int j) { return 2.0 * i - 3.0 * j + 1; };
    double a = element_a(at[0], at[1]), b = element_b(at[0], at[1]), c = 0, other = 0;
    MPI_Cart_shift_xchg(&a, 1, MPI_DOUBLE, &other, 1, MPI_DOUBLE, 1, 0, raw); // nothing moves
    CHECK(other == a);
    // Alignment: row i by i places, column j by j places; every process shifts by as much as its row or column.
    for (int step = 1; step < side; ++step) {
        grid.Shift_xchg(&a, 1, MPI_DOUBLE, &other, 1, MPI_DOUBLE, 1, -1);
        a = step <= at[0] ? other : a;
        grid.Shift_xchg(&b, 1, MPI_DOUBLE, &other, 1, MPI_DOUBLE, 0, -1);
        b = step <= at[1] ? other : b;
    }
    for (int step = 0; step < side; ++step) {
        c += a * b;
        double other_a = 0;
        MPI_Request shifts[] = {grid.Ishift_xchg(&a, 1, MPI_DOUBLE, &other_a, 1, MPI_DOUBLE, 1, -1),
                                grid.Ishift_xchg(&b, 1, MPI_DOUBLE, &other, 1, MPI_DOUBLE, 0, -1)};
        MPI_Waitall(2, shifts, MPI_STATUSES_IGNORE);
        a = other_a;
        b = other;
    }
    double expected = 0;
    for (int k = 0; k < side; ++k)
        expected += element_a(at[0], k) * element_b(k, at[1]);
    CHECK(c == expected);
    MPI_Comm_free(&raw);
}

} // namespace

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    for (int d = 1; d <= 3; ++d) {
        check_cartesian(d, false);
        check_cartesian(d, true);
    }
    check_graphs();
    check_no_topology();
    cannon();
    return finish_checks();
}
