// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the behavior of this MPI library in points on which libraries differ, for docs/libraries.md: run by two
// processes, without Hopscotch, since its answers are the library's own.
#include "../../program.h"

#include <dlfcn.h>

static void say(const char* fact, const char* answer)
{
    if (rank == 0)
        printf("%-52s %s\n", fact, answer);
    fflush(stdout);
}

static MPI_Comm ring(int extent, int dims)
{
    int extents[2] = {extent, extent == 1 ? 2 : 1};
    int periods[2] = {1, 1};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, dims, extents, periods, 0, &comm);
    return comm;
}

/// Two edges each way.
static MPI_Comm pair(void)
{
    const int other[2] = {1 - rank, 1 - rank};
    const int weights[2] = {1, 1};
    MPI_Comm comm;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, other, weights, 2, other, weights, MPI_INFO_NULL, 0, &comm);
    return comm;
}

/// Blocks 10 and 11 were sent to one process. By MPI 4.1, 8.6, they land in this order on graphs, and exchanged if one
/// went down and the other up a dimension.
static void say_order(const char* where, const char* function, int first, const int received[2])
{
    char fact[100];
    snprintf(fact, sizeof fact, "%s: %s", where, function);
    const int other = 21 - first;
    say(fact, received[0] == first && received[1] == other   ? "the standard's order"
              : received[0] == other && received[1] == first ? "the other order"
                                                             : "WRONG");
}

static void order(const char* where, int first, MPI_Comm comm)
{
    const int sent[4] = {10, 11, 10, 11};
    const int counts[4] = {1, 1, 1, 1};
    const int displacements[4] = {0, 1, 2, 3};
    const MPI_Aint bytes[4] = {0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int)};
    const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    int received[4] = {0};
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
    say_order(where, "MPI_Neighbor_alltoall", first, received);
    memset(received, 0, sizeof received);
    MPI_Neighbor_alltoallv(sent, counts, displacements, MPI_INT, received, counts, displacements, MPI_INT, comm);
    say_order(where, "MPI_Neighbor_alltoallv", first, received);
    memset(received, 0, sizeof received);
    MPI_Neighbor_alltoallw(sent, counts, bytes, types, received, counts, bytes, types, comm);
    say_order(where, "MPI_Neighbor_alltoallw", first, received);
    memset(received, 0, sizeof received);
    MPI_Request request;
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_order(where, "MPI_Ineighbor_alltoall", first, received);
    MPI_Comm_free(&comm);
}

static void shared_node(void)
{
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int processes = 0;
    MPI_Comm_size(node, &processes);
    say("processes of one host by MPI_COMM_TYPE_SHARED", processes == 2 ? "together" : "apart");
    MPI_Comm_free(&node);
}

#ifndef NO_PERSISTENT
static void persistent(void)
{
    MPI_Comm comm = ring(2, 1);
    const int sent[2] = {10, 11};
    int received[2][2] = {{0}};
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i)
        MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, received[i], 1, MPI_INT, comm, MPI_INFO_NULL, &requests[i]);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Startall(2, requests);
    int done = 0;
    int code = MPI_SUCCESS;
    const double begin = MPI_Wtime();
    while (!done && code == MPI_SUCCESS && MPI_Wtime() - begin < 2.0)
        code = MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    say("MPI_Testall completes persistent collectives", done ? "yes" : code != MPI_SUCCESS ? "an error" : "never");
    if (!done)
        return; // the remaining requests would only hang
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Comm_free(&comm);
}
#endif

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    if (size != 2) {
        give_up("facts: for two processes");
    }
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n,")] = '\0';
    say("library", version);
    shared_node();
    order("extent 2, periodic", 11, ring(2, 1));
    order("extent 1, periodic", 11, ring(1, 2));
    order("graph with parallel edges", 10, pair());
    say("MPI_Session_init", dlsym(RTLD_DEFAULT, "MPI_Session_init") != NULL ? "there" : "none");
#ifndef NO_PERSISTENT
    persistent();
#else
    say("persistent neighborhood collectives", "none");
#endif
    return end_program(0);
}
