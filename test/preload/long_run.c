// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Very many calls, one after the other: all operations in all forms, blocks of changing sizes, communicators that come
// and go. Every block is checked.
//
//   long_run SEED CALLS
#include "exchange.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    slots = 5,          // communicators at once
    most_degree = 32,   // of one process
    most_flying = 3,    // nonblocking calls at once
    most_starts = 4,    // of one persistent request
    most_cells = 20000, // of one block
    calls_per_life = 2000
};

typedef struct {
    MPI_Comm comm;
    int sources;
    int destinations;
    int source[most_degree];
    int destination[most_degree];
} Neighborhood;

typedef enum { alltoall, alltoallv, alltoallw, allgather, allgatherv, operations } Operation;

// One call: buffers with a cell behind the last block, and what belongs there.
typedef struct {
    Operation operation;
    int cells;
    int* out;
    int* in;
    int send_counts[most_degree];
    int send_at[most_degree];
    int receive_counts[most_degree];
    int receive_at[most_degree];
    MPI_Aint send_bytes_at[most_degree];
    MPI_Aint receive_bytes_at[most_degree];
    MPI_Datatype types[most_degree];
    unsigned seed;
} Call;

static uint64_t state;
static int rank;
static Neighborhood pool[slots];
static int initialized; // persistent requests

// The same numbers on all processes.
static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static unsigned mixed(unsigned seed, int from, int to)
{
    return (seed * 2654435761u) ^ ((unsigned)from * 40503u + 7u) * ((unsigned)to * 9973u + 3u);
}

static void* allocate(size_t bytes)
{
    void* memory = malloc(bytes);
    if (memory == NULL) {
        fputs("long_run: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
        exit(2);
    }
    return memory;
}

static void learn_grid(Neighborhood* made)
{
    int dimensions;
    MPI_Cartdim_get(made->comm, &dimensions);
    made->sources = made->destinations = 2 * dimensions;
    for (int k = 0; k < dimensions; ++k) {
        MPI_Cart_shift(made->comm, k, 1, &made->source[2 * k], &made->source[2 * k + 1]);
    }
    memcpy(made->destination, made->source, sizeof made->source);
}

static void make_grid(Neighborhood* made)
{
    int size;
    int dims[3] = {0, 0, 0};
    int periods[3];
    const int dimensions = 1 + (int)draw(3);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, dimensions, dims);
    for (int k = 0; k < 3; ++k) {
        periods[k] = (int)draw(2);
    }
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &made->comm);
    learn_grid(made);
}

// All neighbors of a torus of two dimensions.
static void make_moore(Neighborhood* made)
{
    int size;
    int dims[2] = {0, 0};
    int at[2];
    const int periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, at);
    made->sources = made->destinations = 0;
    for (int point = 0; point < 9; ++point) {
        const int there[2] = {at[0] + point / 3 - 1, at[1] + point % 3 - 1};
        if (point != 4) {
            MPI_Cart_rank(grid, there, &made->destination[made->destinations++]);
        }
    }
    made->sources = made->destinations;
    memcpy(made->source, made->destination, sizeof made->source);
    MPI_Dist_graph_create_adjacent(grid, made->sources, made->source, MPI_UNWEIGHTED, made->destinations,
                                   made->destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made->comm);
    MPI_Comm_free(&grid);
}

// Without structure, but every process has as many sources as destinations: MPI_Neighbor_alltoallw of MPICH 4.0.2 needs
// that.
static void make_graph(Neighborhood* made)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const unsigned seed = draw(1u << 20);
    made->sources = 0;
    for (int other = 0; other < size && other < most_degree; ++other) {
        if ((mixed(seed, rank, other) ^ mixed(seed, other, rank)) % 2 == 0) {
            made->source[made->sources++] = other;
        }
    }
    made->destinations = made->sources;
    memcpy(made->destination, made->source, sizeof made->source);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, made->sources, made->source, MPI_UNWEIGHTED, made->destinations,
                                   made->destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made->comm);
}

static void make(Neighborhood* made, const Neighborhood* other)
{
    switch (draw(other == NULL ? 3 : 4)) {
    case 0:
        make_grid(made);
        break;
    case 1:
        make_moore(made);
        break;
    case 2:
        make_graph(made);
        break;
    default:
        *made = *other;
        MPI_Comm_dup(other->comm, &made->comm);
        break;
    }
}

static int is_varying(const Call* call)
{
    return call->operation != alltoall && call->operation != allgather;
}

static int is_gather(const Call* call)
{
    return call->operation == allgather || call->operation == allgatherv;
}

