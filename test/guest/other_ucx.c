// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that is not linked to MPI, with a UCX that the MPI library does not use, or a worker that is not MPI's.
//
//   other_ucx alone     polls the plugin's UCX; there is no MPI
//   other_ucx before    polls it before MPI is loaded, and after its end
//   other_ucx within    loads it between MPI_Init and MPI_Finalize, and polls it there
//   other_ucx thread    polls it in a second thread during nonblocking operations
//   other_ucx worker    polls a second worker of the MPI library's UCX in a second thread during these
#define _GNU_SOURCE
#include "opening.h"

#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef void (*Times)(unsigned);

static const char* program;

static void* opened(const char* name)
{
    char path[PATH_MAX + 60];
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", program);
    snprintf(path, sizeof path, "%s/%s", dirname(copy), name);
    return open_or_end(path, RTLD_LAZY | RTLD_LOCAL);
}

static Times plugin(void)
{
    return (Times)found(opened("libother_ucx_plugin.so"), "plugin_poll");
}

static unsigned (*progress)(void*);
static void* worker;

static void poll_worker(unsigned times)
{
    while (times-- > 0) {
        progress(worker);
    }
}

/// The structures begin with a mask of the members that are set; the first ones are eight bytes long.
static Times second_worker(void)
{
    void* const ucx = dlopen("libucp.so.0", RTLD_LAZY);
    if (ucx == NULL) {
        return plugin();
    }
    static const uint64_t tagged_messages[64] = {1, 1};
    static const uint64_t nothing[64];
    void* context = NULL;
    *(void**)&progress = dlsym(RTLD_DEFAULT, "ucp_worker_progress");
    if (progress == NULL) {
        progress = (unsigned (*)(void*))found(ucx, "ucp_worker_progress");
    }
    Any init = found(ucx, "ucp_init_version");
    Any create = found(ucx, "ucp_worker_create");
    if (((int (*)(unsigned, unsigned, const void*, const void*, void**))init)(1, 9, tagged_messages, NULL, &context) !=
            0 ||
        ((int (*)(void*, const void*, void**))create)(context, nothing, &worker) != 0) {
        printf("no second worker\n");
        exit(1);
    }
    return poll_worker;
}

static atomic_bool done;
static atomic_ulong polls;
static Times polled_by_thread;

static void* poll_in_thread(void* unused)
{
    while (!done) {
        polled_by_thread(10);
        ++polls;
        sched_yield();
    }
    return unused;
}

static void exchange(void* mpi)
{
    ((void (*)(int))found(mpi, "mpi_exchange"))(50);
}

static void exchange_beside_thread(void* mpi, Times poll)
{
    pthread_t thread;
    polled_by_thread = poll;
    pthread_create(&thread, NULL, poll_in_thread, NULL);
    while (polls < 10) {
        sched_yield();
    }
    exchange(mpi);
    done = 1;
    pthread_join(thread, NULL);
}

int main(int argc, char** argv)
{
    const char* const what = argc > 1 ? argv[1] : "alone";
    program = argv[0];
    Times poll = strcmp(what, "alone") == 0 || strcmp(what, "before") == 0 ? plugin() : NULL;
    if (poll != NULL) {
        poll(10);
    }
    if (strcmp(what, "alone") != 0) {
        void* const mpi = opened("libother_ucx_mpi_plugin.so");
        found(mpi, "mpi_begin")();
        if (strcmp(what, "within") == 0) {
            poll = plugin();
            poll(10);
        }
        if (strcmp(what, "thread") == 0) {
            exchange_beside_thread(mpi, plugin());
        } else if (strcmp(what, "worker") == 0) {
            exchange_beside_thread(mpi, second_worker());
        } else {
            exchange(mpi);
        }
        found(mpi, "mpi_end")();
    }
    if (poll != NULL) {
        poll(10);
    }
    return 0;
}
