// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that starts other processes while MPI is there: children system|fork|exec|mpi
#include "../program.h"

#include <sys/wait.h>
#include <unistd.h>

/// On a ring of all processes, with a child in between, on rank 0.
static void calls_around(void (*child)(const char*), const char* program)
{
    const int periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    int sum = 0;
    for (int call = 0; call < 12; ++call) {
        const int mine[2] = {rank + call, rank + 10 * call};
        int theirs[2] = {-1, -1};
        MPI_Neighbor_alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, ring);
        sum = 3 * sum % 10007 + theirs[0] + 2 * theirs[1];
        if (call % 5 == 1 && rank == 0)
            child(program);
    }
    printf("rank %d sum %d\n", rank, sum);
    fflush(stdout);
    MPI_Comm_free(&ring);
}

static void told(int status)
{
    printf("child %s %d\n", WIFEXITED(status) ? "exited" : "was killed", WEXITSTATUS(status));
    fflush(stdout);
}

static void by_system(const char* program)
{
    (void)program;
    told(system("echo one | cat; ls /nowhere/at/all 2>/dev/null; exit 3"));
}

static void by_fork(const char* program)
{
    (void)program;
    const pid_t child = fork();
    if (child == 0)
        exit(5); // with everything that is registered for the end
    int status = 0;
    waitpid(child, &status, 0);
    told(status);
}

static void by_exec(const char* program)
{
    (void)program;
    const pid_t child = fork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "echo from a shell", (char*)NULL);
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    told(status);
}

/// The child is a job of its own, of one process.
static void by_mpi(const char* program)
{
    char command[4200];
    snprintf(command, sizeof command,
             "env -u PMI_FD -u PMI_RANK -u PMI_SIZE -u PMI_PORT HOPSCOTCH_REPORT=off '%s' alone", program);
    told(system(command));
}

int main(int argc, char** argv)
{
    const char* const mode = argc > 1 ? argv[1] : "system";
    begin_program(&argc, &argv);
    if (strcmp(mode, "alone") == 0)
        printf("alone\n");
    else
        calls_around(strcmp(mode, "system") == 0 ? by_system
                     : strcmp(mode, "fork") == 0 ? by_fork
                     : strcmp(mode, "exec") == 0 ? by_exec
                                                 : by_mpi,
                     argv[0]);
    return end_program(0);
}
