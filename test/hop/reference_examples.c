// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The examples of the reference, which takes them from between the marks; each runs here, and its result is checked.
// Every function of the headers, or its plain form, is called by one of them, in at most ten lines.
#include "check.h"

#include <hopscotch.h>

static int p, me, after, before; // number of processes, own rank, ranks after and before it in a ring
static MPI_Comm comm;            // all processes

static void asking(void)
{
    // ---- example
    int active = 0;
    Hop_active(&active);
    printf("Hopscotch %s %s\n", Hop_version(), active ? "carries calls" : "stands aside");
    // ---- end
}

static void counting(MPI_Comm graph)
{
    int one = 1, received[2], active = 0;
    Hop_active(&active);
    // ---- example
    Hop_Counters counters;
    Hop_counting(0); // not this call
    MPI_Neighbor_allgather(&one, 1, MPI_INT, received, 1, MPI_INT, graph);
    Hop_counting(1);
    Hop_counters(graph, &counters);
    printf("%llu calls, %llu of them accelerated\n", counters.calls, counters.accelerated);
    // ---- end
    CHECK(counters.calls == 0);
    // ---- example
    Hop_report("so-far.json"); // all processes; rank 0 writes it
    // ---- end
    if (me == 0)
        CHECK(remove("so-far.json") == 0 || !active);
}

static MPI_Comm neighborhood(void)
{
    // ---- example
    const int periods[2] = {1, 1}, offsets[4 * 2] = {0, 1, 0, -1, 1, 0, -1, 0};
    int dims[2] = {0, 0};
    MPI_Comm cart;
    MPI_Dims_create(p, 2, dims);
    Hop_Cart_neighborhood_create(comm, 2, dims, periods, 4, offsets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &cart);
    // ---- end
    CHECK(cart != MPI_COMM_NULL);
    return cart;
}

static void places(MPI_Comm cart)
{
    // ---- example
    const int diagonal[2] = {1, 1};
    int rank, from, to, relative[2];
    Hop_Cart_relative_rank(cart, diagonal, &rank);       // the process there
    Hop_Cart_relative_shift(cart, diagonal, &from, &to); // the same, and the process that has me there
    Hop_Cart_relative_coord(cart, rank, relative);       // back: (1,1), modulo the sizes
    // ---- end
    CHECK(rank == to && from >= 0 && (relative[0] == 1 || relative[0] == 0));
}

static void lists(MPI_Comm cart)
{
    // ---- example
    int t, in, out, sources[4], targets[4], offsets[4 * 2];
    Hop_Cart_neighbor_count(cart, &t);          // offsets: 4
    Hop_Cart_neighbor_degrees(cart, &in, &out); // neighbors that exist: fewer at a border
    Hop_Cart_neighbor_get(cart, in, sources, MPI_UNWEIGHTED, out, targets, MPI_UNWEIGHTED);
    Hop_Cart_neighbor_get_relative(cart, t, offsets, MPI_UNWEIGHTED);
    // ---- end
    CHECK(t == 4 && in == 4 && out == 4 && offsets[1] == 1 && sources[0] >= 0 && targets[3] >= 0);
    // ---- example
    const int right[2] = {0, 1};
    int as_source[4], as_target[4], from = 0, to = 0, from_right = 0, to_right = 0;
    Hop_Cart_neighbor_find_rank(cart, targets[0], 4, as_source, &from, 4, as_target, &to);
    Hop_Cart_neighbor_find_coord(cart, right, 4, as_source, &from_right, 4, as_target, &to_right);
    // ---- end
    CHECK(to == to_right && from == from_right && to >= 1 && as_target[0] == 0);
    // ---- example
    int n_out, n_in, axis_sources[4], axis_targets[4];
    Hop_Cart_axis_neighbors_count(cart, &n_out, &n_in); // 2 per dimension
    Hop_Cart_axis_neighbors(cart, n_in, axis_sources, n_out, axis_targets);
    // ---- end
    CHECK(n_out == 4 && n_in == 4 && axis_targets[2] == targets[0] && axis_sources[2] == sources[0]);
}

