// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Checked operations in flight, see flights.h.
#define _GNU_SOURCE
#include "flights.h"

#include "shapes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { most_dimensions = 4 };

Torus make_torus(MPI_Comm parent, int dimensions)
{
    int size;
    int dims[most_dimensions] = {0};
    int periods[most_dimensions] = {1, 1, 1, 1};
    int here[most_dimensions];
    int neighbors = 1;
    Torus torus = {0};
    MPI_Comm grid;
    MPI_Comm_size(parent, &size);
    MPI_Dims_create(size, dimensions, dims);
    MPI_Cart_create(parent, dimensions, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &torus.rank);
    MPI_Cart_coords(grid, torus.rank, dimensions, here);
    for (int k = 0; k < dimensions; ++k) {
        neighbors *= 3;
    }
    torus.source = allocate((size_t)neighbors * sizeof *torus.source);
    torus.destination = allocate((size_t)neighbors * sizeof *torus.destination);
    for (int point = 0; point < neighbors; ++point) {
        int to[most_dimensions];
        int from[most_dimensions];
        for (int k = 0, rest = point; k < dimensions; ++k, rest /= 3) {
            to[k] = here[k] + rest % 3 - 1;
            from[k] = here[k] - (rest % 3 - 1);
        }
        if (point != neighbors / 2) {
            MPI_Cart_rank(grid, to, &torus.destination[torus.neighbors]);
            MPI_Cart_rank(grid, from, &torus.source[torus.neighbors]);
            ++torus.neighbors;
        }
    }
    MPI_Dist_graph_create_adjacent(grid, torus.neighbors, torus.source, MPI_UNWEIGHTED, torus.neighbors,
                                   torus.destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &torus.comm);
    MPI_Comm_free(&grid);
    return torus;
}

Torus duplicate_torus(const Torus* torus)
{
    Torus copy = *torus;
    const size_t bytes = (size_t)torus->neighbors * sizeof(int);
    copy.source = allocate((size_t)torus->neighbors * sizeof(int));
    copy.destination = allocate((size_t)torus->neighbors * sizeof(int));
    memcpy(copy.source, torus->source, bytes);
    memcpy(copy.destination, torus->destination, bytes);
    MPI_Comm_dup(torus->comm, &copy.comm);
    return copy;
}

void free_torus(Torus* torus)
{
    if (torus->comm != MPI_COMM_NULL) {
        MPI_Comm_free(&torus->comm);
    }
    free(torus->source);
    free(torus->destination);
}

static int is_gather(const Flight* flight)
{
    return flight->torus->everyone == 0 && (flight->kind == flight_allgather || flight->kind == flight_allgatherv);
}

static int varies(const Flight* flight)
{
    return flight->kind == flight_alltoallv || flight->kind == flight_allgatherv ||
           flight->kind == flight_alltoallv_init;
}

int is_persistent(const Flight* flight)
{
    return flight->kind >= flight_alltoall_init;
}

// Parallel edges have blocks of one size and one content.
static int cells_between(const Flight* flight, int from, int to)
{
    if (!varies(flight)) {
        return flight->cells;
    }
    return flight->cells * (is_gather(flight) ? 1 + from % 3 : (from + 2 * to) % 4);
}

static long long cell_between(const Flight* flight, int from, int to, int cell)
{
    return (((long long)flight->number * 1000 + from) * 1000 + (is_gather(flight) ? 0 : to)) * 100000 + cell;
}

static void fill(Flight* flight)
{
    const Torus* torus = flight->torus;
    const int blocks = is_gather(flight) ? 1 : torus->neighbors;
    for (int i = 0, at = 0; i < blocks; ++i) {
        const int to = torus->destination[i];
        const int cells = cells_between(flight, torus->rank, to);
        for (int c = 0; c < cells; ++c) {
            flight->out[at++] = cell_between(flight, torus->rank, to, c);
        }
    }
    for (int j = 0, at = 0; j < torus->neighbors; ++j) {
        for (int c = cells_between(flight, torus->source[j], torus->rank); c > 0; --c) {
            flight->in[at++] = -7;
        }
    }
    if (flight->buffers.bytes > 0) {
        put_image(&flight->buffers, (const unsigned char*)flight->out);
    }
}

