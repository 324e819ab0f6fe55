// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Very many calls, one after the other: all operations in all forms, blocks of changing sizes, communicators that come
// and go. Every block is checked.
//
//   long_run SEED CALLS
#include "../../program.h"
#include "exchange.h"
#include "flights.h"
#include "launch.h"

enum {
    slots = 5,          // communicators at once
    most_degree = 32,   // per process
    most_flying = 3,    // nonblocking calls at once
    most_starts = 4,    // per persistent request
    most_cells = 20000, // per block
    calls_per_life = 2000
};

typedef struct {
    MPI_Comm comm;
    int sources;
    int destinations;
    int source[most_degree];
    int destination[most_degree];
} Neighborhood;

// One call: its operation, buffers with a cell behind the last block, and the expected content.
typedef struct {
    int operation;
    int cells;
    Arguments out;
    Arguments in;
    unsigned seed;
} Checked;

static Function native[forms][functions];
static Function called[forms][functions];
static uint64_t state;
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
    int dims[3] = {0, 0, 0};
    int periods[3];
    const int dimensions = 1 + (int)draw(3);
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
    const Torus torus = make_torus(MPI_COMM_WORLD, 2);
    made->comm = torus.comm;
    made->sources = made->destinations = torus.neighbors;
    memcpy(made->source, torus.source, (size_t)torus.neighbors * sizeof *torus.source);
    memcpy(made->destination, torus.destination, (size_t)torus.neighbors * sizeof *torus.destination);
    free(torus.source);
    free(torus.destination);
}

// Without structure, but every process has as many sources as destinations: MPI_Neighbor_alltoallw of MPICH 4.0.2 needs
// that.
static void make_graph(Neighborhood* made)
{
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

static int is_varying(const Checked* call)
{
    return call->operation != op_alltoall && call->operation != op_allgather;
}

static int is_gather(const Checked* call)
{
    return call->operation == op_allgather || call->operation == op_allgatherv;
}

// Both ends of an edge compute its size; a process's own block in a gather is that for everyone.
static int count_of(const Checked* call, int from, int to)
{
    return is_varying(call) ? (int)(mixed(call->seed, from, is_gather(call) ? 0 : to) % (unsigned)(call->cells + 1))
                            : call->cells;
}

static int value_of(const Checked* call, int from, int to, int cell)
{
    return (int)(mixed(call->seed + 1, from, is_gather(call) ? 0 : to) + (unsigned)cell);
}

static void fill(const Checked* call, int* block, int to, int count)
{
    for (int c = 0; c < count; ++c) {
        block[c] = value_of(call, rank, to, c);
    }
}

// Room for the blocks of these counts, one after the other; the number of cells before the last one.
static int lay_out(Arguments* side, int blocks)
{
    int total = 0;
    for (int i = 0; i < blocks; ++i) {
        side->indices[i] = total;
        side->bytes[i] = (MPI_Aint)total * (MPI_Aint)sizeof(int);
        side->types[i] = MPI_INT;
        total += side->counts[i];
    }
    side->type = MPI_INT;
    return total;
}

static void prepare(Checked* call, const Neighborhood* on)
{
    call->operation = (int)draw(operations);
    const unsigned kind = draw(100);
    call->cells = (int)(kind < 5 ? 0 : kind < 85 ? 1 + draw(64) : kind < 99 ? 1 + draw(1500) : 1 + draw(most_cells));
    call->seed = draw(1u << 30);
    call->out = allocate_arguments(on->destinations);
    call->in = allocate_arguments(on->sources);
    for (int i = 0; i < on->destinations; ++i) {
        call->out.counts[i] = count_of(call, rank, on->destination[i]);
    }
    for (int j = 0; j < on->sources; ++j) {
        call->in.counts[j] =
            on->source[j] == MPI_PROC_NULL && is_varying(call) ? 0 : count_of(call, on->source[j], rank);
    }
    const int sent = lay_out(&call->out, on->destinations);
    const int received = lay_out(&call->in, on->sources);
    const int own = count_of(call, rank, 0);
    call->out.count = is_gather(call) ? own : call->cells;
    call->in.count = call->cells;
    int* out = call->out.buffer = allocate(((size_t)sent + (size_t)own + 1) * sizeof(int));
    int* in = call->in.buffer = allocate(((size_t)received + 1) * sizeof(int));
    if (is_gather(call)) {
        fill(call, out, 0, own);
    } else {
        for (int i = 0; i < on->destinations; ++i) {
            fill(call, out + call->out.indices[i], on->destination[i], call->out.counts[i]);
        }
    }
    for (int c = 0; c <= received; ++c) {
        in[c] = -1;
    }
}

static int finish(Checked* call, const Neighborhood* on)
{
    int wrong = 0;
    int total = 0;
    int* in = call->in.buffer;
    for (int j = 0; j < on->sources; ++j) {
        int fits = 1;
        for (int c = 0; c < call->in.counts[j]; ++c) {
            int* cell = &in[call->in.indices[j] + c];
            const int wanted = on->source[j] == MPI_PROC_NULL ? -1 : value_of(call, on->source[j], rank, c);
            fits = fits && *cell == wanted;
            *cell = -1; // for the next start of a persistent request
        }
        wrong += fits ? 0 : complain(rank, "long_run", j, on->source[j], call->operation);
        total += call->in.counts[j];
    }
    return wrong + (in[total] != -1);
}

static void release(Checked* call)
{
    free(call->out.buffer);
    free(call->in.buffer);
    free_arguments(&call->out);
    free_arguments(&call->in);
}

static void begin(enum Form form, Checked* call, MPI_Comm comm, MPI_Request* request)
{
    launch(form, call->operation, called[form][call->operation], &call->out, &call->in, comm, request);
}

static int blocking_call(const Neighborhood* on)
{
    Checked call;
    prepare(&call, on);
    begin(form_blocking, &call, on->comm, NULL);
    const int wrong = finish(&call, on);
    release(&call);
    return wrong;
}

// On different communicators, perhaps; completed together.
static int nonblocking_calls(int count)
{
    Checked calls[most_flying];
    const Neighborhood* on[most_flying];
    MPI_Request requests[most_flying];
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        on[i] = &pool[draw(slots)];
        prepare(&calls[i], on[i]);
        begin(form_nonblocking, &calls[i], on[i]->comm, &requests[i]);
    }
    MPI_Status statuses[most_flying];
    MPI_Waitall(count, requests, statuses);
    for (int i = 0; i < count; ++i) {
        wrong += finish(&calls[i], on[i]);
        release(&calls[i]);
    }
    return wrong;
}

// Blocking ones if the MPI library has no persistent ones.
static int persistent_calls(const Neighborhood* on, int starts)
{
    int wrong = 0;
    if (called[form_persistent][op_alltoall] == NULL) {
        for (int start = 0; start < starts; ++start) {
            wrong += blocking_call(on);
        }
        return wrong;
    }
    ++initialized;
    Checked call;
    MPI_Request request;
    prepare(&call, on);
    begin(form_persistent, &call, on->comm, &request);
    for (int start = 0; start < starts; ++start) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += finish(&call, on);
    }
    MPI_Request_free(&request);
    release(&call);
    return wrong;
}

static int least(int one, int other)
{
    return one < other ? one : other;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    for (int form = 0; form < forms; ++form) {
        find_functions((enum Form)form, native[form], called[form]);
    }
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
    return conclude("long_run", wrong);
}
