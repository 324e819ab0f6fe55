// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Operations of a random walk, with the data and the account of each.
#ifndef WALKED_H
#define WALKED_H

#include "places.h"

enum { most_flying = 6 };

typedef struct {
    Run run;        // for messages without a communicator; all faults
    uint64_t state; // the same on all processes
    uint64_t own;   // of this process
    uint64_t salt;  // tells the data of one pass from that of another
    int steps;      // done
    Function called[forms][functions];
} Walk;

extern Walk walk;

// One of `place`, or nothing on processes outside of it.
typedef struct {
    Place* place;
    enum Form form;
    int function;
    Transfer transfer;
    Arguments out;
    Arguments in;
    unsigned char* arena;
    unsigned char* wanted;
    MPI_Request request;
    int era; // of the place, when the request was made
    enum Maker maker;
    int may_reach_library;
} Operation;

int draw(int below);
int random_function(const Place* place, enum Form form);

// With all arguments; not yet called.
Operation* make_operation(Place* place, enum Form form, int function);
void call(Operation* operation);
void check(Operation* operation);
void end_operation(Operation* operation);

// Starts the persistent ones, with other data. Completes all in any way.
void start_held(Operation** flying, int count);
void complete_all(Operation** flying, int count);

// A call without its payload, and with it.
Tally tally_of(const Place* place);
Tally tally_of_operation(const Operation* operation);

// Counts a call: by its operation, or with the messages since forget_messages().
void book(const Operation* operation, const Tally* tally);
void book_sent(Place* place, enum Form form, int function, Tally tally);
void forget_messages(void);

#endif
