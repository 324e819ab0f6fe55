// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A preload for tests and benchmarks only: makes MPICH (ch4:ucx) yield the core after some polls in vain, so that more
// ranks than cores run at a bearable speed. Not after each: beside other programs the core comes back late. With
// YIELDING_SLEEPS, for tests, a rank sleeps if that did not help: the others get its share of the core. Knows UCX's
// polling function, and nothing of MPI.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most_in_vain = 16, awake = 4 * most_in_vain };

typedef unsigned (*Progress)(void* worker);

static atomic_bool sleeps;

unsigned ucp_worker_progress(void* worker);

// The next definition in load order, or that of a libucp loaded privately (RTLD_LOCAL), as Python does.
static Progress find_next(void)
{
    Progress found = NULL;
    void* symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (symbol == NULL) {
        void* library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) {
            symbol = dlsym(library, "ucp_worker_progress");
        }
    }
    if (symbol == NULL) {
        fputs("libyielding: no ucp_worker_progress behind this one\n", stderr);
        abort();
    }
    atomic_store_explicit(&sleeps, getenv("YIELDING_SLEEPS") != NULL, memory_order_relaxed);
    *(void**)&found = symbol; // the conversion POSIX prescribes for dlsym
    return found;
}

unsigned ucp_worker_progress(void* worker)
{
    static _Atomic(Progress) next;
    static _Thread_local unsigned in_vain;
    Progress progress = atomic_load_explicit(&next, memory_order_relaxed);
    if (progress == NULL) {
        progress = find_next();
        atomic_store_explicit(&next, progress, memory_order_relaxed);
    }
    const unsigned events = progress(worker);
    in_vain = events == 0 ? in_vain + 1 : 0;
    if (in_vain > awake && in_vain % most_in_vain == 0 && atomic_load_explicit(&sleeps, memory_order_relaxed)) {
        nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    } else if (in_vain > 0 && in_vain % most_in_vain == 0) {
        sched_yield();
    }
    return events;
}
