// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators made of others: bases, subgraphs with weights, splitting; and windows with epochs that follow a graph.
#include "check.h"

#include <hopscotch.h>

enum { most = 64 };

static int p, me, active;

// Edges to the processes 0, 1 (twice) and 3 further on and to itself, weighted by 10 * from + to.
static const int steps[] = {3, 1, 0, 1};
enum { degree = 4 };

static MPI_Comm make_graph(int weighted, int* sources, int* targets)
{
    int in[degree], out[degree];
    for (int i = 0; i < degree; ++i) {
        targets[i] = (me + steps[i]) % p;
        sources[i] = (me + 4 * p - steps[i]) % p;
        in[i] = 10 * sources[i] + me + 1;
        out[i] = 10 * me + targets[i] + 1;
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, sources, weighted ? in : MPI_UNWEIGHTED, degree, targets,
                                   weighted ? out : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    return graph;
}

// The part must have exactly the edges between its members, in order; world ranks are kept by translate().
static void check_part(MPI_Comm part, int weighted)
{
    MPI_Group world, members;
    int kind = 0, indegree = 0, outdegree = 0, has_weights = 0, size = 0;
    int sources[most], in[most], targets[most], out[most], world_ranks[most], part_ranks[most];
    MPI_Topo_test(part, &kind);
    CHECK(kind == MPI_DIST_GRAPH);
    if (kind != MPI_DIST_GRAPH)
        return;
    MPI_Dist_graph_neighbors_count(part, &indegree, &outdegree, &has_weights);
    CHECK(!has_weights == !weighted);
    MPI_Dist_graph_neighbors(part, indegree, sources, weighted ? in : MPI_UNWEIGHTED, outdegree, targets,
                             weighted ? out : MPI_UNWEIGHTED);
    MPI_Comm_size(part, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(part, &members);
    for (int i = 0; i < p; ++i)
        world_ranks[i] = i;
    MPI_Group_translate_ranks(world, p, world_ranks, members, part_ranks);
    int s = 0, t = 0;
    for (int i = 0; i < degree; ++i) {
        const int target = (me + steps[i]) % p, source = (me + 4 * p - steps[i]) % p;
        if (part_ranks[source] != MPI_UNDEFINED) {
            CHECK(s < indegree && sources[s] == part_ranks[source] && (!weighted || in[s] == 10 * source + me + 1));
            ++s;
        }
        if (part_ranks[target] != MPI_UNDEFINED) {
            CHECK(t < outdegree && targets[t] == part_ranks[target] && (!weighted || out[t] == 10 * me + target + 1));
            ++t;
        }
    }
    CHECK(s == indegree && t == outdegree);
    int value = me, values[most];
    Hop_Counters counters;
    CHECK(Hop_Allgather(&value, 1, MPI_INT, values, 1, MPI_INT, part) == MPI_SUCCESS);
    CHECK(Hop_counters(part, &counters) == MPI_SUCCESS && counters.calls == (active ? 1 : 0));
    for (int i = 0; i < indegree; ++i)
        CHECK(part_ranks[values[i]] == sources[i]);
    MPI_Group_free(&world);
    MPI_Group_free(&members);
}

static void check_splitting(int weighted)
{
    int sources[degree], targets[degree], kind = 0;
    MPI_Comm graph = make_graph(weighted, sources, targets), part;
    CHECK(Hop_Comm_split(graph, me % 2, -me, &part) == MPI_SUCCESS);
    int place, members;
    MPI_Comm_rank(part, &place);
    MPI_Comm_size(part, &members);
    CHECK(place == members - 1 - me / 2); // the keys fall
    check_part(part, weighted);
    MPI_Comm again;
    CHECK(Hop_Comm_subgraph(graph, part, &again) == MPI_SUCCESS);
    check_part(again, weighted);
    MPI_Comm_free(&again);
    MPI_Comm_free(&part);
    CHECK(Hop_Comm_split(graph, me == 0 ? MPI_UNDEFINED : 0, 0, &part) == MPI_SUCCESS);
    CHECK((part == MPI_COMM_NULL) == (me == 0));
    if (part != MPI_COMM_NULL) {
        check_part(part, weighted);
        MPI_Comm_free(&part);
    }
    CHECK(Hop_Comm_split_type(graph, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &part) == MPI_SUCCESS);
    MPI_Comm_rank(part, &place);
    MPI_Comm_size(part, &members);
    CHECK(members < p || place == p - 1 - me);
    check_part(part, weighted);
    MPI_Comm_free(&part);
    CHECK(Hop_Comm_split_type(graph, MPI_UNDEFINED, 0, MPI_INFO_NULL, &part) == MPI_SUCCESS && part == MPI_COMM_NULL);

    MPI_Group all, first;
    int range[1][3] = {{0, p / 2, 1}};
    MPI_Comm_group(graph, &all);
    MPI_Group_range_incl(all, 1, range, &first);
    CHECK(Hop_Comm_create(graph, first, &part) == MPI_SUCCESS);
    CHECK((part == MPI_COMM_NULL) == (me > p / 2));
    if (part != MPI_COMM_NULL) {
        check_part(part, weighted);
        MPI_Comm_free(&part);
    }
    if (me <= p / 2) {
        CHECK(Hop_Comm_create_group(graph, first, 5, &part) == MPI_SUCCESS);
        check_part(part, weighted);
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&first);

    // Without a graph: as MPI.
    CHECK(Hop_Comm_split(MPI_COMM_WORLD, me % 2, 0, &part) == MPI_SUCCESS);
    MPI_Topo_test(part, &kind);
    CHECK(kind == MPI_UNDEFINED);
    CHECK(Hop_Comm_subgraph(MPI_COMM_WORLD, part, &again) == MPI_SUCCESS);
    int relation = MPI_UNEQUAL;
    MPI_Comm_compare(part, again, &relation);
    CHECK(relation == MPI_CONGRUENT);
    MPI_Comm_free(&again);
    MPI_Comm_free(&part);
    CHECK_ERROR(Hop_Comm_subgraph(graph, MPI_COMM_NULL, &part), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Comm_split(graph, 0, 0, NULL), MPI_ERR_ARG);
    MPI_Comm_free(&graph);
}

// Parts of a communicator of MPI_Graph_create, a ring: all of it, and all but rank 0; and a window over it.
static void check_graph_create(void)
{
    int index[most], edges[2 * most], value = me, memory = 0, members = 0;
    for (int i = 0; i < p; ++i) {
        index[i] = 2 * i + 2;
        edges[2 * i] = (i + p - 1) % p;
        edges[2 * i + 1] = (i + 1) % p;
    }
    MPI_Comm graph, part;
    MPI_Graph_create(MPI_COMM_WORLD, p, index, edges, 0, &graph);
    for (int without = 0; without < 2; ++without) {
        CHECK(Hop_Comm_split(graph, without && me == 0 ? MPI_UNDEFINED : 0, me, &part) == MPI_SUCCESS);
        if (part == MPI_COMM_NULL)
            continue;
        int expected = 0, found = 0, values[2] = {-7, -7};
        for (int i = 0; i < 2; ++i)
            expected += !without || edges[2 * me + i] != 0;
        CHECK(Hop_Allgather(&value, 1, MPI_INT, values, 1, MPI_INT, part) == MPI_SUCCESS);
        for (int i = 0; i < 2; ++i)
            if (!without || edges[2 * me + i] != 0)
                CHECK(values[found++] == edges[2 * me + i]);
        CHECK(found == expected && (found == 2 || values[found] == -7));
        MPI_Comm_free(&part);
    }
    MPI_Win win;
    MPI_Group in, out;
    CHECK(Hop_Win_create(&memory, sizeof memory, sizeof(int), MPI_INFO_NULL, graph, &win) == MPI_SUCCESS);
    CHECK(Hop_Win_neighbor_groups(win, &in, &out) == MPI_SUCCESS);
    MPI_Group_size(in, &members);
    CHECK(members == (p > 2 ? 2 : 1));
    MPI_Group_free(&in);
    MPI_Group_free(&out);
    CHECK(Hop_Win_free(&win) == MPI_SUCCESS);
    MPI_Comm_free(&graph);
}

static void check_bases(void)
{
    int sources[degree], targets[degree], kind = 0, relation = MPI_UNEQUAL, between = 1;
    MPI_Comm graph = make_graph(0, sources, targets), base;
    CHECK(Hop_Comm_base(graph, &base) == MPI_SUCCESS);
    MPI_Comm_compare(graph, base, &relation);
    MPI_Topo_test(base, &kind);
    CHECK(relation == MPI_CONGRUENT && kind == MPI_UNDEFINED);
    int one = 1, sum = 0;
    CHECK(Hop_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, base) == MPI_SUCCESS && sum == p); // global again
    MPI_Comm_free(&base);
    MPI_Comm_free(&graph);
    CHECK(Hop_Comm_base(MPI_COMM_WORLD, &base) == MPI_SUCCESS);
    MPI_Comm_compare(MPI_COMM_WORLD, base, &relation);
    CHECK(relation == MPI_CONGRUENT);
    MPI_Comm_free(&base);
    CHECK_ERROR(Hop_Comm_base(MPI_COMM_NULL, &base), MPI_ERR_COMM);
    CHECK_ERROR(Hop_Comm_base(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    if (p == 1)
        return;
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
    // Leaders are the highest ranks of each half, as the halves are in reverse order.
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me % 2 == (p - 1) % 2 ? p - 2 : p - 1, 9, &inter);
    CHECK(Hop_Comm_base(inter, &base) == MPI_SUCCESS);
    MPI_Comm_test_inter(base, &between);
    MPI_Comm_compare(half, base, &relation);
    CHECK(!between && relation == MPI_CONGRUENT); // the local group, in its order
    MPI_Comm_free(&base);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void check_windows(void)
{
    int sources[degree], targets[degree];
    MPI_Comm graph = make_graph(0, sources, targets);
    int* memory = calloc((size_t)p, sizeof(int));
    MPI_Win win;
    MPI_Info info, found;
    char order[MPI_MAX_INFO_VAL + 1] = "";
    int is_there = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    CHECK(Hop_Win_create(memory, p * (MPI_Aint)sizeof(int), sizeof(int), info, graph, &win) == MPI_SUCCESS);
    MPI_Win_get_info(win, &found);
    MPI_Info_get(found, "accumulate_ordering", MPI_MAX_INFO_VAL, order, &is_there);
    CHECK(!is_there || strcmp(order, "none") == 0);
    MPI_Info_free(&info);
    MPI_Info_free(&found);
    CHECK(Hop_Win_bind(graph, win) == MPI_SUCCESS); // for the second time
    for (int turn = 1; turn <= 3; ++turn) {
        const int value = 100 * me + turn;
        CHECK(Hop_Win_fence(turn == 2 ? MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE : 0, win) == MPI_SUCCESS);
        for (int i = 0; i < degree; ++i)
            MPI_Put(&value, 1, MPI_INT, targets[i], me, 1, MPI_INT, win);
        CHECK(Hop_Win_fence(turn == 3 ? MPI_MODE_NOSUCCEED : 0, win) == MPI_SUCCESS);
        for (int rank = 0; rank < p; ++rank) {
            int is_source = 0;
            for (int i = 0; i < degree; ++i)
                is_source |= sources[i] == rank;
            CHECK(memory[rank] == (is_source ? 100 * rank + turn : 0));
        }
        CHECK(Hop_Win_fence(MPI_MODE_NOSUCCEED, win) == MPI_SUCCESS);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    // The same by post and start.
    const int value = 7 * me;
    CHECK(Hop_Win_post(0, win) == MPI_SUCCESS && Hop_Win_start(0, win) == MPI_SUCCESS);
    MPI_Put(&value, 1, MPI_INT, targets[1], me, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    CHECK(memory[sources[1]] == 7 * sources[1]);
    MPI_Group in, out;
    int indegree = 0, outdegree = 0;
    CHECK(Hop_Win_neighbor_groups(win, &in, &out) == MPI_SUCCESS);
    MPI_Group_size(in, &indegree);
    MPI_Group_size(out, &outdegree);
    CHECK(indegree == outdegree && indegree >= 1 && indegree <= 3);
    MPI_Group_free(&in);
    MPI_Group_free(&out);
    CHECK(Hop_Win_fence(0, win) == MPI_SUCCESS);
    CHECK(Hop_Win_free(&win) == MPI_SUCCESS && win == MPI_WIN_NULL); // ends the open epoch

    // Without a graph: as MPI, and bound later.
    CHECK(Hop_Win_create(memory, p * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win) ==
          MPI_SUCCESS);
    CHECK(Hop_Win_fence(0, win) == MPI_SUCCESS);
    const int own = -me;
    MPI_Put(&own, 1, MPI_INT, (me + 1) % p, me, 1, MPI_INT, win);
    CHECK(Hop_Win_fence(MPI_MODE_NOSUCCEED, win) == MPI_SUCCESS);
    CHECK(memory[(me + p - 1) % p] == -((me + p - 1) % p));
    CHECK_ERROR(Hop_Win_post(0, win), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Win_start(0, win), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(Hop_Win_neighbor_groups(win, &in, &out), MPI_ERR_TOPOLOGY);
    CHECK(Hop_Win_free(&win) == MPI_SUCCESS);
    CHECK_ERROR(Hop_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
    CHECK_ERROR(Hop_Win_free(NULL), MPI_ERR_ARG);
    CHECK_ERROR(Hop_Win_bind(graph, MPI_WIN_NULL), MPI_ERR_WIN);
    memset(memory, 0, (size_t)p * sizeof(int));
    MPI_Win_create(memory, p * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    CHECK(Hop_Win_bind(graph, win) == MPI_SUCCESS);
    CHECK(Hop_Win_fence(0, win) == MPI_SUCCESS);
    MPI_Put(&value, 1, MPI_INT, targets[0], me, 1, MPI_INT, win);
    CHECK(Hop_Win_fence(MPI_MODE_NOSUCCEED, win) == MPI_SUCCESS);
    CHECK(memory[sources[0]] == 7 * sources[0]);
    CHECK(Hop_Win_free(&win) == MPI_SUCCESS);
    free(memory);
    MPI_Comm_free(&graph);
}

int main(int argc, char** argv)
{
    begin_checks(&argc, &argv, &p, &me);
    Hop_active(&active);
    check_splitting(0);
    check_splitting(1);
    check_graph_create();
    check_bases();
    check_windows();
    return finish_checks();
}
