// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A preload for tests only: lets processes of MPICH (ch4:ucx) that have closed their connections in MPI_Finalize answer
// those that have not. UCX closes a TCP connection after the other end has acknowledged all data; MPICH 4.0.2 then
// waits for the other processes reading from its launcher, and acknowledges nothing any more.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

static void* closing; // the worker that is closing its connections, or null
static void* used;    // the worker that was driven last

unsigned ucp_worker_progress(void* worker);
void* ucp_disconnect_nb(void* endpoint);
void ucp_worker_destroy(void* worker);

static void* next(const char* name)
{
    return dlsym(RTLD_NEXT, name);
}

unsigned ucp_worker_progress(void* worker)
{
    static unsigned (*behind)(void*);
    if (behind == NULL) {
        *(void**)&behind = next("ucp_worker_progress"); // the conversion POSIX prescribes for dlsym
    }
    used = worker;
    return behind(worker);
}

void* ucp_disconnect_nb(void* endpoint)
{
    void* (*behind)(void*);
    *(void**)&behind = next("ucp_disconnect_nb");
    closing = used;
    return behind(endpoint);
}

void ucp_worker_destroy(void* worker)
{
    void (*behind)(void*);
    *(void**)&behind = next("ucp_worker_destroy");
    closing = NULL;
    behind(worker);
}

ssize_t read(int file, void* buffer, size_t bytes)
{
    static ssize_t (*behind)(int, void*, size_t);
    if (behind == NULL) {
        *(void**)&behind = next("read");
    }
    struct pollfd launcher = {.fd = file, .events = POLLIN};
    while (closing != NULL && poll(&launcher, 1, 0) == 0) {
        ucp_worker_progress(closing);
    }
    return behind(file, buffer, bytes);
}
