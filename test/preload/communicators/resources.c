// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Many graph communicators.
//
//   resources live COUNT     COUNT graphs at once, every one in use; none needs a descriptor of its own
//   resources threads COUNT  the same with MPI_THREAD_MULTIPLE, every fiftieth in use
//   resources few            graphs with one to three communicators left in the MPI library
//   resources held           the MPI library can make no more communicator at the end of MPI
//   resources cycles COUNT   COUNT graphs one after the other, made, used in every form, and freed: nothing is left
//   resources files DEGREE   a graph with so many neighbors, used: files in memory that its processes share are bounded
//   resources most           prints the possible numbers of duplicates, graphs and graphs of two groups at once
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"
#include "footprint.h"

#include <unistd.h>

enum { most_graphs = 1 << 16 };

static int lists[2];
static MPI_Comm graphs[most_graphs];

// Makes graphs until there are `count` or no more are possible; returns their number.
static int make(MPI_Comm parent, int first, int count)
{
    int made = first;
    while (made < count && make_ring(parent, lists, &graphs[made]) == MPI_SUCCESS) {
        ++made;
    }
    return made;
}

static void drop(int count)
{
    for (int i = 0; i < count; ++i) {
        MPI_Comm_free(&graphs[i]);
    }
}

static int use(MPI_Comm graph, int round)
{
    int wrong = exchange_and_check(graph, round % 1000, 1 + round % 3, 2, lists, 2, lists);
    const int out[2] = {lists[0], lists[1]};
    int in[2] = {-1, -1};
    MPI_Request request;
    MPI_Ineighbor_allgather(&out[1], 1, MPI_INT, in, 1, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong += in[0] < 0 || in[1] < 0;
#ifndef NO_PERSISTENT
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, graph, MPI_INFO_NULL, &request);
    for (int start = 0; start < 2; ++start) {
        in[0] = in[1] = -1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += in[0] < 0 || in[1] < 0;
    }
    MPI_Request_free(&request);
#endif
    return wrong;
}

static int live(int count, int step)
{
    enum { pipe_of_libunwind = 2 };
    int wrong = make(MPI_COMM_WORLD, 0, 1) != 1 || use(graphs[0], 0); // the MPI library connects with the first message
    const long before = entries_of("/proc/self/fd");
    const int made = make(MPI_COMM_WORLD, 1, count);
    wrong += made != count;
    wrong += entries_of("/proc/self/fd") > before + pipe_of_libunwind;
    for (int i = 0; i < made; i += step) {
        wrong += use(graphs[i], i);
    }
    drop(made);
    return wrong;
}

static int make_duplicates(MPI_Comm parent, int first)
{
    int made = first;
    while (made < most_graphs && MPI_Comm_dup(parent, &graphs[made]) == MPI_SUCCESS) {
        ++made;
    }
    return made;
}

// The graph can be made, and unneeded communicators are left for the program: all but, of three, one that Hopscotch
// takes.
static int few(void)
{
    MPI_Comm parent;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    int wrong = 0;
    int made = make_duplicates(parent, 0);
    for (int left = 1; left <= 3; ++left) {
        for (int i = 0; i < left; ++i) {
            MPI_Comm_free(&graphs[--made]);
        }
        MPI_Comm ring;
        wrong += make_ring(MPI_COMM_WORLD, lists, &ring) != MPI_SUCCESS;
        wrong += use(ring, left);
        const int now = make_duplicates(parent, made);
        wrong += now - made < (left == 3 ? 1 : left - 1);
        MPI_Comm_free(&ring);
        made = make_duplicates(parent, now);
    }
    drop(made);
    MPI_Comm_free(&parent);
    return wrong;
}

static int held(void)
{
    MPI_Comm ring;
    int wrong = make_ring(MPI_COMM_WORLD, lists, &ring) != MPI_SUCCESS;
    wrong += use(ring, 1);
    MPI_Comm parent;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    make_duplicates(parent, 0);
    return wrong;
}

