// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call in a test program, see buffers.h.
#define _GNU_SOURCE
#include "buffers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A stand-in's functions (device_memory.h); null if the device is a real one.
static void* (*allocate_there)(int, size_t);
static void (*release_there)(void*);
static void* (*reach)(const void*);

// CUDA's driver.
static struct {
    int (*init)(unsigned);
    int (*count)(int*);
    int (*get)(int*, int);
    int (*retain)(void**, int);
    int (*set_current)(void*);
    int (*allocate)(uintptr_t*, size_t);
    int (*release)(uintptr_t);
    int (*copy)(uintptr_t, uintptr_t, size_t);
    int devices;
    void* contexts[2];
} cuda;

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
    static const struct {
        const char* name;
        void* function;
    } functions[] = {{"cuInit", &cuda.init},
                     {"cuDeviceGetCount", &cuda.count},
                     {"cuDeviceGet", &cuda.get},
                     {"cuDevicePrimaryCtxRetain", &cuda.retain},
                     {"cuCtxSetCurrent", &cuda.set_current},
                     {"cuMemAlloc_v2", &cuda.allocate},
                     {"cuMemFree_v2", &cuda.release},
                     {"cuMemcpy", &cuda.copy}};
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    demand(driver != NULL, "DEVICE_BUFFERS is set, and neither a stand-in nor CUDA's driver is there");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        void* found = dlsym(driver, functions[i].name);
        demand(found != NULL, functions[i].name);
        memcpy(functions[i].function, &found, sizeof found);
    }
    demand(cuda.init(0) == 0 && cuda.count(&cuda.devices) == 0 && cuda.devices > 0, "CUDA's driver shows no device");
    for (int i = 0; i < 2; ++i) {
        int device;
        demand(cuda.get(&device, i % cuda.devices) == 0, "a device");
        demand(cuda.retain(&cuda.contexts[i], device) == 0, "the context of a device");
    }
    demand(cuda.set_current(cuda.contexts[0]) == 0, "a current context");
}

// The stand-in that is loaded, else the devices of this machine.
static void find_device(void)
{
    if (allocate_there != NULL || cuda.devices > 0) {
        return;
    }
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
    demand(cuda.set_current(cuda.contexts[device]) == 0 && cuda.allocate(&address, bytes + 1) == 0, "device memory");
    demand(cuda.set_current(cuda.contexts[0]) == 0, "a current context");
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
        find_device();
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
