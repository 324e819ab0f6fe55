// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shared by the programs about nonblocking and persistent operations: a Moore neighborhood on a torus, one checked
// operation in flight, and a watchdog.
#ifndef FLIGHTS_H
#define FLIGHTS_H

#include "../device/buffers.h"

#include <mpi.h>

enum FlightKind {
    flight_alltoall,
    flight_alltoallv,
    flight_allgather,
    flight_allgatherv,
    flight_alltoall_init,
    flight_alltoallv_init,
#ifdef NO_PERSISTENT // the MPI library has no persistent neighborhood collectives
    flight_kinds = flight_alltoall_init
#else
    flight_kinds
#endif
};

// A communicator with the Moore neighborhood of `dimensions` dimensions, and its lists.
typedef struct {
    MPI_Comm comm;
    int rank;
    int everyone; // the number of processes if calls are among all; else 0
    int neighbors;
    int* source;
    int* destination;
} Torus;

// An operation and its buffers. The handle is the caller's to complete.
typedef struct {
    const Torus* torus;
    enum FlightKind kind;
    int number;
    int cells; // per unit of a block
    long long* out;
    long long* in;   // with DEVICE_BUFFERS directly behind `out`: images of the buffers
    Buffers buffers; // with DEVICE_BUFFERS: each holds `out` and `in`
    void* send;
    void* receive;
    int* arrays; // counts and displacements of both sides
    MPI_Request request;
} Flight;

// Collective over parent.
Torus make_torus(MPI_Comm parent, int dimensions);

// Operations on the torus become MPI_Alltoallv, and MPI_Alltoallw if blocks have one size, with blocks for its
// neighbors, in the same form. Two blocking calls begin. Requires: no parallel edges. Collective over the torus.
void call_among_all(Torus* torus);

void free_torus(Torus* torus);

// A second communicator over the same lists.
Torus duplicate_torus(const Torus* torus);

// Fills the buffers with `cells` cells per unit of a block, and starts the operation. `number` marks the data.
Flight begin_flight(const Torus* torus, enum FlightKind kind, int number, int cells);

int is_persistent(const Flight* flight);

// A persistent one again, with other data.
void refill(Flight* flight, int number);

// After completion: the number of wrong blocks. Prints the first.
int check_flight(const Flight* flight);

// Frees the buffers, and a persistent request.
void end_flight(Flight* flight);

// From now on the process ends with a line about `what` unless called again within so many seconds, or WATCH_SECONDS.
// Counted is the time of processors that its share of an idle machine gives to the process: other work uses none up.
void watch(const char* what, unsigned seconds);
void end_watch(void);

#endif
