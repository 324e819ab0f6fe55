// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded: knows the blocks of memory that the shim has allocated and not freed.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { places = 1 << 20 }; // many more than there are blocks

typedef struct {
    void* address; // NULL: nothing was ever here
    size_t bytes;
    int is_there;
} Block;

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* address, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void* address);

static Block blocks[places];
static int known_blocks; // ever
static uintptr_t begin;
static uintptr_t end;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static int find_shim(struct dl_phdr_info* info, size_t size, void* unused)
{
    (void)size;
    (void)unused;
    if (strstr(info->dlpi_name, "libhopscotch") == NULL) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            end = begin + info->dlpi_phdr[i].p_memsz;
        }
    }
    return 1;
}

__attribute__((constructor)) static void start(void)
{
    dl_iterate_phdr(find_shim, NULL);
}

static void lock(void)
{
    while (atomic_flag_test_and_set(&busy)) {
    }
}

// The place of the address, or where it would be.
static Block* place_of(const void* address)
{
    size_t i = ((uintptr_t)address >> 4) * 0x9e3779b97f4a7c15u >> 44;
    while (blocks[i].address != NULL && blocks[i].address != address) {
        i = (i + 1) % places;
    }
    return &blocks[i];
}

static void* noted(void* address, size_t bytes, const void* caller)
{
    const uintptr_t from = (uintptr_t)caller;
    if (address != NULL && from >= begin && from < end) {
        lock();
        Block* block = place_of(address);
        known_blocks += block->address == NULL;
        if (known_blocks > places / 2) {
            abort(); // the table is too small
        }
        *block = (Block){address, bytes, 1};
        atomic_flag_clear(&busy);
    }
    return address;
}

static void gone(const void* address)
{
    if (address != NULL && known_blocks > 0) {
        lock();
        place_of(address)->is_there = 0;
        atomic_flag_clear(&busy);
    }
}

// All blocks but those of the sizes of `nodes`.
void count_blocks(const size_t nodes[2], long* count, long* bytes)
{
    lock();
    for (int i = 0; i < places; ++i) {
        if (blocks[i].is_there && blocks[i].bytes != nodes[0] && blocks[i].bytes != nodes[1]) {
            ++*count;
            *bytes += (long)blocks[i].bytes;
        }
    }
    atomic_flag_clear(&busy);
}

void* malloc(size_t bytes)
{
    return noted(__libc_malloc(bytes), bytes, __builtin_return_address(0));
}

void* calloc(size_t count, size_t bytes)
{
    return noted(__libc_calloc(count, bytes), count * bytes, __builtin_return_address(0));
}

void* realloc(void* address, size_t bytes)
{
    gone(address);
    return noted(__libc_realloc(address, bytes), bytes, __builtin_return_address(0));
}

void* memalign(size_t alignment, size_t bytes)
{
    return noted(__libc_memalign(alignment, bytes), bytes, __builtin_return_address(0));
}

void* aligned_alloc(size_t alignment, size_t bytes)
{
    return noted(__libc_memalign(alignment, bytes), bytes, __builtin_return_address(0));
}

int posix_memalign(void** address, size_t alignment, size_t bytes)
{
    *address = noted(__libc_memalign(alignment, bytes), bytes, __builtin_return_address(0));
    return *address == NULL ? ENOMEM : 0;
}

void free(void* address)
{
    gone(address);
    __libc_free(address);
}
