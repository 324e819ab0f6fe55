// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for libze_loader.so.1 without a device: the part of Level Zero's interface that the library uses, and its
// rules. Nothing works before zeInit, and two threads may not append to a command list at once.
#include "device_memory.h"

#include <stdint.h>
#include <string.h>

enum { success = 0, uninitialized = 0x78000001, invalid = 0x78000004 };
enum { structure_context = 0xd, structure_queue = 0xe, structure_memory = 0x17 };
enum { type_unknown = 0, type_host = 1, type_device = 2, mode_synchronous = 1, most_lists = 16 };

typedef struct {
    int structure;
    const void* next;
    uint32_t flags;
} ContextDescription;

typedef struct {
    int structure;
    const void* next;
    uint32_t ordinal;
    uint32_t index;
    uint32_t flags;
    int mode;
    int priority;
} QueueDescription;

typedef struct {
    int structure;
    void* next;
    int type;
    uint64_t id;
    uint64_t page_size;
} MemoryProperties;

typedef struct {
    uint32_t x, y, z;
    uint32_t width, height, depth;
} Region;

typedef struct {
    int device;
    int busy;
} List;

static int initialized;
static int driver;
static int context;
static int device_handles[devices];
static List lists[most_lists];
static int list_count;

int zeInit(uint32_t flags);
int zeInit(uint32_t flags)
{
    (void)flags;
    initialized = 1;
    return success;
}

int zeDriverGet(uint32_t* count, void** drivers);
int zeDriverGet(uint32_t* count, void** drivers)
{
    if (!initialized) {
        return uninitialized;
    }
    *count = 1;
    if (drivers != NULL) {
        drivers[0] = &driver;
    }
    return success;
}

int zeContextCreate(void* of, const ContextDescription* description, void** made);
int zeContextCreate(void* of, const ContextDescription* description, void** made)
{
    if (of != &driver || description->structure != structure_context) {
        return invalid;
    }
    *made = &context;
    return success;
}

int zeMemGetAllocProperties(void* in, const void* address, MemoryProperties* found, void** device);
int zeMemGetAllocProperties(void* in, const void* address, MemoryProperties* found, void** device)
{
    if (in != &context || found->structure != structure_memory) {
        return invalid;
    }
    int known;
    const int number = device_of(address, &known);
    found->type = number >= 0 ? type_device : known ? type_host : type_unknown;
    *device = number >= 0 ? &device_handles[number] : NULL;
    return success;
}

int zeCommandListCreateImmediate(void* in, void* device, const QueueDescription* description, List** list);
int zeCommandListCreateImmediate(void* in, void* device, const QueueDescription* description, List** list)
{
    if (in != &context || description->structure != structure_queue || description->mode != mode_synchronous ||
        (description->ordinal | description->index | description->flags | (uint32_t)description->priority) != 0) {
        return invalid;
    }
    if (list_count == most_lists) {
        device_complain("too many command lists");
    }
    *list = &lists[list_count++];
    (*list)->device = (int)((int*)device - device_handles);
    return success;
}

static int copied(List* list, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t rows)
{
    if (__atomic_exchange_n(&list->busy, 1, __ATOMIC_ACQUIRE) != 0) {
        device_complain("two threads append to a command list at once");
    }
    const int failed = device_copy(to, to_pitch, from, from_pitch, width, rows);
    __atomic_store_n(&list->busy, 0, __ATOMIC_RELEASE);
    return failed ? invalid : success;
}

int zeCommandListAppendMemoryCopy(List* list, void* to, const void* from, size_t bytes, void* event, uint32_t waits,
                                  void** events);
int zeCommandListAppendMemoryCopy(List* list, void* to, const void* from, size_t bytes, void* event, uint32_t waits,
                                  void** events)
{
    (void)event;
    (void)waits;
    (void)events;
    return copied(list, to, bytes, from, bytes, bytes, 1);
}

int zeCommandListAppendMemoryCopyRegion(List* list, void* to, const Region* to_region, uint32_t to_pitch,
                                        uint32_t to_slice, const void* from, const Region* from_region,
                                        uint32_t from_pitch, uint32_t from_slice, void* event, uint32_t waits,
                                        void** events);
int zeCommandListAppendMemoryCopyRegion(List* list, void* to, const Region* to_region, uint32_t to_pitch,
                                        uint32_t to_slice, const void* from, const Region* from_region,
                                        uint32_t from_pitch, uint32_t from_slice, void* event, uint32_t waits,
                                        void** events)
{
    (void)to_slice;
    (void)from_slice;
    (void)event;
    (void)waits;
    (void)events;
    const int sound = memcmp(to_region, from_region, sizeof *to_region) == 0 && to_region->x == 0 &&
                      to_region->y == 0 && to_region->z == 0 && to_region->depth == 1;
    return sound ? copied(list, to, to_pitch, from, from_pitch, to_region->width, to_region->height) : invalid;
}

// Functions used by the test programs.
int zeMemAllocDevice(void* in, const void* description, size_t bytes, size_t alignment, void* device, void** memory);
int zeMemAllocDevice(void* in, const void* description, size_t bytes, size_t alignment, void* device, void** memory)
{
    (void)in;
    (void)description;
    (void)alignment;
    (void)device;
    *memory = device_allocate(0, bytes);
    return *memory != NULL ? success : invalid;
}

int zeMemFree(void* in, void* memory);
int zeMemFree(void* in, void* memory)
{
    (void)in;
    device_release(memory);
    return success;
}
