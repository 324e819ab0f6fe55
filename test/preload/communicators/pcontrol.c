// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pcontrol at every level a profiling library may know, between collectives: no result changes. Level 2 writes a
// report of the calls that were counted so far, each time.
#include "../../program.h"
#include "exchange.h"

// The report that level 2 has just written, "" if there is none; null if none is requested.
static const char* report(void)
{
    enum { most_bytes = 1 << 20 };
    static char text[most_bytes];
    const char* const name = getenv("HOPSCOTCH_REPORT");
    if (name == NULL) {
        return NULL;
    }
    FILE* const file = fopen(name, "r");
    text[file != NULL ? fread(text, 1, most_bytes - 1, file) : 0] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static int is_of_rank_0(void)
{
    const char* const text = report();
    return text == NULL || strstr(text, "only rank 0 is counted") != NULL;
}

// The calls of rank 0; `otherwise` if no report is requested.
static long calls_in_report(long otherwise)
{
    const char* const text = report();
    if (text == NULL) {
        return otherwise;
    }
    const char* const totals = strstr(text, "\"totals\"");
    const char* const calls = totals != NULL ? strstr(totals, "\"calls\":") : NULL;
    return strstr(text, "MPI_Pcontrol(2) was called") != NULL && calls != NULL ? atol(strchr(calls, ':') + 1) : -1;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int lists[2];
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, lists, &graph);
    const int levels[] = {0, 1, 2, 0, 0, 1, 99, 2, -1, 1};
    int wrong = 0;
    int counts = 1;
    long counted = 0;
    for (int i = 0; i < (int)(sizeof levels / sizeof levels[0]); ++i) {
        MPI_Pcontrol(levels[i]);
        counts = levels[i] == 0 || levels[i] == 1 ? levels[i] : counts;
        if (levels[i] == 2 && rank == 0 && calls_in_report(counted) != counted) {
            printf("FAILED: %ld calls in the report of %ld\n", calls_in_report(counted), counted);
            ++wrong;
        }
        wrong += exchange_and_check(graph, i, 1 + i, 2, lists, 2, lists);
        counted += 2 * counts;
    }
    MPI_Pcontrol(2);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) {
        MPI_Pcontrol(2); // only rank 0 writes
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && !is_of_rank_0()) {
        printf("FAILED: another rank has written the report\n");
        ++wrong;
    }
    MPI_Comm_free(&graph);
    return conclude("pcontrol", wrong);
}
