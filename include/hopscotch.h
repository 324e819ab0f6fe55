/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * Hopscotch for programs that call it by name: version, counters and report here; in the headers included at the end
 * the interfaces of the three papers Hopscotch implements. C, usable from C++. Link with -lhopscotch before the MPI
 * library (pkg-config hopscotch), or run with the library preloaded; then the accelerated paths are used. A program
 * that is linked with Hopscotch behind its MPI library gets the same results over plain messages.
 *
 * Rules for every function:
 * - It returns MPI_SUCCESS or an MPI error class or code. Arguments that the function does not accept are reported as
 *   an error without calling an error handler, as in the papers' libraries; an error met by the MPI library, or while
 *   blocks travel, goes through the error handler of the communicator first, like that of any MPI function.
 * - If processes disagree (lists of offsets, names, edges that only one of their processes names, ranks that do not
 *   exist) all of them get the error class itself. The process with the different value writes a warning on stderr with
 *   the rank and the entry, counted from 0. HOPSCOTCH_LOG=error suppresses it.
 * - "Local" functions may be called by one process alone; "collective" ones by all processes of the communicator, in
 *   the same order.
 * - Calls are allowed between MPI_Init and MPI_Finalize only, except for Hop_version.
 * - MPI_IN_PLACE is not accepted unless the function says so; counts are not negative; MPI_COMM_NULL is MPI_ERR_COMM.
 */
#ifndef HOPSCOTCH_H
#define HOPSCOTCH_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this header; Hop_version() gives that of the library. */
#define HOPSCOTCH_VERSION_MAJOR 0
#define HOPSCOTCH_VERSION_MINOR 2
#define HOPSCOTCH_VERSION_PATCH 0

/** The version of the library, "0.2.0". Never to be freed. Local; at any time. */
const char* Hop_version(void);

/** Tells if calls are accelerated and counted in this job: *flag is 0 under HOPSCOTCH=off, with an MPI library of
 * another family, and if MPI_Init did not pass through Hopscotch; every function here works even then. Errors:
 * MPI_ERR_ARG for a null pointer. Local. */
int Hop_active(int* flag);

/** Counts of neighborhood collectives on this process. Units: calls, bytes, messages, seconds. */
typedef struct Hop_Counters {
    unsigned long long calls;            /**< accelerated + native */
    unsigned long long accelerated;      /**< calls Hopscotch carried itself */
    unsigned long long native;           /**< calls the MPI library carried, or plain messages one per neighbor */
    unsigned long long failed;           /**< of all calls, those that returned an error */
    unsigned long long bytes;            /**< of blocks sent to other processes, every hop counted */
    unsigned long long messages;         /**< sent to other processes */
    unsigned long long messages_trivial; /**< their number with one message per neighbor */
    double seconds;                      /**< inside these calls, and those that complete their requests */
    double setup_seconds;                /**< spent by Hopscotch at the creation of the communicators */
} Hop_Counters;

/** Counters of this process so far: of one communicator, or for MPI_COMM_NULL of all there are and were. A communicator
 *  Hopscotch knows nothing of has zeros.
 *  Errors: MPI_ERR_ARG for a null pointer. Local; the sum over processes is the caller's business. */
int Hop_counters(MPI_Comm comm, Hop_Counters* counters);

/** Pauses (on = 0) or resumes counting on this process; the algorithms stay the same. Like MPI_Pcontrol(0 or 1).
 *  Local. */
int Hop_counting(int on);

/** Writes the report so far, with the counts of all processes.
 *  destination: a value of HOPSCOTCH_REPORT ("stderr", "now.json", "a.txt,b.html"); a null pointer stands for that
 *  variable's value. Only that of rank 0 matters. Nothing is reset, and the report at the end is still written.
 *  Errors: MPI_ERR_ARG on all processes if the destination is not valid; MPI_ERR_OTHER if Hopscotch is not active.
 *  Collective: over MPI_COMM_WORLD. */
int Hop_report(const char* destination);

#ifdef __cplusplus
}
#endif

#include <hopscotch/cartesian.h>
#include <hopscotch/naming.h>
#include <hopscotch/orthogonal.h>
#include <hopscotch/topological.h>

#endif
