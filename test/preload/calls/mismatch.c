// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The counts of the two ends of an edge disagree: a process concerned gets MPI_ERR_TRUNCATE, none waits for ever,
// nothing outside of the blocks is written, and the next call works. For runs under the shim: MPI itself calls such a
// program erroneous, and MPICH takes a short message for none.
//
//   mismatch FORM [CUTOFF|regular]    FORM: blocking, nonblocking or persistent; regular: regular calls only. Left out
//                                     are regular calls with counts on both sides of a cut-off, unless persistent: they
//                                     end the job (divided.c)
#include "../../program.h"
#include "flights.h"
#include "launch.h"

enum { most_neighbors = 8, gap = 64, most_seconds = 40 };

typedef struct {
    MPI_Comm graph;
    int rank;
    int size;
    int degree;
    int peers[most_neighbors]; // sources and destinations
    int periodic;
} Neighborhood;

// Counts and places of all blocks of one call, in bytes.
typedef struct {
    int out_count[most_neighbors];
    int in_count[most_neighbors];
    MPI_Aint out_at[most_neighbors];
    MPI_Aint in_at[most_neighbors];
    size_t out_bytes;
    size_t in_bytes;
} Blocks;

static enum Form form;
static Function native[functions];
static Function called[functions];
static char doing[300];
static int handled; // calls of the error handler

static void count_error(MPI_Comm* comm, int* code, ...)
{
    (void)comm;
    (void)code;
    ++handled;
}

static int is_regular(int function)
{
    return function % operations == op_alltoall || function % operations == op_allgather;
}

static int is_allgather(int function)
{
    return function % operations == op_allgather || function % operations == op_allgatherv;
}

// Blocks of the same bytes everywhere; regular ones lie close together.
static Blocks equal_blocks(const Neighborhood* place, int function, int out_bytes, int in_bytes, int room)
{
    Blocks blocks = {0};
    for (int i = 0; i < place->degree; ++i) {
        blocks.out_count[i] = out_bytes;
        blocks.in_count[i] = in_bytes;
        blocks.out_at[i] = gap + i * (is_regular(function) ? out_bytes : room + gap);
        blocks.in_at[i] = gap + i * (is_regular(function) ? in_bytes : room + gap);
    }
    blocks.out_bytes = (size_t)place->degree * (size_t)(room + gap) + 2 * gap;
    blocks.in_bytes = blocks.out_bytes;
    return blocks;
}

// One side of a call: `count` blocks of bytes, or the one of an allgather's send buffer.
static Arguments side(int function, int blocks, const int* counts, const MPI_Aint* at, unsigned char* buffer)
{
    Arguments result = allocate_arguments(blocks);
    const int whole = function % operations == op_alltoallw || function >= operations;
    result.buffer = is_regular(function) || !whole ? buffer + gap : buffer;
    result.count = counts[0];
    for (int i = 0; i < blocks; ++i) {
        result.counts[i] = counts[i];
        result.large_counts[i] = counts[i];
        result.indices[i] = (int)at[i] - gap;
        result.large_indices[i] = at[i];
        result.bytes[i] = at[i];
        result.types[i] = MPI_BYTE;
    }
    return result;
}

