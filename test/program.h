// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The frame of an MPI program: its begin, its place among all processes, a ring of neighbors, and its end.
#ifndef PROGRAM_H
#define PROGRAM_H

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank; // in MPI_COMM_WORLD
static int size;

// Ends the job with a line about the right use of the program, or about what it lacks.
static inline void give_up(const char* line)
{
    fprintf(stderr, "%s\n", line);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

static inline void find_place(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline void begin_program(int* argc, char*** argv)
{
    MPI_Init(argc, argv);
    find_place();
}

// The same with a level of threads.
static inline void begin_threads(int threads, int* argc, char*** argv)
{
    int provided;
    MPI_Init_thread(argc, argv, threads, &provided);
    if (provided < threads) {
        give_up("the MPI library has no such level of threads");
    }
    find_place();
}

// Makes a graph in which every process of `parent` has two neighbors, before and behind it: `neighbors`, as sources and
// as destinations. Returns the MPI error code. Collective over `parent`.
static inline int make_ring(MPI_Comm parent, int neighbors[2], MPI_Comm* ring)
{
    int own = 0;
    int processes = 0;
    MPI_Comm_rank(parent, &own);
    MPI_Comm_size(parent, &processes);
    neighbors[0] = (own + processes - 1) % processes;
    neighbors[1] = (own + 1) % processes;
    return MPI_Dist_graph_create_adjacent(parent, 2, neighbors, MPI_UNWEIGHTED, 2, neighbors, MPI_UNWEIGHTED,
                                          MPI_INFO_NULL, 0, ring);
}

// Collective over MPI_COMM_WORLD.
static inline int sum_of_all(int number)
{
    int all = 0;
    MPI_Allreduce(&number, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static inline int end_program(int status)
{
    MPI_Finalize();
    return status;
}

// Rank 0 prints one line: the result is 1 on all processes if any block was wrong on any. Collective over
// MPI_COMM_WORLD.
static inline int judge(const char* program, int wrong)
{
    const int all = sum_of_all(wrong);
    if (rank == 0) {
        printf(all == 0 ? "%s: ok\n" : "%s: FAILED\n", program);
        fflush(stdout);
    }
    return all != 0;
}

// The same, and the end of MPI.
static inline int conclude(const char* program, int wrong)
{
    return end_program(judge(program, wrong));
}

#endif