static void cartesian_exchanges(MPI_Comm cart)
{
    int sources[4], rank;
    MPI_Comm_rank(cart, &rank);
    Hop_Cart_neighbor_get(cart, 4, sources, MPI_UNWEIGHTED, 0, NULL, NULL);
    // ---- example
    int sent[4] = {rank, rank, rank, rank}, received[4];
    Hop_Cart_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, cart); // never necessary
    for (int step = 0; step < 10; ++step)
        Hop_Cart_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, cart);
    Hop_Cart_alltoall_free(cart); // as little
    // ---- end
    CHECK(memcmp(received, sources, sizeof received) == 0);
    // ---- example
    const int counts[4] = {1, 0, 1, 1}, places[4] = {3, 0, 1, 0}; // nothing to the second
    Hop_Cart_alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, cart);
    // ---- end
    CHECK(received[3] == sources[0] && received[1] == sources[2] && received[0] == sources[3]);
    // ---- example
    const MPI_Aint bytes[4] = {0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int)};
    const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT}; // a type for each block
    const int ones[4] = {1, 1, 1, 1};
    Hop_Cart_alltoallw(sent, ones, bytes, types, received, ones, bytes, types, cart);
    Hop_Cart_allgatherw(&rank, 1, MPI_INT, received, ones, bytes, types, cart);
    // ---- end
    CHECK(memcmp(received, sources, sizeof received) == 0);
    memset(received, 0, sizeof received);
    // ---- example
    Hop_Cart_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, cart); // received[i] is the rank of source i
    // ---- end
    CHECK(memcmp(received, sources, sizeof received) == 0);
}

static void cartesian_forms(MPI_Comm cart)
{
    int rank, sent[4], received[4] = {-1, -1, -1, -1}, sources[4];
    MPI_Comm_rank(cart, &rank);
    Hop_Cart_neighbor_get(cart, 4, sources, MPI_UNWEIGHTED, 0, NULL, NULL);
    for (int i = 0; i < 4; ++i)
        sent[i] = rank;
    // ---- example
    MPI_Request request;
    Hop_Icart_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, cart, &request);
    // compute without the received data
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    // ---- end
    CHECK(memcmp(received, sources, sizeof received) == 0);
    // ---- example
    MPI_Request again;
    Hop_Cart_alltoall_init_request(sent, 1, MPI_INT, received, 1, MPI_INT, cart, MPI_INFO_NULL, &again);
    for (int step = 0; step < 10; ++step) {
        MPI_Start(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&again);
    // ---- end
    // ---- example
    MPI_Request gathering;
    Hop_Icart_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, cart, &gathering);
    MPI_Wait(&gathering, MPI_STATUS_IGNORE);
    // ---- end
    CHECK(memcmp(received, sources, sizeof received) == 0);
    // ---- example
    int sum = 0, mine = 0;
    Hop_Cart_allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, cart); // sum of the values of all sources
    Hop_Cart_reduce(sent, &mine, 1, MPI_INT, MPI_SUM, cart);    // sum of the values that they sent to me
    // ---- end
    CHECK(sum == sources[0] + sources[1] + sources[2] + sources[3] && mine == sum);
    // ---- example
    MPI_Request reducing[2];
    Hop_Icart_allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, cart, &reducing[0]);
    Hop_Icart_reduce(sent, &mine, 1, MPI_INT, MPI_SUM, cart, &reducing[1]);
    MPI_Waitall(2, reducing, MPI_STATUSES_IGNORE);
    // ---- end
    // ---- example
    MPI_Request each;
    Hop_Ineighbor_xchg(sent, 1, MPI_INT, received, 1, MPI_INT, cart, &each);
    MPI_Wait(&each, MPI_STATUS_IGNORE);
    Hop_Icart_shift_xchg(sent, 1, MPI_INT, received, 1, MPI_INT, 0, 1, cart, &each); // one further along dimension 0
    MPI_Wait(&each, MPI_STATUS_IGNORE);
    // ---- end
    CHECK(received[0] >= 0);
}

