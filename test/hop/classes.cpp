// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The C++ classes for neighborhoods, names, collectives that follow the topology, and windows: against computed values.
// topological.cpp checks the classes of the 2008 proposal.
#include "check.h"

#include <hopscotch.hpp>

#include <algorithm>

namespace
{

int p, me;

int around(int rank)
{
    return (rank % p + p) % p;
}

/// True if `call` throws an Error of this class.
template <class Call>
bool throws(int expected, Call call)
{
    try {
        call();
    } catch (const hopscotch::Error& error) {
        return class_of(error.code()) == expected;
    }
    return false;
}

void information()
{
    CHECK(hopscotch::version().find('.') != std::string::npos);
    hopscotch::counting(false);
    hopscotch::counting(true);
    CHECK(hopscotch::counters().failed == 0);
    if (!hopscotch::active())
        CHECK(throws(MPI_ERR_OTHER, [] { hopscotch::report("stderr"); }));
}

/// Offsets +2, 0, -1 on a ring.
void neighborhood()
{
    using hopscotch::Neighborhood;
    const std::vector<int> offsets = {2, 0, -1}, weights = {5, 6, 7};
    Neighborhood ring = Neighborhood::Create(MPI_COMM_WORLD, {p}, {true}, offsets, MPI_INFO_NULL, false, weights);
    CHECK(ring.Get_size() == p && ring.Get_rank() == me && !ring.Is_null());
    const std::vector<int> sources = {around(me - 2), me, around(me + 1)};
    const std::vector<int> targets = {around(me + 2), me, around(me - 1)};

    const hopscotch::Neighbor_lists lists = ring.Neighbor_get();
    CHECK(lists.sources == sources && lists.targets == targets);
    CHECK(lists.source_weights == weights && lists.target_weights == weights);
    CHECK(ring.Neighbor_get_relative() == offsets);
    CHECK(ring.Relative_rank({2}) == targets[0]);
    CHECK(ring.Relative_shift({2}).source == sources[0] && ring.Relative_shift({2}).target == targets[0]);
    CHECK(ring.Relative_coord(around(me + 1)) == std::vector<int>{p == 1 ? 0 : 1});
    for (int at : {0, 1, 2}) {
        const std::vector<int>& found = ring.Neighbor_find_rank(sources[static_cast<std::size_t>(at)]).sources;
        CHECK(std::count(found.begin(), found.end(), at) == 1);
        const std::vector<int>& there = ring.Neighbor_find_coord({offsets[static_cast<std::size_t>(at)]}).targets;
        CHECK(std::count(there.begin(), there.end(), at) == 1);
    }
    const hopscotch::Neighbor_lists axis = ring.Axis_neighbors();
    CHECK(axis.sources == (std::vector<int>{around(me - 1), around(me + 1)}));
    CHECK(axis.targets == (std::vector<int>{around(me + 1), around(me - 1)}));

    const std::vector<int> sent = {10 * me, 10 * me + 1, 10 * me + 2}, ones = {1, 1, 1}, backwards = {2, 1, 0};
    const std::vector<int> expected = {10 * sources[0], 10 * sources[1] + 1, 10 * sources[2] + 2};
    const std::vector<int> turned = {expected[2], expected[1], expected[0]};
    const std::vector<MPI_Aint> bytes = {8, 4, 0}, forwards = {0, 4, 8};
    const std::vector<MPI_Datatype> types(3, MPI_INT);
    std::vector<int> received(3, -7);
    ring.Alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT);
    ring.Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT);
    CHECK(received == expected);
    ring.Alltoallv(sent.data(), ones.data(), std::vector<int>{0, 1, 2}.data(), MPI_INT, received.data(), ones.data(),
                   backwards.data(), MPI_INT);
    CHECK(received == turned);
    ring.Alltoallw(sent.data(), ones.data(), forwards.data(), types.data(), received.data(), ones.data(),
                   forwards.data(), types.data());
    CHECK(received == expected);
    ring.Allgather(&me, 1, MPI_INT, received.data(), 1, MPI_INT);
    CHECK(received == sources);
    const std::vector<int> sources_turned(sources.rbegin(), sources.rend());
    ring.Allgatherv(&me, 1, MPI_INT, received.data(), ones.data(), backwards.data(), MPI_INT);
    CHECK(received == sources_turned);
    received.assign(3, -7);
    ring.Allgatherw(&me, 1, MPI_INT, received.data(), ones.data(), bytes.data(), types.data());
    CHECK(received == sources_turned);
    ring.Alltoall_free();
    received.assign(3, -7);
    MPI_Request request = ring.Ialltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(received == expected);
    int sum = -7;
    request = ring.Allreduce_init_request(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_INFO_NULL);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    CHECK(sum == sources[0] + sources[1] + sources[2]);
    request = ring.Ineighbor_xchg(&me, 0, MPI_INT, received.data(), 0, MPI_INT);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    const Neighborhood same(ring.mpi_comm());
    CHECK(same.Neighbor_count() == 3);
    CHECK(throws(MPI_ERR_ARG, [&] { same.Relative_rank({1, 1}); }));
    CHECK(throws(MPI_ERR_TOPOLOGY, [] { Neighborhood(MPI_COMM_WORLD); }));
    CHECK(throws(MPI_ERR_COMM, [] { Neighborhood(MPI_COMM_NULL); }));
    CHECK(throws(MPI_ERR_ARG, [&] { same.Relative_shift({1, 1}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { same.Neighbor_find_coord({1, 1}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { Neighborhood::Create(MPI_COMM_WORLD, {p}, {true, true}, {1}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { Neighborhood::Create(MPI_COMM_WORLD, {p, 1}, {true, true}, {1}); }));
    CHECK(throws(MPI_ERR_ARG, [&] {
        Neighborhood::Create(MPI_COMM_WORLD, {p}, {true}, {1}, MPI_INFO_NULL, false, {1, 2});
    }));
    ring.Free();
    CHECK(ring.Is_null());

    // Beyond a border nobody; beyond the grid no communicator.
    const int points = p > 1 ? p - 1 : 1;
    Neighborhood mesh = Neighborhood::Create(MPI_COMM_WORLD, {points}, {false}, {1});
    CHECK(mesh.Is_null() == (me >= points));
    if (mesh.Is_null())
        return;
    CHECK(mesh.Neighbor_get().sources.size() == (me == 0 ? 0u : 1u));
    CHECK(mesh.Neighbor_get().target_weights == std::vector<int>(me + 1 == points ? 0u : 1u, 0));
    mesh.Free();
}

void naming()
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    hopscotch::Namedcomm named(comm);
    CHECK(!named.Test() && !named.Testall() && throws(MPI_ERR_COMM, [&] { named.Get(); }));
    const int columns = p % 2 == 0 ? 2 : 1;
    const std::vector<int> order = {p / columns, columns};
    CHECK(named.Name(order, {true, false}, HOP_COLMAJOR) == p && named.Test() && named.Testall());
    const hopscotch::Grid grid = named.Get();
    CHECK(grid.dimorder == HOP_COLMAJOR && grid.order == order && grid.period == (std::vector<bool>{true, false}));
    CHECK(grid.permutation == (std::vector<int>{1, 0}));
    CHECK(named.Name_permuted({1, 0}, order, {true, false}) == p && named.Get().dimorder == HOP_COLMAJOR);
    const std::vector<int> here = {me % order[0], me / order[0]};
    CHECK(named.Coordinates(me) == here && named.Rank(here) == me);
    const std::vector<int> moved = {1, 0}, nowhere = {0, 5};
    const int next = (me + 1) % order[0] + here[1] * order[0];
    CHECK(named.Relative_rank_from(me, moved) == next);
    CHECK(named.Relative_shift_from(me, moved).target == next);
    CHECK(named.Relative_shift_from(next, moved).source == me);
    CHECK(named.Relative_coordinates(me, me) == (std::vector<int>{0, 0}));
    CHECK(named.Allranks({0, 0, here[0], here[1]}) == (std::vector<int>{0, me}));
    CHECK(named.Allranks_relative(me, {1, 0, 0, 5}) == (std::vector<int>{next, MPI_PROC_NULL}));
    // Lists of other lengths than the grid has dimensions.
    CHECK(throws(MPI_ERR_ARG, [&] { named.Name(order, {true}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Name_permuted({0}, order, {true, true}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Name_permuted({0, 1}, order, {true}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Rank({0}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Relative_rank_from(me, {0, 0, 0}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Relative_shift_from(me, {0}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Allranks({0, 0, 0}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Allranks_relative(me, {0}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Create_sub({true}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Stencil_diff({0, 0}, {0}); }));
    CHECK(throws(MPI_ERR_ARG, [&] { named.Stencil_diff({0}, {0, 0}); }));

    CHECK(named.Stencil(HOP_MANHATTAN_DISTANCE, 1) == (std::vector<int>{0, 0, -1, 0, 1, 0, 0, -1, 0, 1}));
    CHECK(named.Stencil_diff({0, 0, -1, 0, 1, 0}, {-1, 0}) == (std::vector<int>{0, 0, 1, 0}));
    const std::vector<int> neighbors = named.Neighbors(me, HOP_MANHATTAN_DISTANCE, 1, 1);
    const std::vector<int> ranks = named.Neighbors_ranks(me, HOP_MANHATTAN_DISTANCE, 1, 1);
    CHECK(named.Neighbors_count(me, HOP_MANHATTAN_DISTANCE, 1, 1) == columns + 1);
    CHECK(named.Allranks_relative(me, neighbors) == ranks);

    MPI_Comm graph = MPI_COMM_NULL, part = named.Create_sub({true, false});
    const int t = static_cast<int>(ranks.size());
    MPI_Dist_graph_create_adjacent(comm, t, ranks.data(), MPI_UNWEIGHTED, t, ranks.data(), MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    CHECK(named.Is_cartesian(graph) && !named.Is_cartesian(MPI_COMM_WORLD));
    CHECK(hopscotch::Comm(part).Get_size() == order[0]);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&part);
    named.Free();
}

/// On a ring with edges to the process behind and to itself.
void orthogonal()
{
    MPI_Comm ring = MPI_COMM_NULL;
    const int sources[] = {around(me - 1), me}, targets[] = {around(me + 1), me};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    hopscotch::Orthogonalcomm comm(ring);
    comm.Barrier();
    std::vector<int> both(2, -7);
    const std::vector<int> expected = {sources[0], sources[1]}, sent = {10 * me, 10 * me + 1};
    comm.Allgather(&me, 1, MPI_INT, both.data(), 1, MPI_INT);
    CHECK(both == expected);
    comm.Alltoall(sent.data(), 1, MPI_INT, both.data(), 1, MPI_INT);
    // MPI libraries differ in the order of parallel edges.
    CHECK(both == (std::vector<int>{10 * sources[0], 10 * me + 1}) || p == 1);
    int value = me == 0 ? 42 : -7, sum = 0;
    comm.Bcast(&value, 1, MPI_INT, 0);
    CHECK(value == (me == 0 || sources[0] == 0 ? 42 : -7));
    comm.Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM);
    CHECK(sum == sources[0] + me);
    sum = -7;
    MPI_Request request = comm.Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == sources[0] + me);
    both.assign(2, -7);
    request = comm.Gather_init(&me, 1, MPI_INT, both.data(), 1, MPI_INT, 0, MPI_INFO_NULL);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    CHECK(both == (me == 0 ? expected : std::vector<int>(2, -7)));
    CHECK(throws(MPI_ERR_ROOT, [&] { comm.Ibcast(&value, 1, MPI_INT, p); }));
    sum = -7;
    comm.Reduce(&me, &sum, 1, MPI_INT, MPI_SUM, 0);
    CHECK(sum == (me == 0 ? p - 1 : -7));
    both.assign(2, -7);
    comm.Gather(&me, 1, MPI_INT, both.data(), 1, MPI_INT, 0);
    CHECK(both == (me == 0 ? expected : std::vector<int>(2, -7)));
    value = -7;
    comm.Scatter(sent.data(), 1, MPI_INT, &value, 1, MPI_INT, 0);
    CHECK(value == (me == 0 ? 1 : sources[0] == 0 ? 0 : -7));
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    try {
        comm.Scan(&me, &sum, 1, MPI_INT, MPI_SUM);
        CHECK(false);
    } catch (const hopscotch::Error& error) {
        CHECK(std::string(error.what()).find("graph") != std::string::npos);
    }

    hopscotch::Comm base(comm.Base()), half(comm.Split(me % 2, 0)), sub(comm.Subgraph(half.mpi_comm()));
    int kind = 0;
    MPI_Topo_test(sub.mpi_comm(), &kind);
    CHECK(base.Get_size() == p && half.Get_size() == (p + 1 - me % 2) / 2 && kind == MPI_DIST_GRAPH);
    base.Free();
    half.Free();
    sub.Free();

    std::vector<int> memory(2, -7);
    using hopscotch::Window;
    Window window =
        Window::Create(memory.data(), 2 * static_cast<MPI_Aint>(sizeof(int)), sizeof(int), MPI_INFO_NULL, ring);
    hopscotch::Neighbor_groups groups = window.Get_neighbor_groups();
    MPI_Group_size(groups.targets, &value);
    CHECK(value == (p == 1 ? 1 : 2));
    MPI_Group_free(&groups.sources);
    MPI_Group_free(&groups.targets);
    window.Fence();
    MPI_Put(&me, 1, MPI_INT, targets[0], 1, 1, MPI_INT, window.mpi_win());
    window.Fence(MPI_MODE_NOSUCCEED);
    CHECK(memory[0] == -7 && memory[1] == sources[0]);
    window.Free();
    CHECK(window.mpi_win() == MPI_WIN_NULL && throws(MPI_ERR_WIN, [&] { window.Fence(); }));
    comm.Free();
}

} // namespace

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    information();
    neighborhood();
    naming();
    orthogonal();
    return finish_checks();
}
