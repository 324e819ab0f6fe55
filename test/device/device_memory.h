// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Simulated device memory for the stand-ins of the run-time libraries: mapped without access for the host, so that a
// direct access ends the process with SIGSEGV. Only the copies of the stand-ins reach it.
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include <stddef.h>

enum { devices = 2, no_device = -1 };

// Memory of a device; NULL if there is none. Host memory for device no_device, which its library knows as pinned.
void* device_allocate(int device, size_t bytes);

// Ends the process if the memory was not allocated here.
void device_release(void* memory);

// The device of this memory; no_device for all other memory. `known`: set to 1 if the memory was allocated here at all;
// may be NULL.
int device_of(const void* address, int* known);

// If set, this function ends the work that the program has begun on an asynchronous device.
extern void (*device_ends_work)(void);

// 1 if all memory of devices is managed, so that the host may touch it: with DEVICE_MANAGED.
int device_is_managed(void);

// The address at which the host reaches memory of a device, without a counted copy. Other memory keeps its address.
void* device_reach(const void* address);

// One counted copy: rows of `width` bytes, each `pitch` bytes after the one before. Either end may lie anywhere; one
// that reaches beyond its allocation fails. Returns 0, or 1 on failure; with DEVICE_FAIL=N the N-th copy of the process
// fails, or that of rank DEVICE_RANK alone.
int device_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows);

// Pins or unpins host memory; returns 1 if that is wrong.
int device_pin(void* memory, size_t bytes);
int device_unpin(void* memory);

// Counters of the stand-in in this process, for programs that find it by dlsym.
struct DeviceCounts {
    unsigned long copies;
    unsigned long bytes;
    unsigned long waits;
    unsigned long questions;
    unsigned long pinned_bytes; // now
};
extern struct DeviceCounts device_counts;

// Ends the process for a fault of its caller.
void device_complain(const char* what);

#endif
