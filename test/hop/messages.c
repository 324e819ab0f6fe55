// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// If processes disagree, one of them names the rank and the entry on stderr. All of them return the error class itself,
// since programs compare it.
#include "check.h"

#include <hopscotch.h>

#include <unistd.h>

static int p, me;
static char told[4096];

/// Starts the program once more, with a file for stderr: the library says nothing on a descriptor 2 that has changed
/// since it was loaded.
static void start_with_file_as_stderr(char** argv)
{
    const char* const mark = "HOP_MESSAGES_IN_FILE";
    char path[] = "/tmp/hop-messages-XXXXXX";
    if (getenv(mark) != NULL)
        return;
    const int file = mkstemp(path);
    unlink(path);
    dup2(file, 2);
    close(file);
    setenv(mark, "1", 1);
    execv("/proc/self/exe", argv);
}

static void listen_to_stderr(void)
{
    CHECK(ftruncate(2, 0) == 0 && lseek(2, 0, SEEK_SET) == 0);
}

/// The text that this process has written since.
static const char* heard(void)
{
    lseek(2, 0, SEEK_SET);
    const ssize_t bytes = read(2, told, sizeof told - 1);
    told[bytes > 0 ? bytes : 0] = '\0';
    return told;
}

/// `text` is in the one line of process `teller`, and the others are silent.
static void check_told(int teller, const char* text)
{
    const char* const line = heard();
    if (me == teller) {
        CHECK(strstr(line, text) != NULL && strstr(line, " warning: ") != NULL);
        CHECK(strchr(line, '\n') != NULL && strchr(line, '\n')[1] == '\0');
        if (strstr(line, text) == NULL)
            printf("not \"%s\" but: %s\n", text, line);
    } else {
        CHECK(line[0] == '\0');
    }
}

static void check_lists_of_offsets(int teller, int t, int changed, const char* text)
{
    const int ring = 1;
    int offsets[4] = {1, -1, 2, -2};
    MPI_Comm cart = MPI_COMM_WORLD;
    if (me >= teller) // the later ones agree with the teller, or have other lists yet
        offsets[changed] = 40 + me;
    listen_to_stderr();
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 1, &p, &ring, me >= teller ? t : 4, offsets, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &cart) == MPI_ERR_TOPOLOGY);
    check_told(teller, text);
    CHECK(cart == MPI_COMM_NULL);
}

static void check_names(void)
{
    const int order[2] = {p, 1}, other[2] = {1, p}, period[2] = {1, 1}, line[2] = {1, 0};
    const struct {
        int d, dimorder;
        const int *order, *period;
        const char* text;
    } cases[] = {
        {2, HOP_ROWMAJOR, other, period, "rank 1: entry 0 of order is 1, on rank 0 it is "},
        {2, HOP_ROWMAJOR, order, line, "rank 1: entry 1 of period is 0, on rank 0 it is 1"},
        {2, HOP_COLMAJOR, order, period, "rank 1 gave another order of dimensions than rank 0"},
        {1, HOP_ROWMAJOR, order, period, "rank 1 named 1 dimensions, rank 0 2"},
        {0, 0, NULL, NULL, "rank 1 gave no name, rank 0 did"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        MPI_Comm comm;
        int flag = -1, d = 0, size = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (me != 1)
            Hop_Cart_name(comm, 2, HOP_ROWMAJOR, order, period, &size);
        else if (cases[i].d > 0)
            Hop_Cart_name(comm, cases[i].d, cases[i].dimorder, cases[i].order, cases[i].period, &size);
        listen_to_stderr();
        CHECK(Hop_Cart_testall(comm, &flag, &d, &size) == MPI_ERR_TOPOLOGY);
        check_told(1, cases[i].text);
        CHECK(flag == 0 && d == -1 && size == -1);
        MPI_Comm_free(&comm);
    }
}

/// A ring in which `teller` also names `wrong`, as a source or as a target.
static void check_edges(int teller, int source, int wrong, const char* text)
{
    const int in[2] = {(me + p - 1) % p, wrong}, out[2] = {(me + 1) % p, wrong};
    const int one_more = me == teller;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1 + (one_more && source), in, MPI_UNWEIGHTED,
                                   1 + (one_more && !source), out, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    listen_to_stderr();
    CHECK(Hop_Barrier(graph) == MPI_ERR_TOPOLOGY);
    check_told(teller, text);
    listen_to_stderr();
    CHECK(Hop_Neighbor_xchg(NULL, 0, MPI_INT, NULL, 0, MPI_INT, graph) == MPI_ERR_TOPOLOGY);
    CHECK(heard()[0] == '\0'); // it has been said
    MPI_Comm_free(&graph);
}

int main(int argc, char** argv)
{
    start_with_file_as_stderr(argv);
    begin_checks(&argc, &argv, &p, &me);
    char text[128];
    snprintf(text, sizeof text, "rank %d: entry 3 is %d, on rank 0 it is -2", p - 1, 40 + p - 1);
    check_lists_of_offsets(p - 1, 4, 3, text);
    check_lists_of_offsets(1, 4, 0, "rank 1: entry 0 is 41, on rank 0 it is 1");
    check_lists_of_offsets(1, 3, 3, "rank 1 has 3 entries, rank 0 has 4");
    check_names();
    check_edges(0, 0, p / 2, "rank 0 names rank 2 as a target (entry 1), rank 2 does not name it as a source");
    check_edges(p - 1, 1, p - 1, "as a source (entry 1)");
    check_edges(0, 0, 1, "rank 0 names rank 1 as a target (entry 0), rank 1 names it less often as a source");
#ifndef OPEN_MPI // which refuses a rank that does not exist
    check_edges(1, 0, p + 3, "rank 1 names rank ");
#endif
    return finish_checks();
}
