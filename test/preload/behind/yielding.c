// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A preload for tests and benchmarks only: makes MPICH (ch4:ucx) yield the core after some polls in vain, so that more
// ranks than cores run at a bearable speed. Not after each: beside other programs the core comes back late. With
// YIELDING_SLEEPS, for tests, a rank sleeps if that did not help: the others get its share of the core; and a timer
// yields it in MPI_Init, which waits for the other ranks without a poll. Knows UCX's functions, and nothing of MPI.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

enum { most_in_vain = 16, awake = 4 * most_in_vain };
enum { turn = 300 }; // microseconds

typedef unsigned (*Progress)(void* worker);
typedef int (*Start)(unsigned major, unsigned minor, const void* wanted, const void* config, void** context);
typedef int (*Connect)(void* worker, const void* wanted, void** endpoint);

static atomic_bool sleeps;
static volatile sig_atomic_t takes_turns;
static struct sigaction before; // for SIGALRM

unsigned ucp_worker_progress(void* worker);
int ucp_init_version(unsigned major, unsigned minor, const void* wanted, const void* config, void** context);
int ucp_ep_create(void* worker, const void* wanted, void** endpoint);

// The next definition in load order, or that of a libucp loaded privately (RTLD_LOCAL), as Python does.
static void* find_next(const char* name)
{
    void* symbol = dlsym(RTLD_NEXT, name);
    if (symbol == NULL) {
        void* library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) {
            symbol = dlsym(library, name);
        }
    }
    if (symbol == NULL) {
        fprintf(stderr, "libyielding: no %s behind this one\n", name);
        abort();
    }
    atomic_store_explicit(&sleeps, getenv("YIELDING_SLEEPS") != NULL, memory_order_relaxed);
    return symbol;
}

// The next turn begins when the rank has the core again.
static void begin_turn(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = takes_turns ? turn : 0}, NULL);
}

static void give_core(int signal)
{
    (void)signal;
    sched_yield();
    begin_turn();
}

// At the end of MPI_Init.
static void stop_turns(void)
{
    if (takes_turns) {
        takes_turns = 0;
        begin_turn();
        sigaction(SIGALRM, &before, NULL);
    }
}

unsigned ucp_worker_progress(void* worker)
{
    static _Atomic(Progress) next;
    static _Thread_local unsigned in_vain;
    Progress progress = atomic_load_explicit(&next, memory_order_relaxed);
    if (progress == NULL) {
        *(void**)&progress = find_next("ucp_worker_progress"); // the conversion POSIX prescribes for dlsym
        atomic_store_explicit(&next, progress, memory_order_relaxed);
    }
    stop_turns();
    const unsigned events = progress(worker);
    in_vain = events == 0 ? in_vain + 1 : 0;
    if (in_vain > 0 && in_vain % most_in_vain == 0) {
        if (in_vain > awake && atomic_load_explicit(&sleeps, memory_order_relaxed)) {
            nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
        } else {
            sched_yield();
        }
    }
    return events;
}

int ucp_init_version(unsigned major, unsigned minor, const void* wanted, const void* config, void** context)
{
    Start start = NULL;
    *(void**)&start = find_next("ucp_init_version");
    const int status = start(major, minor, wanted, config, context);
    if (!takes_turns && atomic_load_explicit(&sleeps, memory_order_relaxed)) {
        takes_turns = 1;
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = give_core, .sa_flags = SA_RESTART}, &before);
        begin_turn();
    }
    return status;
}

int ucp_ep_create(void* worker, const void* wanted, void** endpoint)
{
    Connect connect = NULL;
    *(void**)&connect = find_next("ucp_ep_create");
    stop_turns();
    return connect(worker, wanted, endpoint);
}
