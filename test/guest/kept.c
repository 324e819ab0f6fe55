// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints changes that MPI_Init, calls and MPI_Finalize have made to things of the program: actions and masks of
// signals, descriptors, environment, locale, umask, rounding, working directory, errno. kept [handlers]: with handlers
// of its own, which interrupt it all the time.
#include "../program.h"

#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

extern char** environ;

enum { signals = 65, numbers = 1024 };

struct state {
    struct sigaction actions[signals];
    sigset_t mask, pending;
    char descriptors[numbers][64];
    unsigned long variables;
    char locale[256], directory[4096];
    mode_t mask_of_files;
    int rounding;
};

static volatile sig_atomic_t caught[signals];

static void catch_it(int number)
{
    ++caught[number];
}

static void look_at_descriptors(struct state* now)
{
    char name[64];
    for (int i = 0; i < numbers; ++i) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", i);
        const ssize_t bytes = readlink(name, now->descriptors[i], sizeof now->descriptors[i] - 1);
        now->descriptors[i][bytes > 0 ? bytes : 0] = '\0';
        char* const numbered = strpbrk(now->descriptors[i], ":_"); // kinds only
        if (numbered != NULL && strncmp(now->descriptors[i], "anon_inode", 10) != 0)
            *numbered = '\0';
    }
}

static void look(struct state* now)
{
    memset(now, 0, sizeof *now);
    for (int i = 1; i < signals; ++i)
        sigaction(i, NULL, &now->actions[i]);
    pthread_sigmask(SIG_BLOCK, NULL, &now->mask);
    sigpending(&now->pending);
    look_at_descriptors(now);
    for (char** entry = environ; *entry != NULL; ++entry)
        for (const char* c = *entry; *c != '\0'; ++c)
            now->variables = now->variables * 31 + (unsigned char)*c;
    snprintf(now->locale, sizeof now->locale, "%s", setlocale(LC_ALL, NULL));
    if (getcwd(now->directory, sizeof now->directory) == NULL)
        now->directory[0] = '\0';
    umask(now->mask_of_files = umask(0));
    now->rounding = fegetround();
}

static void compare(const char* when, const struct state* was, const struct state* is)
{
    int differences = 0;
    for (int i = 1; i < signals; ++i) {
        const int same = was->actions[i].sa_handler == is->actions[i].sa_handler &&
                         was->actions[i].sa_flags == is->actions[i].sa_flags;
        if (!same && ++differences)
            printf("%s: action of signal %d\n", when, i);
        if (sigismember(&was->mask, i) != sigismember(&is->mask, i) && ++differences)
            printf("%s: mask of signal %d\n", when, i);
        if (sigismember(&was->pending, i) != sigismember(&is->pending, i) && ++differences)
            printf("%s: signal %d is pending\n", when, i);
    }
    for (int i = 0; i < numbers; ++i)
        if (strcmp(was->descriptors[i], is->descriptors[i]) != 0 && ++differences)
            printf("%s: descriptor: '%s', '%s'\n", when, was->descriptors[i], is->descriptors[i]);
    if (was->variables != is->variables && ++differences)
        printf("%s: environment\n", when);
    if (strcmp(was->locale, is->locale) != 0 && ++differences)
        printf("%s: locale %s\n", when, is->locale);
    if (strcmp(was->directory, is->directory) != 0 && ++differences)
        printf("%s: directory\n", when);
    if (was->mask_of_files != is->mask_of_files && ++differences)
        printf("%s: umask %o\n", when, (unsigned)is->mask_of_files);
    if (was->rounding != is->rounding && ++differences)
        printf("%s: rounding %d\n", when, is->rounding);
    printf("%s: %d differences\n", when, differences);
}

static void set_handlers(void)
{
    struct sigaction mine = {.sa_handler = catch_it}; // no SA_RESTART: calls return EINTR
    const int all[] = {SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXFSZ, SIGCHLD};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        sigaction(all[i], &mine, NULL);
    const struct itimerval often = {{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &often, NULL);
}

static long calls(int own, int processes)
{
    long sum = 0;
    for (int round = 0; round < 4; ++round) {
        int peers[2];
        MPI_Comm graph;
        make_ring(MPI_COMM_WORLD, peers, &graph);
        enum { count = 3000 };
        static int send[2 * count], receive[2 * count];
        for (int call = 0; call < 30; ++call) {
            for (int i = 0; i < 2 * count; ++i)
                send[i] = own + call + i;
            errno = 0;
            MPI_Neighbor_alltoall(send, count, MPI_INT, receive, count, MPI_INT, graph);
            for (int i = 0; i < 2 * count; ++i)
                sum += receive[i];
        }
        MPI_Comm_free(&graph);
    }
    return sum;
}

int main(int argc, char** argv)
{
    static struct state at_first, started, used, ended;
    const int handlers = argc > 1 && strcmp(argv[1], "handlers") == 0;
    setlocale(LC_ALL, "C.UTF-8");
    umask(027);
    fesetround(FE_UPWARD);
    if (handlers)
        set_handlers();
    look(&at_first);
    begin_program(&argc, &argv);
    look(&started);
    const long sum = calls(rank, size);
    raise(SIGWINCH);
    if (handlers)
        raise(SIGTERM);
    look(&used);
    MPI_Finalize();
    look(&ended);
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    if (rank == 0) { // lines of two processes would be the same
        compare("after MPI_Init", &at_first, &started);
        compare("after the calls", &started, &used);
        compare("after MPI_Finalize", &at_first, &ended);
    }
    printf("%d: sum %ld, SIGTERM %d, SIGPIPE %d, SIGXFSZ %d\n", rank, sum, (int)caught[SIGTERM], (int)caught[SIGPIPE],
           (int)caught[SIGXFSZ]);
    return 0;
}