// Both ends of an edge compute its size; a process's own block in a gather is that for everyone.
static int count_of(const Call* call, int from, int to)
{
    return is_varying(call) ? (int)(mixed(call->seed, from, is_gather(call) ? 0 : to) % (unsigned)(call->cells + 1))
                            : call->cells;
}

static int value_of(const Call* call, int from, int to, int cell)
{
    return (int)(mixed(call->seed + 1, from, is_gather(call) ? 0 : to) + (unsigned)cell);
}

static void fill(const Call* call, int* block, int to, int count)
{
    for (int c = 0; c < count; ++c) {
        block[c] = value_of(call, rank, to, c);
    }
}

static void prepare(Call* call, const Neighborhood* on)
{
    call->operation = (Operation)draw(operations);
    const unsigned kind = draw(100);
    call->cells = (int)(kind < 5 ? 0 : kind < 85 ? 1 + draw(64) : kind < 99 ? 1 + draw(1500) : 1 + draw(most_cells));
    call->seed = draw(1u << 30);
    int total = 0;
    for (int i = 0; i < on->destinations; ++i) {
        call->send_counts[i] = count_of(call, rank, on->destination[i]);
        call->send_at[i] = total;
        call->send_bytes_at[i] = (MPI_Aint)total * (MPI_Aint)sizeof(int);
        total += call->send_counts[i];
    }
    const int own = count_of(call, rank, 0);
    call->out = allocate(((size_t)total + (size_t)own + 1) * sizeof(int));
    if (is_gather(call)) {
        fill(call, call->out, 0, own);
    } else {
        for (int i = 0; i < on->destinations; ++i) {
            fill(call, call->out + call->send_at[i], on->destination[i], call->send_counts[i]);
        }
    }
    total = 0;
    for (int j = 0; j < on->sources; ++j) {
        call->receive_counts[j] =
            on->source[j] == MPI_PROC_NULL && is_varying(call) ? 0 : count_of(call, on->source[j], rank);
        call->receive_at[j] = total;
        call->receive_bytes_at[j] = (MPI_Aint)total * (MPI_Aint)sizeof(int);
        total += call->receive_counts[j];
    }
    call->in = allocate(((size_t)total + 1) * sizeof(int));
    for (int c = 0; c <= total; ++c) {
        call->in[c] = -1;
    }
    for (int i = 0; i < most_degree; ++i) {
        call->types[i] = MPI_INT;
    }
}

static int finish(Call* call, const Neighborhood* on)
{
    int wrong = 0;
    int total = 0;
    for (int j = 0; j < on->sources; ++j) {
        int fits = 1;
        for (int c = 0; c < call->receive_counts[j]; ++c) {
            int* cell = &call->in[call->receive_at[j] + c];
            const int wanted = on->source[j] == MPI_PROC_NULL ? -1 : value_of(call, on->source[j], rank, c);
            fits = fits && *cell == wanted;
            *cell = -1; // for the next start of a persistent request
        }
        wrong += fits ? 0 : complain(rank, "long_run", j, on->source[j], (int)call->operation);
        total += call->receive_counts[j];
    }
    return wrong + (call->in[total] != -1);
}

static void release(Call* call)
{
    free(call->out);
    free(call->in);
}

#define ARGUMENTS_ALLTOALL(c) (c)->out, (c)->cells, MPI_INT, (c)->in, (c)->cells, MPI_INT
#define ARGUMENTS_ALLTOALLV(c)                                                                                         \
    (c)->out, (c)->send_counts, (c)->send_at, MPI_INT, (c)->in, (c)->receive_counts, (c)->receive_at, MPI_INT
#define ARGUMENTS_ALLTOALLW(c)                                                                                         \
    (c)->out, (c)->send_counts, (c)->send_bytes_at, (c)->types, (c)->in, (c)->receive_counts, (c)->receive_bytes_at,   \
        (c)->types
#define ARGUMENTS_ALLGATHERV(c)                                                                                        \
    (c)->out, count_of((c), rank, 0), MPI_INT, (c)->in, (c)->receive_counts, (c)->receive_at, MPI_INT

static void run_blocking(Call* call, MPI_Comm comm)
{
    switch (call->operation) {
    case alltoall:
        MPI_Neighbor_alltoall(ARGUMENTS_ALLTOALL(call), comm);
        break;
    case alltoallv:
        MPI_Neighbor_alltoallv(ARGUMENTS_ALLTOALLV(call), comm);
        break;
    case alltoallw:
        MPI_Neighbor_alltoallw(ARGUMENTS_ALLTOALLW(call), comm);
        break;
    case allgather:
        MPI_Neighbor_allgather(ARGUMENTS_ALLTOALL(call), comm);
        break;
    default:
        MPI_Neighbor_allgatherv(ARGUMENTS_ALLGATHERV(call), comm);
        break;
    }
}

