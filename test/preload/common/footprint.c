// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a process holds of the system, see footprint.h.
#define _GNU_SOURCE
#include "footprint.h"

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

long entries_of(const char* directory)
{
    long count = 0;
    DIR* opened = opendir(directory);
    while (opened != NULL && readdir(opened) != NULL) {
        ++count;
    }
    if (opened != NULL) {
        closedir(opened);
    }
    return count;
}

static long mappings(void)
{
    long count = 0;
    FILE* maps = fopen("/proc/self/maps", "r");
    for (int c; maps != NULL && (c = fgetc(maps)) != EOF;) {
        count += c == '\n';
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return count;
}

static long resident_kilobytes(void)
{
    long all = 0;
    long resident = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%ld %ld", &all, &resident) != 2) {
            resident = 0;
        }
        fclose(file);
    }
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static long heap_bytes(void)
{
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 heap = mallinfo2();
    return (long)(heap.uordblks + heap.hblkhd);
#else
    return 0;
#endif
}

Footprint footprint(void)
{
    Footprint print = {.descriptors = entries_of("/proc/self/fd"),
                       .mappings = mappings(),
                       .kilobytes = resident_kilobytes(),
                       .threads = entries_of("/proc/self/task"),
                       .heap_bytes = heap_bytes()};
    void (*count_blocks)(const size_t*, long*, long*);
    // Nodes of the tables of durations and of handles, which grow with every new one.
    static const size_t nodes[2] = {48, 32};
    *(void**)&count_blocks = dlsym(RTLD_DEFAULT, "count_blocks");
    if (count_blocks != NULL) {
        count_blocks(nodes, &print.blocks, &print.block_bytes);
    }
    return print;
}
