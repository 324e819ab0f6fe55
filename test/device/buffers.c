// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a call in a test program, see buffers.h.
#define _GNU_SOURCE
#include "buffers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void* (*Allocate)(int, size_t);
typedef void (*Release)(void*);
typedef void* (*Reach)(const void*);
typedef int (*Start)(unsigned);

static Allocate allocate_there;
static Release release_there;
static Reach reach;

// The functions of the stand-in that is loaded.
static void find_device(void)
{
    if (allocate_there != NULL) {
        return;
    }
    *(void**)&allocate_there = dlsym(RTLD_DEFAULT, "device_allocate");
    *(void**)&release_there = dlsym(RTLD_DEFAULT, "device_release");
    *(void**)&reach = dlsym(RTLD_DEFAULT, "device_reach");
    if (allocate_there == NULL || release_there == NULL || reach == NULL) {
        fputs("DEVICE_BUFFERS is set, and no stand-in of a device's library is loaded\n", stderr);
        exit(2);
    }
    static const char* const starts[] = {"cuInit", "zeInit"};
    for (int i = 0; i < 2; ++i) {
        Start start;
        *(void**)&start = dlsym(RTLD_DEFAULT, starts[i]);
        if (start != NULL) {
            start(0);
        }
    }
}

static unsigned char* memory(int device, size_t bytes)
{
    unsigned char* result = device >= 0 ? allocate_there(device, bytes) : malloc(bytes + 1);
    if (result == NULL) {
        fputs("no memory for a buffer\n", stderr);
        exit(2);
    }
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
    if (on_device) {
        release_there(memory_of);
    } else {
        free(memory_of);
    }
}

void free_buffers(const Buffers* buffers)
{
    give_back(buffers->send, buffers->send_on_device);
    if (buffers->receive != buffers->send) {
        give_back(buffers->receive, buffers->receive_on_device);
    }
}

static unsigned char* reached(unsigned char* address, int on_device)
{
    return on_device ? reach(address) : address;
}

void put_image(const Buffers* buffers, const unsigned char* image)
{
    memcpy(reached(buffers->send, buffers->send_on_device), image, buffers->bytes);
    memcpy(reached(buffers->receive, buffers->receive_on_device), image, buffers->bytes);
}

void get_image(const Buffers* buffers, unsigned char* image, const unsigned char* before)
{
    if (buffers->send != buffers->receive &&
        memcmp(reached(buffers->send, buffers->send_on_device), before, buffers->bytes) != 0) {
        puts("FAILED: the call has changed its send buffer");
        fflush(stdout);
        exit(1);
    }
    memcpy(image, reached(buffers->receive, buffers->receive_on_device), buffers->bytes);
}

void get_send_image(const Buffers* buffers, unsigned char* image)
{
    memcpy(image, reached(buffers->send, buffers->send_on_device), buffers->bytes);
}
