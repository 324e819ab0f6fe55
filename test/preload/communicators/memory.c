// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One process alone has no memory for an allocation of the shim: the n-th from FIRST to LAST while a communicator is
// made, a persistent request is, or a nonblocking call; the others have. Needs librefusing.so. The MPI library does
// everything that cannot be done, or the job ends with a line that gives the reason; all received data is right.
//
//   memory create|duplicate|init|call|report FIRST LAST
#include "../../program.h"
#include "exchange.h"

#include <dlfcn.h>

enum { poor = 1, degree = 2 };

static int lists[degree];

// The allocation that fails; 0: none.
static void refuse(long allocation)
{
    void (*refuse_memory)(long);
    *(void**)&refuse_memory = dlsym(RTLD_DEFAULT, "refuse_memory");
    if (refuse_memory == NULL) {
        fprintf(stderr, "librefusing.so is not preloaded\n");
        MPI_Abort(MPI_COMM_WORLD, 9);
    } else if (rank == poor) {
        refuse_memory(allocation);
    }
}

static int persistent(MPI_Comm graph, long allocation)
{
#ifdef NO_PERSISTENT
    return graph == MPI_COMM_NULL && allocation < 0;
#else
    int out[degree] = {10 * rank, 10 * rank + 1};
    int in[degree] = {-1, -1};
    MPI_Request request;
    refuse(allocation);
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, graph, MPI_INFO_NULL, &request);
    refuse(0);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return in[0] != 10 * lists[0] + 1 || in[1] != 10 * lists[1];
#endif
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* const what = argc > 3 ? argv[1] : "create";
    const long first = argc > 3 ? atol(argv[2]) : 1;
    const long last = argc > 3 ? atol(argv[3]) : 1;
    int wrong = 0;
    for (long allocation = first; allocation <= last; ++allocation) {
        const int at_creation = strcmp(what, "create") == 0;
        refuse(at_creation ? allocation : 0);
        MPI_Comm graph;
        make_ring(MPI_COMM_WORLD, lists, &graph);
        refuse(0);
        MPI_Comm copy;
        refuse(strcmp(what, "duplicate") == 0 ? allocation : 0);
        MPI_Comm_dup(graph, &copy);
        refuse(0);
        refuse(strcmp(what, "call") == 0 ? allocation : 0);
        wrong += exchange_and_check(graph, (int)allocation, 3, degree, lists, degree, lists);
        refuse(0);
        wrong += exchange_and_check(copy, (int)allocation, 3, degree, lists, degree, lists);
        if (strcmp(what, "init") == 0) {
            wrong += persistent(graph, allocation);
        }
        MPI_Comm_free(&copy);
        MPI_Comm_free(&graph);
    }
    const int status = judge("memory", wrong);
    refuse(strcmp(what, "report") == 0 ? first : 0);
    return end_program(status);
}
