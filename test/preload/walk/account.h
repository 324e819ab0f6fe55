// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program's own account of its calls, with the counts of a library behind the shim (behind/counting.c). account.py
// compares it with the report, and this process compares it with Hop_counters.
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "launch.h"

// The function that made a communicator; the last is for those without a record.
enum Maker {
    by_cart,
    by_sub,
    by_graph,
    by_dist,
    by_adjacent,
    by_dup,
    by_dup_with_info,
    by_set_info,
    by_nobody,
    makers
};

// Numbers of this process.
typedef struct {
    unsigned long long calls;
    unsigned long long failed;
    unsigned long long failed_calls; // with an error on any process; counted by rank 0 of the communicator
    unsigned long long messages_trivial;
    unsigned long long payload_bytes; // of blocks to other processes
    unsigned long long messages;      // that were sent, by the library behind the shim
    unsigned long long bytes;
    unsigned long long inexact_payload; // calls that ended early, or of an unknown payload
    unsigned long long wrong;           // calls that are left to the library
    unsigned long long blocking;        // right calls that must be carried if an algorithm is requested
    unsigned long long mixed;           // calls in flight with others: their messages are counted under no key
} Tally;

enum { tally_members = sizeof(Tally) / sizeof(unsigned long long) };

// Messages and bytes since the last look; zeros without the library behind the shim.
void look_at_messages(unsigned long long counts[2]);

void add_tally(Tally* sum, const Tally* more);

// Adds a call, or several, of rank `rank` of a communicator; form `forms`: MPI_Allgather. Nothing while paused.
void account(enum Maker maker, enum Form form, int function, int rank, const Tally* more);

// A call of MPI_Alltoallv.
void account_sparse(enum Form form, int failed);

// Messages that cannot be told apart. Nothing while paused.
void account_mixed(const unsigned long long counts[2]);

// A new communicator. `rank`: in it.
void account_graph(enum Maker maker, int rank);

// MPI_Pcontrol.
void pause_account(int paused);
int account_paused(void);

// Compares `tally` with what the shim has counted on this process, on a communicator or (MPI_COMM_NULL) on all; the
// number of faults. `exact_messages`: all messages are in the tally, and the library carried nothing.
int check_counters(MPI_Comm comm, const Tally* tally, int exact_messages, const char* what);

// The same for all calls of this process.
int check_all_counters(void);

int hopscotch_is_active(void);

// Calls of the shim's own algorithms on the communicator; -1 without the shim.
long long accelerated_calls(MPI_Comm comm);

// Collective over MPI_COMM_WORLD.
void print_account(void);

#endif
