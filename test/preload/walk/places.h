// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators of a random walk: made in every way, with their lists, error handlers, names and attributes, and an
// account of the calls on each.
#ifndef PLACES_H
#define PLACES_H

#include "account.h"
#include "runs.h"

typedef struct {
    Run run; // the network, the communicator, the rank in it
    Network network;
    enum Maker maker;
    enum Maker next_maker; // of its duplicates and the like that have no record: by_nobody
    char asked[32];        // the algorithm that an info key asks for, or the setting
    int* matching[forms][functions];
    int era;         // of its record
    int handled;     // errors that its handler has seen
    int has_handler; // else errors return
    char name[32];
    int users;     // requests, and the walk
    int is_member; // this process is
    int is_freed;  // by the program; requests go on
    Tally tally;   // of this process, with the calls while counting was paused: 0 then
    int exact;     // all its messages are in the tally
} Place;

// Collective over MPI_COMM_WORLD; `state` and all decisions are the same on all processes. `run`: for messages.
Place* make_place(uint64_t* state, const Run* run);

// By one of the functions that duplicate. Collective over the processes of `other`.
Place* duplicate_place(uint64_t* state, Place* other);

// A graph with the same lists, made from it. Collective over the processes of `other`, all of the job.
Place* make_child(Place* other);
int can_be_parent(const Place* place);

// MPI_Comm_set_info with an algorithm. Collective over the processes of the place.
void ask_for_algorithm(uint64_t* state, Place* place);

// Another error handler, name, attribute.
void decorate(uint64_t* state, Place* place);

// Asks MPI about the communicator again; the number of answers that have changed.
int check_place(Place* place);

// Collective over the processes of the place.
void free_communicator(Place* place);

// Frees the place if the communicator and all requests are gone.
void forget_place(Place* place);

// The matching of parallel edges, as find_matching gives it.
const int* matching_of(Place* place, enum Form form, int function);

// True if a call may be the MPI library's, by setting, key or topology.
int may_reach_library(const Place* place);

// Calls of error handlers on no communicator of the program.
extern int stray_errors;

// Attributes that were set or copied, less those deleted.
extern int attributes;

#endif
