// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Checked rounds of the regular operations, see exchange.h.
#include "exchange.h"

#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A cell identifies its edge: parallel edges may arrive in any order, so each has its number.
static long long edge_cell(int round, int from, int to, int number, int cell)
{
    return ((((long long)round * 1000 + from) * 1000 + to) * 1000 + number) * 1000 + cell;
}

static int occurrence(const int* list, int index)
{
    int count = 0;
    for (int i = 0; i < index; ++i) {
        count += list[i] == list[index];
    }
    return count;
}

void start_mismatch(MPI_Comm ring, MPI_Request* request)
{
    static const int send_at[2] = {0, 2};
    static const int receives[2] = {1, 1};
    static const int receive_at[2] = {0, 1};
    static int sends[2];
    static int out[4];
    static int in[2];
    int rank;
    MPI_Comm_rank(ring, &rank);
    sends[0] = sends[1] = rank == 0 ? 2 : 1;
    MPI_Ineighbor_alltoallv(out, sends, send_at, MPI_INT, in, receives, receive_at, MPI_INT, ring, request);
}

void set_key(const char* program, MPI_Info info, const char* word)
{
    int rank;
    int size;
    char key[100];
    char value[1024];
    const int is_odd = strncmp(word, "odd:", 4) == 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (sscanf(is_odd ? word + 4 : word, "%99[^=]=%1023s", key, value) != 2) {
        fprintf(stderr, "%s: %s is not KEY=VALUE\n", program, word);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (!is_odd || rank == size - 1) {
        MPI_Info_set(info, key, value);
    }
}

int complain(int rank, const char* function, int slot, int from, long long got)
{
    printf("FAILED: rank %d: %s: slot %d from %d holds %lld\n", rank, function, slot, from, got);
    fflush(stdout);
    return 1;
}

int exchange_and_check(MPI_Comm graph, int round, int cells, int sources, const int* source, int destinations,
                       const int* destination)
{
    int rank;
    MPI_Comm_rank(graph, &rank);
    const size_t block = (size_t)cells;
    long long* out = allocate(((size_t)destinations * block + 1) * sizeof *out);
    long long* in = allocate(((size_t)sources * block + 1) * sizeof *in);
    int* seen = allocate(((size_t)sources + 1) * sizeof *seen);
    for (int i = 0; i < destinations; ++i) {
        for (int c = 0; c < cells; ++c) {
            out[(size_t)i * block + (size_t)c] =
                edge_cell(round, rank, destination[i] < 0 ? 999 : destination[i], occurrence(destination, i), c);
        }
    }
    for (size_t i = 0; i < (size_t)sources * block + 1; ++i) {
        in[i] = -5;
    }
    MPI_Neighbor_alltoall(out, cells, MPI_LONG_LONG, in, cells, MPI_LONG_LONG, graph);
    int wrong = in[(size_t)sources * block] != -5 ? complain(rank, "alltoall (end)", sources, -1, 0) : 0;
    for (int j = 0; j < sources && cells > 0; ++j) {
        const long long* got = in + (size_t)j * block;
        if (source[j] == MPI_PROC_NULL) {
            wrong += got[0] != -5 ? complain(rank, "MPI_Neighbor_alltoall", j, source[j], got[0]) : 0;
            continue;
        }
        const int number = (int)(got[0] / 1000 % 1000); // number of the parallel edge; each must arrive once
        int fits = got[0] >= 0;
        for (int c = 0; c < cells; ++c) {
            fits = fits && got[c] == edge_cell(round, source[j], rank, number, c);
        }
        int used = 0;
        for (int i = 0; i < j; ++i) {
            used = used || (source[i] == source[j] && seen[i] == number);
        }
        seen[j] = number;
        wrong += !fits || used ? complain(rank, "MPI_Neighbor_alltoall", j, source[j], got[0]) : 0;
    }

    for (size_t i = 0; i < (size_t)sources * block + 1; ++i) {
        in[i] = -5;
    }
    long long* own = allocate((block + 1) * sizeof *own);
    for (int c = 0; c < cells; ++c) {
        own[c] = edge_cell(round, rank, 0, 0, c);
    }
    MPI_Neighbor_allgather(own, cells, MPI_LONG_LONG, in, cells, MPI_LONG_LONG, graph);
    for (int j = 0; j < sources; ++j) {
        for (int c = 0; c < cells; ++c) {
            const long long got = in[(size_t)j * block + (size_t)c];
            const long long wanted = source[j] == MPI_PROC_NULL ? -5 : edge_cell(round, source[j], 0, 0, c);
            wrong += got != wanted ? complain(rank, "MPI_Neighbor_allgather", j, source[j], got) : 0;
        }
    }
    free(own);
    free(out);
    free(in);
    free(seen);
    return wrong;
}