static void names(void)
{
    // ---- example
    int order[2] = {0, 0}, size, dimorder, flag, d, points;
    const int period[2] = {1, 1};
    int sizes[2], periods[2];
    MPI_Dims_create(p, 2, order);
    Hop_Cart_name(comm, 2, HOP_ROWMAJOR, order, period, &size);
    Hop_Cart_test(comm, &flag, &d, &points);    // has it a name?
    Hop_Cart_testall(comm, &flag, &d, &points); // have all processes given the same?
    Hop_Cart_get(comm, &dimorder, 2, sizes, periods);
    // ---- end
    CHECK(flag == 1 && d == 2 && points == p && size == p && dimorder == HOP_ROWMAJOR && sizes[0] == order[0]);
    // ---- example
    int here[2], rank;
    Hop_Cart_coordinates(comm, me, here);
    Hop_Cart_rank(comm, here, &rank); // me
    // ---- end
    CHECK(rank == me);
    // ---- example
    const int right[2] = {0, 1};
    int neighbor, from, to, relative[2];
    Hop_Cart_relative_rank_from(comm, 0, right, &neighbor); // right of rank 0
    Hop_Cart_relative_shift_from(comm, me, right, &from, &to);
    Hop_Cart_relative_coordinates(comm, 0, neighbor, relative);
    // ---- end
    CHECK(neighbor == 1 % order[1] && from >= 0 && to >= 0 && relative[1] == 1 % order[1]);
    // ---- example
    const int points_of_grid[2 * 2] = {0, 0, 0, 1}, offsets[2 * 2] = {0, 0, 0, 1};
    int there[2], around[2];
    Hop_Cart_allranks(comm, 2, points_of_grid, there);
    Hop_Cart_allranks_relative(comm, me, 2, offsets, around); // me and the process right of me
    // ---- end
    CHECK(there[0] == 0 && there[1] == 1 % order[1] && around[0] == me && around[1] == to);
    // ---- example
    const int rows[2] = {0, 1}; // keep dimension 1
    MPI_Comm row;
    Hop_Cart_create_sub(comm, rows, &row);
    // ---- end
    MPI_Comm_size(row, &size);
    CHECK(size == order[1]);
    MPI_Comm_free(&row);
}

static void permuted_names(void)
{
    MPI_Comm named;
    MPI_Comm_dup(comm, &named);
    // ---- example
    const int sizes[3] = {1, p, 1}, periods[3] = {1, 1, 0}, slowest_first[3] = {2, 0, 1};
    int points, got[3];
    Hop_Cart_name_permuted(named, 3, slowest_first, sizes, periods, &points);
    Hop_Cart_get_permutation(named, 3, got);
    // ---- end
    CHECK(points == p && memcmp(got, slowest_first, sizeof got) == 0);
    MPI_Comm_free(&named);
}

