// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a process holds of the system: descriptors, mappings, threads, memory.
#ifndef FOOTPRINT_H
#define FOOTPRINT_H

typedef struct {
    long descriptors;
    long mappings;
    long kilobytes; // resident
    long threads;
    long heap_bytes;
    long blocks; // of the shim, if behind/allocations.c is preloaded
    long block_bytes;
} Footprint;

long entries_of(const char* directory);

Footprint footprint(void);

#endif