// Memory for so many cells.
static void make_memory(Flight* flight, size_t out, size_t in)
{
    const size_t cell = sizeof *flight->out;
    if (getenv("DEVICE_BUFFERS") == NULL) {
        flight->send = flight->out = allocate(out * cell);
        flight->receive = flight->in = allocate(in * cell);
        return;
    }
    flight->out = allocate((out + in) * cell);
    flight->in = flight->out + out;
    flight->buffers = make_buffers((out + in) * cell, (uint64_t)flight->number);
    flight->send = flight->buffers.send;
    flight->receive = flight->buffers.receive + out * cell;
}

// As start().
static void start_among_all(Flight* flight)
{
    const Torus* torus = flight->torus;
    const int n = torus->neighbors;
    const int p = torus->everyone;
    const int unit = varies(flight) ? 1 : (int)sizeof(long long);
    const MPI_Datatype type = MPI_LONG_LONG;
    int* counts = allocate(4 * (size_t)p * sizeof *counts);
    int* places = counts + p;
    int* counts_in = counts + 2 * p;
    int* places_in = counts + 3 * p;
    MPI_Datatype* types = allocate((size_t)p * sizeof *types);
    for (int i = 0; i < p; ++i) {
        types[i] = type;
    }
    for (int i = 0; i < n; ++i) {
        counts[torus->destination[i]] = flight->arrays[i];
        places[torus->destination[i]] = flight->arrays[n + i] * unit;
        counts_in[torus->source[i]] = flight->arrays[2 * n + i];
        places_in[torus->source[i]] = flight->arrays[3 * n + i] * unit;
    }
    if (!is_persistent(flight) && varies(flight)) {
        MPI_Ialltoallv(flight->send, counts, places, type, flight->receive, counts_in, places_in, type, torus->comm,
                       &flight->request);
    } else if (!is_persistent(flight)) {
        MPI_Ialltoallw(flight->send, counts, places, types, flight->receive, counts_in, places_in, types, torus->comm,
                       &flight->request);
#ifndef NO_PERSISTENT
    } else if (varies(flight)) {
        MPI_Alltoallv_init(flight->send, counts, places, type, flight->receive, counts_in, places_in, type, torus->comm,
                           MPI_INFO_NULL, &flight->request);
    } else {
        MPI_Alltoallw_init(flight->send, counts, places, types, flight->receive, counts_in, places_in, types,
                           torus->comm, MPI_INFO_NULL, &flight->request);
#endif
    }
    memset(counts, 0x7f, 4 * (size_t)p * sizeof *counts);
    memset(types, 0x7f, (size_t)p * sizeof *types);
    free(counts);
    free(types);
    if (is_persistent(flight)) {
        MPI_Start(&flight->request);
    }
}

void call_among_all(Torus* torus)
{
    MPI_Comm_size(torus->comm, &torus->everyone);
    const int p = torus->everyone;
    int* counts = allocate(3 * (size_t)p * sizeof *counts);
    int* places = counts + 2 * p;
    char* data = allocate(2 * (size_t)p * sizeof *data);
    for (int i = 0; i < torus->neighbors; ++i) {
        counts[torus->destination[i]] = 1;
        counts[p + torus->source[i]] = 1;
    }
    for (int i = 0; i < p; ++i) {
        places[i] = i;
    }
    for (int i = 0; i < 2; ++i) {
        MPI_Alltoallv(data, counts, places, MPI_CHAR, data + p, counts + p, places, MPI_CHAR, torus->comm);
    }
    free(counts);
    free(data);
}