static void stencils(void)
{
    // ---- example
    int n, *offsets, *ranks;
    Hop_Cart_neighbors_count(comm, me, HOP_CHEBYCHEV_DISTANCE, 1, 1, &n); // distance 1 at least, 1 at most
    offsets = malloc(2 * (size_t)n * sizeof(int));
    ranks = malloc((size_t)n * sizeof(int));
    Hop_Cart_neighbors(comm, me, HOP_CHEBYCHEV_DISTANCE, 1, 1, n, offsets);
    Hop_Cart_neighbors_ranks(comm, me, HOP_CHEBYCHEV_DISTANCE, 1, 1, n, ranks);
    // ---- end
    CHECK(n == 8 && offsets[0] == -1 && offsets[1] == -1);
    // ---- example
    int all, ball, left, moore[9 * 2], neumann[5 * 2];
    Hop_Cart_stencil_count(comm, HOP_CHEBYCHEV_DISTANCE, 1, &all);  // 9
    Hop_Cart_stencil_count(comm, HOP_MANHATTAN_DISTANCE, 1, &ball); // 5
    Hop_Cart_stencil(comm, HOP_CHEBYCHEV_DISTANCE, 1, all, moore);
    Hop_Cart_stencil(comm, HOP_MANHATTAN_DISTANCE, 1, ball, neumann);
    Hop_Cart_stencil_diff(comm, all, moore, ball, neumann, &left, moore); // the 4 corners
    // ---- end
    CHECK(all == 9 && ball == 5 && left == 4 && moore[0] == -1 && moore[1] == -1);
    // ---- example
    MPI_Comm graph;
    int cartesian;
    MPI_Dist_graph_create_adjacent(comm, n, ranks, MPI_UNWEIGHTED, n, ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    Hop_Comm_is_cartesian(comm, graph, &cartesian); // all processes have the same offsets
    // ---- end
    CHECK(cartesian == 1);
    free(offsets);
    free(ranks);
    MPI_Comm_free(&graph);
}

/// A ring in which every process sends to the next one.
static void collectives(MPI_Comm graph)
{
    // ---- example
    MPI_Comm base;
    Hop_Comm_base(graph, &base); // for data that must reach all processes
    // ---- end
    MPI_Comm_free(&base);
    int value = me, root = 0, blocks[1] = {-1};
    // ---- example
    Hop_Barrier(graph);                         // waits for the sources
    Hop_Bcast(&value, 1, MPI_INT, root, graph); // changes the value on the targets of root
    // ---- end
    CHECK(value == (before == root || me == root ? root : me));
    // ---- example
    Hop_Gather(&me, 1, MPI_INT, blocks, 1, MPI_INT, root, graph);     // on root: from its sources
    Hop_Scatter(blocks, 1, MPI_INT, &value, 1, MPI_INT, root, graph); // to the targets of root
    // ---- end
    CHECK(me != root || blocks[0] == before);
    // ---- example
    Hop_Allgather(&me, 1, MPI_INT, blocks, 1, MPI_INT, graph); // block i from source i
    Hop_Alltoall(&me, 1, MPI_INT, &value, 1, MPI_INT, graph);  // and a block for each target
    // ---- end
    CHECK(blocks[0] == before && value == before);
    // ---- example
    const int one = 1;
    const MPI_Aint nowhere = 0;
    const MPI_Datatype type = MPI_INT; // type of each source
    Hop_Allgatherw(&me, 1, MPI_INT, blocks, &one, &nowhere, &type, graph);
    // ---- end
    CHECK(blocks[0] == before);
    // ---- example
    int sum = 0;
    Hop_Reduce(&me, &sum, 1, MPI_INT, MPI_SUM, root, graph); // on root: of its sources
    Hop_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, graph);    // on all: each of its own sources
    // ---- end
    CHECK(sum == before);
    // ---- example
    MPI_Request request;
    Hop_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, graph, &request);
    // compute without the sum
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    // ---- end
    CHECK(sum == before);
    // ---- example
    MPI_Request again;
    Hop_Allreduce_init(&me, &sum, 1, MPI_INT, MPI_SUM, graph, MPI_INFO_NULL, &again);
    for (int step = 0; step < 10; ++step) {
        MPI_Start(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&again);
    // ---- end
    CHECK(sum == before);
    // ---- example
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(Hop_Scan(&me, &sum, 1, MPI_INT, MPI_SUM, graph), text, &length); // no order of processes
    if (Hop_Exscan(&me, &sum, 1, MPI_INT, MPI_SUM, graph) != MPI_SUCCESS ||
        Hop_Reduce_scatter_block(&me, &sum, 1, MPI_INT, MPI_SUM, graph) != MPI_SUCCESS ||
        Hop_Reduce_scatter(&me, &sum, blocks, MPI_INT, MPI_SUM, graph) != MPI_SUCCESS)
        puts(text);
    // ---- end
    CHECK(strstr(text, "graph") != NULL);
}

