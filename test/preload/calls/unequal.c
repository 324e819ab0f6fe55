// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Regular calls in which every process sends blocks of a size of its own, so that the two ends of each edge agree but
// edges differ. MPI forbids that (MPI 4.0, 8.6); the MPI library carries it.
//
//   unequal line|ring|rows BYTES    blocks of BYTES and of ten times as many; each process sends to the next one, or in
//                                   a torus to the two of the next row
#include "../../program.h"
#include "flights.h"
#include "shapes.h"

enum { most_seconds = 60, most_degree = 2, forms = 3 };
static const char* const form_names[forms] = {"blocking", "nonblocking", "persistent"};

static MPI_Comm graph;
static int sources, destinations;
static int source[most_degree], destination[most_degree];

// To the process itself and its right neighbor in the next row of two.
static void make_rows(void)
{
    const int row = rank / 2;
    const int rows = size / 2;
    for (int i = 0; i < most_degree; ++i) {
        destination[i] = (row + 1) % rows * 2 + (rank + i) % 2;
        source[i] = (row + rows - 1) % rows * 2 + (rank + i) % 2;
    }
    sources = destinations = most_degree;
}

static void make_line(int closed)
{
    source[0] = (rank + size - 1) % size;
    destination[0] = (rank + 1) % size;
    sources = closed || rank > 0;
    destinations = closed || rank < size - 1;
}

// The size that a process sends to all: in `rows` mode all processes of a row send the same size.
static int bytes_of(int process, int bytes, int in_rows)
{
    return (in_rows ? process / 2 : process) % 2 == 0 ? bytes : 10 * bytes;
}

static int exchange(int form, int gather, const char* out, int sent, char* in, int received)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
#define CALL(name, ...) (gather ? MPI_##name##allgather##__VA_ARGS__ : MPI_##name##alltoall##__VA_ARGS__)
    if (form == 0) {
        return CALL(Neighbor_, )(out, sent, MPI_BYTE, in, received, MPI_BYTE, graph);
    }
    if (form == 1) {
        code = CALL(Ineighbor_, )(out, sent, MPI_BYTE, in, received, MPI_BYTE, graph, &request);
        return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    }
#ifndef NO_PERSISTENT
    code = CALL(Neighbor_, _init)(out, sent, MPI_BYTE, in, received, MPI_BYTE, graph, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2 && code == MPI_SUCCESS; ++i) {
        code = MPI_Start(&request);
        code = code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    }
    MPI_Request_free(&request);
#endif
    return code;
}

static void try_form(int form, int gather, int bytes, int in_rows)
{
    const int sent = bytes_of(rank, bytes, in_rows);
    const int received = sources > 0 ? bytes_of(source[0], bytes, in_rows) : 0;
    char* out = allocate((size_t)most_degree * (size_t)sent);
    char* in = allocate((size_t)most_degree * (size_t)received + 1);
    memset(out, 1 + rank, (size_t)most_degree * (size_t)sent);
    int class = MPI_SUCCESS;
    MPI_Error_class(exchange(form, gather, out, sent, in, received), &class);
    int wrong = 0;
    for (int i = 0; i < sources * received; ++i) {
        wrong += in[i] != 1 + source[i / received];
    }
    printf("rank %d, %s %s: class %d, %s data\n", rank, form_names[form], gather ? "allgather" : "alltoall", class,
           wrong == 0 ? "right" : "wrong");
    free(out);
    free(in);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    if (argc != 3) {
        give_up("usage: unequal line|ring|rows BYTES");
    }
    const int in_rows = strcmp(argv[1], "rows") == 0;
    if (in_rows) {
        make_rows();
    } else {
        make_line(strcmp(argv[1], "ring") == 0);
    }
    MPI_Comm plane = MPI_COMM_NULL;
    const int dims[2] = {size / 2, 2};
    const int periods[2] = {1, 1};
    if (in_rows) {
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &plane);
    }
    MPI_Dist_graph_create_adjacent(in_rows ? plane : MPI_COMM_WORLD, sources, source, MPI_UNWEIGHTED, destinations,
                                   destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
    for (int form = 0; form < forms; ++form) {
        for (int gather = 0; gather < 2; ++gather) {
            watch("a call", most_seconds);
            try_form(form, gather, atoi(argv[2]), in_rows);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    return end_program(0);
}
