// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call in a test program, see buffers.h.
#define _GNU_SOURCE
#include "buffers.h"

#include "cuda_driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A stand-in's functions (device_memory.h); null if the device is a real one.
static void* (*allocate_there)(int, size_t);
static void (*release_there)(void*);
static void* (*reach)(const void*);

static void* contexts[2]; // of the first devices; null: a stand-in is loaded
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int entered; // contexts[0] is the current one

static void demand(int holds, const char* what)
{
    if (!holds) {
        fprintf(stderr, "a test's buffers: %s\n", what);
        exit(2);
    }
}

// The first two devices of a machine, by CUDA's driver.
static void start_cuda(void)
{
    const int count = find_cuda();
    demand(count > 0, "DEVICE_BUFFERS is set, and neither a stand-in nor a device of CUDA's driver is there");
    for (int i = 0; i < 2; ++i) {
        contexts[i] = cuda_context(i % count);
        demand(contexts[i] != NULL, "the context of a device");
    }
}

// The stand-in that is loaded, else the devices of this machine.
static void find_device(void)
{
    *(void**)&allocate_there = dlsym(RTLD_DEFAULT, "device_allocate");
    *(void**)&release_there = dlsym(RTLD_DEFAULT, "device_release");
    *(void**)&reach = dlsym(RTLD_DEFAULT, "device_reach");
    if (allocate_there == NULL) {
        start_cuda();
        return;
    }
    static const char* const starts[] = {"cuInit", "zeInit"};
    for (int i = 0; i < 2; ++i) {
        int (*start)(unsigned);
        *(void**)&start = dlsym(RTLD_DEFAULT, starts[i]);
        if (start != NULL) {
            start(0);
        }
    }
}

static void* allocate_on(int device, size_t bytes)
{
    if (allocate_there != NULL) {
        return allocate_there(device, bytes);
    }
    uintptr_t address = 0;
    void* context;
    demand(cuda.push_context(contexts[device]) == 0 && cuda.allocate(&address, bytes + 1) == 0, "device memory");
    demand(cuda.pop_context(&context) == 0, "a current context");
    return (void*)address;
}

static unsigned char* memory(int device, size_t bytes)
{
    unsigned char* result = device >= 0 ? allocate_on(device, bytes) : malloc(bytes + 1);
    demand(result != NULL, "no memory");
    return result;
}

Buffers make_buffers(size_t bytes, uint64_t key)
{
    Buffers buffers = {.bytes = bytes};
    const char* where = getenv("DEVICE_BUFFERS");
    const int drawn = (int)(key * 0x9e3779b97f4a7c15u >> 61);
    const int mixed = where != NULL && strcmp(where, "mixed") == 0;
    const int both = where != NULL && strcmp(where, "both") == 0;
    if (where != NULL) {
        pthread_once(&once, find_device);
        if (contexts[0] != NULL && !entered) {
            demand(cuda.push_context(contexts[0]) == 0, "a current context");
            entered = 1;
        }
        buffers.send_on_device = both || strcmp(where, "send") == 0 || (mixed && drawn % 2 == 1);
        buffers.receive_on_device = both || strcmp(where, "receive") == 0 || (mixed && drawn / 2 % 2 == 1);
    }
    const int device = drawn / 4;
    buffers.send = memory(buffers.send_on_device ? device : -1, bytes);
    const int shared = buffers.send_on_device == buffers.receive_on_device && (where == NULL || drawn % 3 != 0);
    buffers.receive = shared ? buffers.send : memory(buffers.receive_on_device ? 1 - device : -1, bytes);
    return buffers;
}

static void give_back(unsigned char* memory_of, int on_device)
{
    if (!on_device) {
        free(memory_of);
    } else if (release_there != NULL) {
        release_there(memory_of);
    } else {
        demand(cuda.release((uintptr_t)memory_of) == 0, "device memory is given back");
    }
}

void free_buffers(const Buffers* buffers)
{
    give_back(buffers->send, buffers->send_on_device);
    if (buffers->receive != buffers->send) {
        give_back(buffers->receive, buffers->receive_on_device);
    }
}

static void copy(void* to, int to_device, const void* from, int from_device, size_t bytes)
{
    if (reach == NULL && (to_device || from_device)) {
        demand(cuda.copy((uintptr_t)to, (uintptr_t)from, bytes) == 0, "a copy");
        return;
    }
    memcpy(to_device ? reach(to) : to, from_device ? reach(from) : from, bytes);
}

void put_image(const Buffers* buffers, const unsigned char* image)
{
    copy(buffers->send, buffers->send_on_device, image, 0, buffers->bytes);
    copy(buffers->receive, buffers->receive_on_device, image, 0, buffers->bytes);
}

void get_image(const Buffers* buffers, unsigned char* image, const unsigned char* before)
{
    if (buffers->send != buffers->receive) {
        unsigned char* now = memory(-1, buffers->bytes);
        get_send_image(buffers, now);
        if (memcmp(now, before, buffers->bytes) != 0) {
            puts("FAILED: the call has changed its send buffer");
            fflush(stdout);
            exit(1);
        }
        free(now);
    }
    copy(image, 0, buffers->receive, buffers->receive_on_device, buffers->bytes);
}

void get_send_image(const Buffers* buffers, unsigned char* image)
{
    copy(image, 0, buffers->send, buffers->send_on_device, buffers->bytes);
}