// The arrays of counts and displacements are gone after this returns, like those of a binding that converts them.
static void start(Flight* flight)
{
    if (flight->torus->everyone > 0) {
        start_among_all(flight);
        return;
    }
    const Torus* torus = flight->torus;
    const int n = torus->neighbors;
    const size_t bytes = 4 * (size_t)n * sizeof *flight->arrays;
    int* counts = allocate(4 * (size_t)n * sizeof *counts);
    memcpy(counts, flight->arrays, bytes);
    const MPI_Datatype type = MPI_LONG_LONG;
    const int own = cells_between(flight, torus->rank, 0);
    switch (flight->kind) {
    case flight_alltoall:
        MPI_Ineighbor_alltoall(flight->send, flight->cells, type, flight->receive, flight->cells, type, torus->comm,
                               &flight->request);
        break;
    case flight_alltoallv:
        MPI_Ineighbor_alltoallv(flight->send, counts, counts + n, type, flight->receive, counts + 2 * n, counts + 3 * n,
                                type, torus->comm, &flight->request);
        break;
    case flight_allgather:
        MPI_Ineighbor_allgather(flight->send, flight->cells, type, flight->receive, flight->cells, type, torus->comm,
                                &flight->request);
        break;
    case flight_allgatherv:
        MPI_Ineighbor_allgatherv(flight->send, own, type, flight->receive, counts + 2 * n, counts + 3 * n, type,
                                 torus->comm, &flight->request);
        break;
#ifndef NO_PERSISTENT
    case flight_alltoall_init:
        MPI_Neighbor_alltoall_init(flight->send, flight->cells, type, flight->receive, flight->cells, type, torus->comm,
                                   MPI_INFO_NULL, &flight->request);
        break;
    case flight_alltoallv_init:
        MPI_Neighbor_alltoallv_init(flight->send, counts, counts + n, type, flight->receive, counts + 2 * n,
                                    counts + 3 * n, type, torus->comm, MPI_INFO_NULL, &flight->request);
        break;
#endif
    default:
        break;
    }
    memset(counts, 0x7f, bytes);
    free(counts);
    if (is_persistent(flight)) {
        MPI_Start(&flight->request);
    }
}

Flight begin_flight(const Torus* torus, enum FlightKind kind, int number, int cells)
{
    Flight flight = {.torus = torus, .kind = kind, .number = number, .cells = cells, .request = MPI_REQUEST_NULL};
    const size_t n = (size_t)torus->neighbors;
    flight.arrays = allocate(4 * n * sizeof *flight.arrays);
    int sent = 0;
    int received = 0;
    for (size_t i = 0; i < n; ++i) {
        flight.arrays[i] = cells_between(&flight, torus->rank, torus->destination[i]);
        flight.arrays[n + i] = sent;
        sent += flight.arrays[i];
        flight.arrays[2 * n + i] = cells_between(&flight, torus->source[i], torus->rank);
        flight.arrays[3 * n + i] = received;
        received += flight.arrays[2 * n + i];
    }
    make_memory(&flight, (size_t)sent + 4 * (size_t)cells, (size_t)received);
    fill(&flight);
    start(&flight);
    return flight;
}

void refill(Flight* flight, int number)
{
    flight->number = number;
    fill(flight);
}

int check_flight(const Flight* flight)
{
    const Torus* torus = flight->torus;
    int wrong = 0;
    if (flight->buffers.bytes > 0) {
        unsigned char* const image = (unsigned char*)flight->out;
        get_image(&flight->buffers, image, image);
    }
    for (int j = 0, at = 0; j < torus->neighbors; ++j) {
        const int cells = cells_between(flight, torus->source[j], torus->rank);
        int bad = 0;
        for (int c = 0; c < cells; ++c, ++at) {
            bad = bad || flight->in[at] != cell_between(flight, torus->source[j], torus->rank, c);
        }
        if (bad && wrong++ == 0) {
            printf("FAILED: rank %d, kind %d, operation %d: block from %d is wrong\n", torus->rank, (int)flight->kind,
                   flight->number, torus->source[j]);
            fflush(stdout);
        }
    }
    return wrong;
}

void end_flight(Flight* flight)
{
    if (flight->request != MPI_REQUEST_NULL) {
        MPI_Request_free(&flight->request);
    }
    if (flight->buffers.bytes > 0) {
        free_buffers(&flight->buffers);
    } else {
        free(flight->in);
    }
    free(flight->out);
    free(flight->arrays);
}

static char watched[200];

static void stuck(int signal_number)
{
    (void)signal_number;
    (void)!write(STDOUT_FILENO, watched, strlen(watched));
    _exit(3);
}

void watch(const char* what, unsigned seconds)
{
    int rank;
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(watched, sizeof watched, "FAILED: rank %d hangs in %s\n", rank, what);
    signal(SIGPROF, stuck);
    const char* patience = getenv("WATCH_SECONDS");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const long given = patience != NULL ? atol(patience) : (long)seconds;
    const long milliseconds = 1000 * given * (cores < size ? cores : size) / size;
    const struct itimerval limit = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

void end_watch(void)
{
    const struct itimerval never = {.it_value = {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
}