// Memory may still settle in the first half; in the second none may be added except by the heap itself.
static int cycles(int count)
{
    enum { allowed_mappings = 8, allowed_kilobytes = 2048 };
    int wrong = 0;
    Footprint before = footprint();
    for (int i = 0; i < count; ++i) {
        if (i == count / 2) {
            before = footprint();
        }
        wrong += make(MPI_COMM_WORLD, 0, 1) != 1;
        wrong += use(graphs[0], i);
        drop(1);
    }
    const Footprint after = footprint();
    if (rank == 0) {
        printf("time: descriptors %ld, %ld; mappings %ld, %ld; resident %ld, %ld KiB\n", before.descriptors,
               after.descriptors, before.mappings, after.mappings, before.kilobytes, after.kilobytes);
    }
    wrong += after.descriptors > before.descriptors;
    wrong += after.mappings > before.mappings + allowed_mappings;
    return wrong + (after.kilobytes > before.kilobytes + allowed_kilobytes);
}

// Bytes of this process's address space that are files in memory of the shim.
static unsigned long long bytes_of_files(void)
{
    char line[512];
    unsigned long long bytes = 0;
    FILE* maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long long begin;
        unsigned long long end;
        if (strstr(line, "memfd:hopscotch") != NULL && sscanf(line, "%llx-%llx", &begin, &end) == 2) {
            bytes += end - begin;
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return bytes;
}

static int files(int degree)
{
    enum { most_megabytes = 802, most_degree = 4096 };
    static int neighbors[most_degree];
    static int out[most_degree];
    static int in[most_degree];
    if (degree > most_degree) {
        return 1;
    }
    for (int i = 0; i < degree; ++i) {
        neighbors[i] = (rank + size / 2) % size;
        out[i] = rank;
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbors, MPI_UNWEIGHTED, degree, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
    int wrong = bytes_of_files() > (unsigned long long)most_megabytes << 20;
    for (int i = 0; i < degree; ++i) {
        wrong += in[i] != neighbors[i];
    }
    MPI_Comm_free(&graph);
    return wrong;
}

static int most(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int duplicates = make_duplicates(MPI_COMM_WORLD, 0);
    drop(duplicates);
    const int of_one = make(MPI_COMM_WORLD, 0, most_graphs);
    drop(of_one);
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
    MPI_Comm_set_errhandler(reversed, MPI_ERRORS_RETURN);
    const int half = make(MPI_COMM_WORLD, 0, of_one / 2);
    const int of_two = make(reversed, half, most_graphs);
    drop(of_two);
    MPI_Comm_free(&reversed);
    if (rank == 0) {
        printf("most: %d duplicates, %d graphs, %d graphs of two groups\n", duplicates, of_one, of_two);
    }
    return 0;
}

int main(int argc, char** argv)
{
    const int threads = argc == 3 && strcmp(argv[1], "threads") == 0;
    begin_threads(threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &argc, &argv);
    int wrong = 1;
    if (argc == 3 && strcmp(argv[1], "live") == 0) {
        wrong = live(atoi(argv[2]), 1);
    } else if (threads) {
        wrong = live(atoi(argv[2]), 50);
    } else if (argc == 2 && strcmp(argv[1], "few") == 0) {
        wrong = few();
    } else if (argc == 2 && strcmp(argv[1], "held") == 0) {
        wrong = held();
    } else if (argc == 3 && strcmp(argv[1], "cycles") == 0) {
        wrong = cycles(atoi(argv[2]));
    } else if (argc == 3 && strcmp(argv[1], "files") == 0) {
        wrong = files(atoi(argv[2]));
    } else if (argc == 2 && strcmp(argv[1], "most") == 0) {
        wrong = most();
    } else {
        fputs("usage: resources live COUNT | threads COUNT | few | held | cycles COUNT | files DEGREE | most\n",
              stderr);
    }
    return conclude("resources", wrong);
}
