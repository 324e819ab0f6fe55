// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Closes standard descriptors and opens data files that get their numbers: standard_files WHEN NUMBERS. WHEN: before or
// after MPI_Init, or "started", if the shell has closed them. Only the program may write into the files.
#include "../program.h"

#include <fcntl.h>
#include <unistd.h>

static const char* numbers = "";
static int data[3] = {-1, -1, -1};

static void open_data(int close_first)
{
    for (const char* n = numbers; close_first && *n != '\0'; ++n)
        close(*n - '0');
    for (size_t i = 0; i < strlen(numbers); ++i) {
        char name[64];
        snprintf(name, sizeof name, "data.%d.%ld", (int)i, (long)getpid());
        data[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        unlink(name);
    }
}

/// 0 if each file holds the program's own data.
static int damaged(void)
{
    int count = 0;
    for (size_t i = 0; i < strlen(numbers); ++i) {
        char text[64] = "";
        const ssize_t bytes = pread(data[i], text, sizeof text - 1, 0);
        count += bytes != 8 || strcmp(text, "my data\n") != 0;
    }
    return count;
}

int main(int argc, char** argv)
{
    const char* const when = argc > 1 ? argv[1] : "";
    numbers = argc > 2 ? argv[2] : "";
    if (strcmp(when, "after") != 0)
        open_data(strcmp(when, "before") == 0);
    begin_program(&argc, &argv);
    if (strcmp(when, "after") == 0)
        open_data(1);
    for (size_t i = 0; i < strlen(numbers); ++i)
        if (write(data[i], "my data\n", 8) != 8)
            return 2;
    int peers[2];
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, peers, &graph);
    int send[2] = {rank, rank}, receive[2] = {-1, -1};
    MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    const int wrong = receive[0] != peers[0] || receive[1] != peers[1];
    MPI_Comm_free(&graph);
    MPI_Finalize();
    const int files = damaged();
    printf("%d: %d wrong, %d damaged\n", rank, wrong, files);
    return wrong != 0 || files != 0 ? 3 : 0;
}
