// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory of a device that is not there, see device_memory.h.
#define _GNU_SOURCE
#include "device_memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_allocations = 4096, most_pins = 256 };

// The same pages are mapped twice: for the program, without access, and for copies.
typedef struct {
    unsigned char* shown; // NULL: the entry is free
    unsigned char* reached;
    size_t bytes;
    int device;
} Allocation;

typedef struct {
    unsigned char* memory;
    size_t bytes;
} Pin;

struct DeviceCounts device_counts;

static Allocation allocations[most_allocations];
static int used_entries;
static Pin pins[most_pins];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void device_complain(const char* what)
{
    fprintf(stderr, "device: %s\n", what);
    abort();
}

static size_t in_pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes / page + 1) * page;
}

static Allocation* allocation_of(const void* address)
{
    for (int i = 0; i < used_entries; ++i) {
        const Allocation* one = &allocations[i];
        if (one->shown != NULL && (const unsigned char*)address >= one->shown &&
            (const unsigned char*)address < one->shown + one->bytes) {
            return &allocations[i];
        }
    }
    return NULL;
}

void* device_allocate(int device, size_t bytes)
{
    const size_t size = in_pages(bytes);
    const int file = memfd_create("device", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)size) != 0) {
        return NULL;
    }
    void* shown = mmap(NULL, size, device == no_device ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_SHARED, file, 0);
    void* reached = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shown == MAP_FAILED || reached == MAP_FAILED) {
        return NULL;
    }
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < most_allocations; ++i) {
        if (allocations[i].shown == NULL) {
            used_entries = i < used_entries ? used_entries : i + 1;
            allocations[i] = (Allocation){shown, reached, bytes > 0 ? bytes : 1, device};
            pthread_mutex_unlock(&mutex);
            return shown;
        }
    }
    device_complain("too many allocations");
    return NULL;
}

void device_release(void* memory)
{
    if (memory == NULL) {
        return;
    }
    pthread_mutex_lock(&mutex);
    Allocation* one = allocation_of(memory);
    if (one == NULL || one->shown != memory) {
        device_complain("what is freed was not allocated");
        return;
    }
    munmap(one->shown, in_pages(one->bytes));
    munmap(one->reached, in_pages(one->bytes));
    one->shown = NULL;
    pthread_mutex_unlock(&mutex);
}

int device_is_managed(void)
{
    return getenv("DEVICE_MANAGED") != NULL;
}

int device_of(const void* address, int* known)
{
    pthread_mutex_lock(&mutex);
    ++device_counts.questions;
    const Allocation* one = allocation_of(address);
    const int device = one != NULL ? one->device : no_device;
    if (known != NULL) {
        *known = one != NULL;
    }
    pthread_mutex_unlock(&mutex);
    return device;
}

// The host address of the bytes of a row; NULL if the row reaches beyond an allocation.
static unsigned char* reach(const void* address, size_t width)
{
    const Allocation* one = allocation_of(address);
    if (one == NULL) {
        return (unsigned char*)(uintptr_t)address;
    }
    const size_t offset = (size_t)((const unsigned char*)address - one->shown);
    return offset + width <= one->bytes ? one->reached + offset : NULL;
}

void (*device_ends_work)(void);

void* device_reach(const void* address)
{
    if (device_ends_work != NULL) {
        device_ends_work();
    }
    pthread_mutex_lock(&mutex);
    void* reached = reach(address, 0);
    pthread_mutex_unlock(&mutex);
    return reached;
}

static int fails_now(void)
{
    const char* number = getenv("DEVICE_FAIL");
    const char* wanted = getenv("DEVICE_RANK");
    const char* own = getenv("PMI_RANK");
    if (wanted != NULL && (own == NULL || strcmp(wanted, own) != 0)) {
        return 0;
    }
    return number != NULL && device_counts.copies == strtoul(number, NULL, 10);
}

int device_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows)
{
    pthread_mutex_lock(&mutex);
    ++device_counts.copies;
    device_counts.bytes += width * rows;
    int failed = fails_now() || (rows > 1 && (to_pitch < width || from_pitch < width));
    for (size_t i = 0; i < rows && !failed; ++i) {
        unsigned char* target = reach((unsigned char*)to + i * to_pitch, width);
        const unsigned char* source = reach((const unsigned char*)from + i * from_pitch, width);
        failed = target == NULL || source == NULL;
        if (!failed) {
            memcpy(target, source, width);
        }
    }
    pthread_mutex_unlock(&mutex);
    return failed;
}

int device_pin(void* memory, size_t bytes)
{
    pthread_mutex_lock(&mutex);
    int free_one = -1;
    for (int i = 0; i < most_pins; ++i) {
        if (pins[i].memory == memory) {
            pthread_mutex_unlock(&mutex);
            return 1;
        }
        free_one = pins[i].memory == NULL ? i : free_one;
    }
    if (free_one >= 0) {
        pins[free_one] = (Pin){memory, bytes};
        device_counts.pinned_bytes += bytes;
    }
    pthread_mutex_unlock(&mutex);
    return free_one < 0;
}

int device_unpin(void* memory)
{
    pthread_mutex_lock(&mutex);
    int wrong = 1;
    for (int i = 0; i < most_pins; ++i) {
        if (pins[i].memory == memory) {
            device_counts.pinned_bytes -= pins[i].bytes;
            pins[i].memory = NULL;
            wrong = 0;
        }
    }
    pthread_mutex_unlock(&mutex);
    return wrong;
}
