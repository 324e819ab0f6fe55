// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Common to the programs with random communicators: the loop over cases, the alarm, the matching of edges and slots,
// the message about a fault. Usage: PROGRAM random SEED CASES; PROGRAM case SEED NUMBER repeats one case;
// with almost_random and almost_case all graphs are almost a grid. PROGRAM dims=3x3 ...: the graph of a grid in the
// words of lists.h, or with duplicate=1 a duplicate; counts=1,7: a program may take blocks of one int, then of seven.
#ifndef RUNS_H
#define RUNS_H

#include "launch.h"

enum { most_chosen_counts = 8 };

typedef struct {
    const char* program;
    unsigned long long seed;
    int number;                            // number of the case
    int almost;                            // all graphs are almost a grid
    char again[500];                       // the words that repeat the case
    int chosen_counts[most_chosen_counts]; // ints in each block of regular calls
    int chosen;                            // number of these; 0: sizes are random
    Network* network;
    MPI_Comm comm; // the case may free it, and set it to MPI_COMM_NULL
    int rank;      // in comm
    int largest_degree;
    int faults;
    long counts[2]; // for the last line
} Run;

// Runs the cases that the arguments ask for on a communicator each, until one has faults. `compare` adds to run->faults
// and to run->counts; `state` is the same on all processes. `summary`: of the last line, for the number of cases and
// the sums of both counts. Returns the status of the program. Collective over MPI_COMM_WORLD.
int run_cases(int argc, char** argv, const char* program, const char* summary, void (*compare)(Run*, uint64_t* state));

// The next call begins. If it and the comparison after it take more than 90 s of `watch`, the program ends with this
// text.
void begin_call(const Run* run, const char* what);

// Prints a fault and counts it.
void fault(Run* run, const char* function, const char* what);
void fault_of(Run* run, enum Form form, int function, const char* what);

// Compares an arena with its expected content; prints the first difference.
void check_arena(Run* run, enum Form form, const Transfer* transfer, const char* how, const unsigned char* got,
                 const unsigned char* wanted);

// matching[slot]: the destination of its source that ends there. Learned from `native`, the MPI library's functions of
// the form, if parallel edges may match otherwise from function to function.
void find_matching(const Run* run, enum Form form, const Function* native, int function, int* matching);

#endif
