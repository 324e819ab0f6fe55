// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory of a device that is not there, for the stand-ins of the run-time libraries: mapped without access for the
// host, so that whoever touches it ends with SIGSEGV. Only the copies of the stand-ins reach it.
#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include <stddef.h>

enum { devices = 2, no_device = -1 };

// Memory of a device; NULL where there is none. Host memory for device no_device, which its library knows as pinned.
void* device_allocate(int device, size_t bytes);

// Ends the process where it was not allocated.
void device_release(void* memory);

// The device whose memory that is; no_device for all else. `known`: whether it was allocated here at all; may be NULL.
int device_of(const void* address, int* known);

// What the program has begun and a device that works alone has not ended yet is ended by that, if it is set.
extern void (*device_ends_work)(void);

// The address by which the host reaches memory of a device, without a copy that counts. Other memory keeps its address.
void* device_reach(const void* address);

// One copy, which counts: rows of `width` bytes, each `pitch` bytes after the one before. Either end may lie anywhere;
// one that reaches beyond its allocation fails. Returns 0, or 1 where it fails; with DEVICE_FAIL=N the N-th copy of the
// process does, or of rank DEVICE_RANK alone.
int device_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows);

// Host memory is to stay in place, or no longer; 1 where that is wrong.
int device_pin(void* memory, size_t bytes);
int device_unpin(void* memory);

// What the stand-in has done so far in this process, for programs that find it by dlsym.
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