static void parts(MPI_Comm graph)
{
    // ---- example
    MPI_Comm halves, node;
    Hop_Comm_split(graph, me % 2, me, &halves); // the edges within each half stay
    Hop_Comm_split_type(graph, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node);
    // ---- end
    // ---- example
    MPI_Group group;
    MPI_Comm same, again, part;
    MPI_Comm_group(graph, &group);
    Hop_Comm_create(graph, group, &same);
    Hop_Comm_create_group(graph, group, 0, &again);
    Hop_Comm_subgraph(graph, comm, &part); // part with the processes of comm
    // ---- end
    int kind = MPI_UNDEFINED;
    MPI_Topo_test(part, &kind);
    CHECK(kind == MPI_DIST_GRAPH);
    MPI_Group_free(&group);
    MPI_Comm* all[] = {&halves, &node, &same, &again, &part};
    for (int i = 0; i < 5; ++i)
        MPI_Comm_free(all[i]);
}

static void windows(MPI_Comm graph)
{
    // ---- example
    int cell = -1;
    MPI_Win win;
    Hop_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, graph, &win);
    Hop_Win_fence(0, win);
    MPI_Put(&me, 1, MPI_INT, after, 0, 1, MPI_INT, win); // to a target
    Hop_Win_fence(0, win);                               // cell holds the value that the source has put there
    Hop_Win_free(&win);
    // ---- end
    CHECK(cell == before);
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, graph, &win);
    // ---- example
    MPI_Group sources, targets;
    Hop_Win_bind(graph, win); // a window that MPI has made
    Hop_Win_neighbor_groups(win, &sources, &targets);
    Hop_Win_post(0, win);  // to the sources
    Hop_Win_start(0, win); // to the targets
    MPI_Put(&me, 1, MPI_INT, after, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    // ---- end
    CHECK(cell == before);
    MPI_Group_free(&sources);
    MPI_Group_free(&targets);
    Hop_Win_free(&win);
}

static void proposal(MPI_Comm cart)
{
    // ---- example
    int n, rank, neighbors[4];
    MPI_Comm_rank(cart, &rank);
    Hop_Comm_neighbors_count(cart, rank, &n); // 4; fewer at a border
    Hop_Comm_neighbors(cart, rank, n, neighbors);
    // ---- end
    CHECK(n == 4);
    // ---- example
    int sent[4] = {rank, rank, rank, rank}, received[4];
    const int ones[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
    Hop_Neighbor_xchg(sent, 1, MPI_INT, received, 1, MPI_INT, cart); // received[i] is neighbors[i]
    Hop_Neighbor_xchgv(sent, ones, places, MPI_INT, received, ones, places, MPI_INT, cart);
    // ---- end
    CHECK(memcmp(received, neighbors, sizeof received) == 0);
    // ---- example
    Hop_Cart_shift_xchg(sent, 1, MPI_INT, received, 1, MPI_INT, 0, 1, cart); // one further along dimension 0
    // ---- end
    CHECK(received[0] == neighbors[1]);
}

int main(int argc, char** argv)
{
    char folder[] = "/tmp/reference_examples_XXXXXX"; // for the report: programs of several tests run at once
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_size(comm, &p);
    MPI_Comm_rank(comm, &me);
    after = (me + 1) % p;
    before = (me + p - 1) % p;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(comm, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    asking();
    counting(graph);
    MPI_Comm cart = neighborhood();
    places(cart);
    lists(cart);
    cartesian_exchanges(cart);
    cartesian_forms(cart);
    proposal(cart);
    names();
    stencils();
    permuted_names();
    collectives(graph);
    parts(graph);
    windows(graph);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&comm);
    CHECK(rmdir(folder) == 0);
    return finish_checks();
}
