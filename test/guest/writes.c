// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes it hard to write a report: writes WHAT. "limit": no file may grow any more; "reader": the reader of the pipe
// pipe.json goes away; "moved": the working directory is another at the end; "removed": it is gone; "descriptors": none
// is left. After "moved" it removes the files of the library, run.txt and tuning.json, and prints if one is missing.
#define _GNU_SOURCE
#include "../program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char first_directory[4096];

/// True if the launcher, Hydra or that of Open MPI, made this process rank 0.
static int is_first(void)
{
    const char* const hydra = getenv("PMI_RANK");
    const char* const number = hydra != NULL ? hydra : getenv("OMPI_COMM_WORLD_RANK");
    return number != NULL && strcmp(number, "0") == 0;
}

/// A process that opens the pipe, reads one byte and goes away. The pipe holds less than a report.
static pid_t read_one_byte(void)
{
    int ready[2];
    if (mkfifo("pipe.json", 0600) != 0 || pipe(ready) != 0)
        exit(2);
    const pid_t child = fork();
    if (child == 0) {
        char byte;
        const int descriptor = open("pipe.json", O_RDONLY | O_NONBLOCK);
        fcntl(descriptor, F_SETPIPE_SZ, 4096);
        fcntl(descriptor, F_SETFL, 0);
        close(ready[1]);
        for (int tries = 0; tries < 2000 && read(descriptor, &byte, 1) <= 0; ++tries)
            usleep(1000);
        _exit(0);
    }
    close(ready[1]);
    char none;
    if (read(ready[0], &none, 1) != 0)
        exit(2);
    close(ready[0]);
    return child;
}

static void leave(int remove_it)
{
    if (mkdir("inner", 0700) != 0)
        exit(2);
    if (chdir("inner") != 0)
        exit(2);
    if (remove_it && rmdir("../inner") != 0)
        exit(2);
}

int main(int argc, char** argv)
{
    const char* const what = argc > 1 ? argv[1] : "";
    const int removed = strcmp(what, "removed") == 0;
    pid_t reader = 0;
    if (getcwd(first_directory, sizeof first_directory) == NULL)
        return 2;
    if (removed && is_first())
        if (mkdir("gone", 0700) != 0 || chdir("gone") != 0)
            return 2;
    begin_program(&argc, &argv);
    int peers[2];
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, peers, &graph);
    int send[2] = {rank, rank}, receive[2] = {-1, -1};
    MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    if (rank == 0 && strcmp(what, "moved") == 0)
        leave(0);
    if (rank == 0 && removed && rmdir("../gone") != 0)
        return 2;
    if (rank == 0 && strcmp(what, "reader") == 0)
        reader = read_one_byte();
    if (strcmp(what, "limit") == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_FSIZE, &none);
    }
    if (strcmp(what, "descriptors") == 0) {
        const struct rlimit few = {256, 256};
        setrlimit(RLIMIT_NOFILE, &few);
        while (open("/dev/null", O_RDONLY) >= 0) {
        }
    }
    MPI_Finalize();
    if (reader != 0)
        waitpid(reader, NULL, 0);
    if (rank == 0 && chdir(first_directory) != 0)
        return 2;
    if (rank == 0 && strcmp(what, "moved") == 0 && getenv("GUEST_LIBRARY") != NULL)
        for (int i = 0; i < 2; ++i)
            if (remove(i == 0 ? "run.txt" : "tuning.json") != 0)
                printf("%s is not where it should be\n", i == 0 ? "the report" : "the file of trials");
    printf("%d: from %d and %d\n", rank, receive[0], receive[1]);
    return 0;
}
