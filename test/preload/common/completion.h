// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completes arrays of requests in every way of MPI, and checks the results.
#ifndef COMPLETION_H
#define COMPLETION_H

#include <mpi.h>
#include <stdint.h>

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define GET_STATUS_OF_MANY
#endif

enum Style {
    style_wait,
    style_test,
    style_waitall,
    style_waitany, // this and those below fail on native persistent collectives of MPICH 4.0.2
    style_waitsome,
    style_testany,
    style_testsome,
    style_get_status,
    style_testall,
#ifdef GET_STATUS_OF_MANY
    style_get_status_all, // these three, then MPI_Wait
    style_get_status_any,
    style_get_status_some,
#endif
    styles
};

enum { most_requests = 24 };

// The kind of each request and its expected status.
typedef struct {
    MPI_Request request[most_requests];
    int active[most_requests];     // it must be reported complete once
    int persistent[most_requests]; // its handle stays
    int source[most_requests];     // for an ordinary receive; MPI_ANY_SOURCE: the status says nothing
    int tag[most_requests];
    int count;
} Requests;

const char* style_name(enum Style style);

// Completes all active requests; returns the number of faults, and prints them.
int complete(Requests* requests, enum Style style, int with_statuses, uint64_t* state);

#endif