static void begin(Call* call, MPI_Comm comm, MPI_Request* request)
{
    switch (call->operation) {
    case alltoall:
        MPI_Ineighbor_alltoall(ARGUMENTS_ALLTOALL(call), comm, request);
        break;
    case alltoallv:
        MPI_Ineighbor_alltoallv(ARGUMENTS_ALLTOALLV(call), comm, request);
        break;
    case alltoallw:
        MPI_Ineighbor_alltoallw(ARGUMENTS_ALLTOALLW(call), comm, request);
        break;
    case allgather:
        MPI_Ineighbor_allgather(ARGUMENTS_ALLTOALL(call), comm, request);
        break;
    default:
        MPI_Ineighbor_allgatherv(ARGUMENTS_ALLGATHERV(call), comm, request);
        break;
    }
}

static int blocking_call(const Neighborhood* on)
{
    Call call;
    prepare(&call, on);
    run_blocking(&call, on->comm);
    const int wrong = finish(&call, on);
    release(&call);
    return wrong;
}

// On different communicators, perhaps; completed together.
static int nonblocking_calls(int count)
{
    Call calls[most_flying];
    const Neighborhood* on[most_flying];
    MPI_Request requests[most_flying];
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        on[i] = &pool[draw(slots)];
        prepare(&calls[i], on[i]);
        begin(&calls[i], on[i]->comm, &requests[i]);
    }
    MPI_Status statuses[most_flying];
    MPI_Waitall(count, requests, statuses);
    for (int i = 0; i < count; ++i) {
        wrong += finish(&calls[i], on[i]);
        release(&calls[i]);
    }
    return wrong;
}

#ifdef NO_PERSISTENT
static int persistent_calls(const Neighborhood* on, int starts)
{
    int wrong = 0;
    for (int start = 0; start < starts; ++start) {
        wrong += blocking_call(on);
    }
    return wrong;
}
#else
static void initialize(Call* call, MPI_Comm comm, MPI_Request* request)
{
    switch (call->operation) {
    case alltoall:
        MPI_Neighbor_alltoall_init(ARGUMENTS_ALLTOALL(call), comm, MPI_INFO_NULL, request);
        break;
    case alltoallv:
        MPI_Neighbor_alltoallv_init(ARGUMENTS_ALLTOALLV(call), comm, MPI_INFO_NULL, request);
        break;
    case alltoallw:
        MPI_Neighbor_alltoallw_init(ARGUMENTS_ALLTOALLW(call), comm, MPI_INFO_NULL, request);
        break;
    case allgather:
        MPI_Neighbor_allgather_init(ARGUMENTS_ALLTOALL(call), comm, MPI_INFO_NULL, request);
        break;
    default:
        MPI_Neighbor_allgatherv_init(ARGUMENTS_ALLGATHERV(call), comm, MPI_INFO_NULL, request);
        break;
    }
}

static int persistent_calls(const Neighborhood* on, int starts)
{
    ++initialized;
    Call call;
    MPI_Request request;
    int wrong = 0;
    prepare(&call, on);
    initialize(&call, on->comm, &request);
    for (int start = 0; start < starts; ++start) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += finish(&call, on);
    }
    MPI_Request_free(&request);
    release(&call);
    return wrong;
}
#endif

static int least(int one, int other)
{
    return one < other ? one : other;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const int calls = argc > 2 ? atoi(argv[2]) : 1000;
    for (int i = 0; i < slots; ++i) {
        make(&pool[i], i == 0 ? NULL : &pool[i - 1]);
    }
    int wrong = 0;
    int started = 0;
    int next_end = calls_per_life;
    for (int done = 0, now = 0; done < calls; done += now) {
        const int left = calls - done;
        const Neighborhood* on = &pool[draw(slots)];
        const unsigned form = draw(10);
        now = form < 6 ? 1 : 1 + (int)draw(form < 8 ? most_flying : most_starts);
        now = least(now, left);
        wrong += form < 6 ? blocking_call(on) : form < 8 ? nonblocking_calls(now) : persistent_calls(on, now);
        started += form < 8 ? 0 : now;
        if (done >= next_end) {
            const unsigned ended = draw(slots);
            MPI_Comm_free(&pool[ended].comm);
            make(&pool[ended], &pool[(ended + 1) % slots]);
            next_end += calls_per_life;
        }
    }
    for (int i = 0; i < slots; ++i) {
        MPI_Comm_free(&pool[i].comm);
    }
    if (rank == 0) {
        printf("long_run: %d calls, %d of them starts of %d persistent requests\n", calls, started, initialized);
    }
    const int status = conclude("long_run", wrong);
    MPI_Finalize();
    return status;
}