// Returns the code of the call or, for later completion, that of the completion.
static int exchange(const Neighborhood* place, int function, const Blocks* blocks, unsigned char* out,
                    unsigned char* in)
{
    Arguments send = side(function, place->degree, blocks->out_count, blocks->out_at, out);
    if (is_allgather(function)) {
        send.buffer = out + gap;
    }
    Arguments receive = side(function, place->degree, blocks->in_count, blocks->in_at, in);
    MPI_Request request = MPI_REQUEST_NULL;
    int code = launch(form, function, called[function], &send, &receive, place->graph, &request);
    if (form == form_persistent && code == MPI_SUCCESS) {
        code = MPI_Start(&request);
    }
    if (form != form_blocking && code == MPI_SUCCESS) {
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (form == form_persistent) {
        MPI_Request_free(&request);
    }
    free_arguments(&send);
    free_arguments(&receive);
    return code;
}

static unsigned char data_byte(int sender, int round, int k)
{
    return (unsigned char)(sender * 37 + round * 11 + k % 251);
}

static unsigned char sentinel(size_t i)
{
    return (unsigned char)(0x5a ^ (i * 5u));
}

static int complain(const Neighborhood* place, const char* what, long long number)
{
    printf("FAILED: rank %d, %s: %s %lld\n", place->rank, doing, what, number);
    fflush(stdout);
    return 1;
}

// One call; its error class in *error. A call without error must bring the data of all peers if `checked`.
static int call_one(const Neighborhood* place, int function, const Blocks* blocks, int round, int checked, int* error)
{
    const size_t bytes = blocks->out_bytes + blocks->in_bytes;
    unsigned char* out = allocate(bytes); // of both buffers, which lie behind each other
    unsigned char* after = allocate(bytes);
    unsigned char* inside = allocate(blocks->in_bytes);
    for (size_t i = 0; i < bytes; ++i) {
        out[i] = sentinel(i);
    }
    for (int i = 0; i < place->degree; ++i) {
        for (int k = 0; k < blocks->out_count[i]; ++k) {
            out[blocks->out_at[i] + k] = data_byte(place->rank, round, k);
        }
        memset(inside + blocks->in_at[i], 1, (size_t)blocks->in_count[i]);
    }
    const Buffers buffers = make_buffers(bytes, (uint64_t)(round * place->size + place->rank));
    put_image(&buffers, out);
    *error = MPI_SUCCESS;
    handled = 0;
    MPI_Error_class(exchange(place, function, blocks, buffers.send, buffers.receive + blocks->out_bytes), error);
    get_image(&buffers, after, out);
    free_buffers(&buffers);
    const unsigned char* in = after + blocks->out_bytes;

    int wrong = handled == (*error != MPI_SUCCESS) ? 0 : complain(place, "calls of the error handler", handled);
    for (size_t i = 0; i < blocks->in_bytes && !wrong; ++i) {
        if (!inside[i] && in[i] != sentinel(blocks->out_bytes + i)) {
            wrong = complain(place, "wrote outside of its blocks, at byte", (long long)i);
        }
    }
    for (int i = 0; i < place->degree && checked && !wrong; ++i) {
        for (int k = 0; k < blocks->in_count[i] && !wrong; ++k) {
            if (in[blocks->in_at[i] + k] != data_byte(place->peers[i], round, k)) {
                wrong = complain(place, "wrong data of peer", place->peers[i]);
            }
        }
    }
    free(out);
    free(after);
    free(inside);
    return wrong;
}

// All processes agree on `usual` bytes but one, which sends `other` bytes: on one edge, or on all edges if they share
// one count; in `both` directions on request.
static int disagree(const Neighborhood* place, int function, int usual, int other, int both, int round)
{
    const int bad = round % place->size;
    const int edge = round % most_neighbors;
    const int room = usual > other ? usual : other;
    char name[64];
    form_name(form, function, name, sizeof name);
    snprintf(doing, sizeof doing, "%s on a %s, %d bytes, but %d%s from rank %d (edge %d)", name,
             place->periodic ? "torus" : "mesh", usual, other, both ? " and to" : "", bad, edge);
    const int single = is_regular(function) || is_allgather(function);
    const int deviates = place->rank == bad && place->degree > 0 && !(both && place->size == 1);
    Blocks blocks =
        equal_blocks(place, function, deviates && single ? other : usual, deviates && both ? other : usual, room);
    int target = -1;
    if (deviates && !single) {
        blocks.out_count[edge % place->degree] = other;
        target = place->peers[edge % place->degree];
    }
    watch(doing, most_seconds);
    int error;
    int wrong = call_one(place, function, &blocks, round, 0, &error);
    if (error != MPI_SUCCESS && error != MPI_ERR_TRUNCATE) {
        wrong += complain(place, "error class", error);
    }
    Blocks right = equal_blocks(place, function, usual, usual, room);
    for (int again = 1; again < 3; ++again) {
        int next_error;
        wrong += call_one(place, function, &right, round + again, 1, &next_error);
        if (next_error != MPI_SUCCESS) {
            wrong += complain(place, "the next call failed with class", next_error);
        }
    }
    int mine[2] = {target, deviates};
    int all[2];
    MPI_Allreduce(mine, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    int reported = error == MPI_ERR_TRUNCATE;
    int concerned = place->rank == all[0];
    for (int i = 0; i < place->degree; ++i) {
        concerned = concerned || (single && all[1] && place->peers[i] == bad);
    }
    if (concerned && !reported) {
        wrong += complain(place, "a receiver did not hear of it, edges:", place->degree);
    }
    MPI_Allreduce(MPI_IN_PLACE, &reported, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (all[1] && !reported && place->rank == 0) {
        wrong += complain(place, "nobody heard of it, processes:", place->size);
    }
    return wrong;
}

// All eight processes around in a grid of two dimensions.
static Neighborhood make_neighborhood(int periodic)
{
    Neighborhood place = {.periodic = periodic};
    MPI_Comm_size(MPI_COMM_WORLD, &place.size);
    int dims[2] = {0, 0};
    const int periods[2] = {periodic, periodic};
    MPI_Dims_create(place.size, 2, dims);
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &place.rank);
    int mine[2];
    MPI_Cart_coords(grid, place.rank, 2, mine);
    for (int i = 0; i < 9; ++i) {
        const int at[2] = {mine[0] + i / 3 - 1, mine[1] + i % 3 - 1};
        const int outside = at[0] < 0 || at[0] >= dims[0] || at[1] < 0 || at[1] >= dims[1];
        if (i != 4 && (periodic || !outside)) {
            MPI_Cart_rank(grid, at, &place.peers[place.degree++]);
        }
    }
    MPI_Dist_graph_create_adjacent(grid, place.degree, place.peers, MPI_UNWEIGHTED, place.degree, place.peers,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &place.graph);
    MPI_Comm_free(&grid);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(place.graph, handler);
    MPI_Errhandler_free(&handler);
    return place;
}

int main(int argc, char** argv)
{
    static const int sizes[][2] = {{40, 60},   {40, 20},   {40, 0},       {0, 40},     {40, 400},
                                   {400, 40},  {400, 600}, {400, 200},    {40, 20000}, {20000, 40},
                                   {0, 20000}, {20000, 0}, {20000, 18000}};
    begin_program(&argc, &argv);
    static const char* const words[forms] = {"nonblocking", "persistent", "blocking"};
    while (argc > 1 && form < forms && strcmp(argv[1], words[form]) != 0) {
        ++form;
    }
    if (argc < 2 || form == forms) {
        give_up("usage: mismatch blocking|nonblocking|persistent [CUTOFF|regular]");
    }
    const int regular_only = argc > 2 && strcmp(argv[2], "regular") == 0;
    const int cutoff = argc > 2 && !regular_only ? atoi(argv[2]) : -1;
    find_functions(form, native, called);
    int wrong = 0;
    int tried = 0;
    for (int periodic = 0; periodic < 2; ++periodic) {
        Neighborhood place = make_neighborhood(periodic);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            for (int function = 0; function < functions; ++function) {
                const int left_out = called[function] == NULL || (regular_only && !is_regular(function));
                for (int both = 0; !left_out && both <= is_regular(function); ++both) {
                    const int divided = (sizes[i][0] > cutoff) != (sizes[i][1] > cutoff);
                    if (!(cutoff >= 0 && divided && is_regular(function) && form != form_persistent)) {
                        wrong += disagree(&place, function, sizes[i][0], sizes[i][1], both, ++tried);
                    }
                }
            }
        }
        MPI_Comm_free(&place.graph);
    }
    end_watch();
    const int all = sum_of_all(wrong);
    if (rank == 0) {
        printf(all == 0 ? "mismatch: ok, %d calls\n" : "mismatch: FAILED, %d calls\n", tried);
    }
    return end_program(all == 0 ? 0 : 1);
}
