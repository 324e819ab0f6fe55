// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program whose seccomp filter refuses memfd_create, or kills for it: filtered refuse|kill
#include "../program.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static int filter(unsigned answer)
{
    struct sock_filter lines[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, answer),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof lines / sizeof *lines, lines};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int argc, char** argv)
{
    const int kills = argc > 1 && strcmp(argv[1], "kill") == 0;
    printf("filter %d\n", filter(kills ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM));
    begin_program(&argc, &argv);
    const int periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    int sum = 0;
    for (int call = 0; call < 40; ++call) {
        const int mine[2] = {rank + call, rank + 10 * call};
        int theirs[2] = {-1, -1};
        MPI_Neighbor_alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, ring);
        sum = 3 * sum % 10007 + theirs[0] + 2 * theirs[1];
    }
    printf("rank %d sum %d\n", rank, sum);
    MPI_Comm_free(&ring);
    return end_program(0);
}
