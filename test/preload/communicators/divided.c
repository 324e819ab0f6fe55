// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks on both sides of a limit, so that one algorithm carries the smaller and another one the larger. If one process
// alone wrongly passes the larger one, the job must end with a line about it, and persistent requests, which processes
// make together, must end. If all pass now these and now those, and come so late that the others begin to ask, the job
// must go on. For runs under the shim: MPI itself calls the first program erroneous.
//
//   divided wrong FORM BYTES OTHER_BYTES    three calls with BYTES on all processes, then one with OTHER_BYTES on the
//                                           last, then one with BYTES on all
//   divided left FORM BYTES OTHER_BYTES     on a line: one call with OTHER_BYTES on the last, which waits in it after
//                                           the others have left it, and one with BYTES, for which the first is late
//   divided late FORM BYTES OTHER_BYTES     the last process is late for BYTES, the others for OTHER_BYTES
//
// FORM: blocking, nonblocking (two calls at once) or persistent
#include "../../program.h"
#include "flights.h"
#include "shapes.h"

#include <unistd.h>

enum { neighbors = 4, most_seconds = 60, late_microseconds = 1500000 };

static MPI_Comm graph;
static char form;
static char* out;
static char* in;

static void exchange(int bytes)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (form == 'b') {
        MPI_Neighbor_alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, graph);
    } else if (form == 'n') {
        MPI_Ineighbor_alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, graph, &requests[0]);
        MPI_Ineighbor_alltoall(out, 1, MPI_BYTE, in + neighbors * bytes, 1, MPI_BYTE, graph, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
#ifndef NO_PERSISTENT
        MPI_Neighbor_alltoall_init(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, graph, MPI_INFO_NULL, &requests[0]);
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Request_free(&requests[0]);
#endif
    }
}

// Some processes have MPI_PROC_NULL for a neighbor.
static void make_tube(void)
{
    int dims[2] = {0, 0};
    const int periods[2] = {1, 0};
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &graph);
}

// Each process sends to the next one, and to itself.
static void make_line(void)
{
    const int before[2] = {rank, rank - 1};
    const int behind[2] = {rank, rank + 1};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank > 0 ? 2 : 1, before, MPI_UNWEIGHTED, rank + 1 < size ? 2 : 1,
                                   behind, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    if (argc != 5) {
        give_up("usage: divided wrong|left|late blocking|nonblocking|persistent BYTES OTHER_BYTES");
    }
    const int wrong = strcmp(argv[1], "wrong") == 0;
    form = argv[2][0];
    const int left = strcmp(argv[1], "left") == 0;
    const int ends = !(wrong || left) || form == 'p';
    const int bytes = atoi(argv[3]);
    const int other_bytes = atoi(argv[4]);
    const int most = bytes > other_bytes ? bytes : other_bytes;
    out = allocate(neighbors * ((size_t)most));
    in = allocate(neighbors * ((size_t)most + 1));
    left ? make_line() : make_tube();
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); // for MPI_Waitall
    int own;
    int processes;
    MPI_Comm_rank(graph, &own);
    MPI_Comm_size(graph, &processes);
    const int last = own == processes - 1;
    watch("the call", most_seconds);
    if (wrong) {
        for (int call = 0; call < 3; ++call) {
            exchange(bytes);
        }
        exchange(last ? other_bytes : bytes);
        MPI_Barrier(graph); // processes without a part in it may have come here
        if (!ends) {
            printf("divided: FAILED, the call ended on rank %d\n", own);
        }
        exchange(bytes);
    } else if (left) {
        exchange(last ? other_bytes : bytes);
        usleep(own == 0 ? 2 * late_microseconds : 0);
        exchange(bytes);
    } else {
        usleep(last ? late_microseconds : 0);
        exchange(bytes);
        usleep(last ? 0 : late_microseconds);
        exchange(other_bytes);
    }
    free(out);
    free(in);
    return end_program(ends ? 0 : 4);
}
