// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Resources that run out, and a clock that goes back: to be preloaded beside the shim. REFUSE names the function that
// fails if the shim asks for memory that processes share (memfd_create, ftruncate, open, mmap; fallocate, on a system
// that counts memory) or reads that of another process (process_vm_readv). REFUSE_RANK is the only process on which it
// fails. REFUSE=nothing: a system that counts memory, and grants it. REFUSE=clock: every tenth reading of the clock
// goes back by an hour more. REFUSE=tracers: prints a line on stderr if the process lets all others read its memory. A
// program that finds refuse_memory(n) has the n-th allocation of the shim from then on fail, 1 for the next.
#define _GNU_SOURCE
#include "behind.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int is_refused(const char* function)
{
    const char* wanted = getenv("REFUSE");
    const char* rank = getenv("REFUSE_RANK");
    const char* own = getenv("PMI_RANK");
    return wanted != NULL && strcmp(wanted, function) == 0 && (rank == NULL || (own != NULL && strcmp(rank, own) == 0));
}

static int refuse(int code)
{
    errno = code;
    return -1;
}

static int is_ours(int descriptor)
{
    char path[64];
    char target[64] = "";
    const char* const digits = "0123456789";
    size_t length = strlen(strcpy(path, "/proc/self/fd/"));
    char number[16];
    size_t count = 0;
    for (int rest = descriptor; count == 0 || rest > 0; rest /= 10) {
        number[count++] = digits[rest % 10];
    }
    while (count > 0) {
        path[length++] = number[--count];
    }
    path[length] = '\0';
    const ssize_t found = readlink(path, target, sizeof target - 1);
    return found > 0 && strstr(target, "memfd:hopscotch") != NULL;
}

int memfd_create(const char* name, unsigned int flags)
{
    int (*next)(const char*, unsigned int);
    *(void**)&next = dlsym(RTLD_NEXT, "memfd_create");
    return strcmp(name, "hopscotch") == 0 && is_refused("memfd_create") ? refuse(EMFILE) : next(name, flags);
}

ssize_t process_vm_readv(pid_t process, const struct iovec* to, unsigned long pieces, const struct iovec* from,
                         unsigned long pieces_there, unsigned long flags)
{
    ssize_t (*next)(pid_t, const struct iovec*, unsigned long, const struct iovec*, unsigned long, unsigned long);
    *(void**)&next = dlsym(RTLD_NEXT, "process_vm_readv");
    const int proves = pieces == 1 && to->iov_len == sizeof(long); // the MPI library reads for itself
    return proves && is_refused("process_vm_readv") ? refuse(EPERM)
                                                    : next(process, to, pieces, from, pieces_there, flags);
}

int prctl(int option, ...)
{
    unsigned long values[4];
    va_list more;
    va_start(more, option);
    for (int i = 0; i < 4; ++i) {
        values[i] = va_arg(more, unsigned long);
    }
    va_end(more);
    int (*next)(int, ...);
    *(void**)&next = dlsym(RTLD_NEXT, "prctl");
    static const char line[] = "all processes may read this one\n";
    if (option == PR_SET_PTRACER && values[0] == PR_SET_PTRACER_ANY && is_refused("tracers") &&
        write(STDERR_FILENO, line, sizeof line - 1) < 0) {
        return -1;
    }
    return next(option, values[0], values[1], values[2], values[3]);
}

int ftruncate(int descriptor, off_t length)
{
    int (*next)(int, off_t);
    *(void**)&next = dlsym(RTLD_NEXT, "ftruncate");
    return is_refused("ftruncate") && is_ours(descriptor) ? refuse(ENOSPC) : next(descriptor, length);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length)
{
    int (*next)(int, int, off_t, off_t);
    *(void**)&next = dlsym(RTLD_NEXT, "fallocate");
    return is_refused("fallocate") && is_ours(descriptor) ? refuse(ENOSPC) : next(descriptor, mode, offset, length);
}

// A descriptor of a file with this content.
static int saying(const char* content)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    const ssize_t written = write(ends[1], content, strlen(content));
    close(ends[1]);
    return written > 0 ? ends[0] : -1;
}

int open(const char* path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const unsigned int mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(more, unsigned int) : 0;
    va_end(more);
    int (*next)(const char*, int, ...);
    *(void**)&next = dlsym(RTLD_NEXT, "open");
    if (strcmp(path, "/proc/sys/vm/overcommit_memory") == 0 && (is_refused("fallocate") || is_refused("nothing"))) {
        return saying("2\n");
    }
    return strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/") != NULL && is_refused("open")
               ? refuse(EACCES)
               : next(path, flags, mode);
}

void* mmap(void* address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    static void* (*next)(void*, size_t, int, int, int, off_t);
    if (next == NULL) {
        *(void**)&next = dlsym(RTLD_NEXT, "mmap");
    }
    if (descriptor >= 0 && is_refused("mmap") && is_ours(descriptor)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return next(address, length, protection, flags, descriptor, offset);
}

static atomic_long until_refused; // allocations of the shim; 0: none will be refused

void refuse_memory(long allocations);
void refuse_memory(long allocations)
{
    atomic_store(&until_refused, allocations);
}

void* malloc(size_t size)
{
    static void* (*next)(size_t);
    if (next == NULL) {
        *(void**)&next = dlsym(RTLD_NEXT, "malloc");
    }
    if (atomic_load(&until_refused) > 0 && is_of_shim(__builtin_return_address(0)) &&
        atomic_fetch_sub(&until_refused, 1) == 1) {
        errno = ENOMEM;
        return NULL;
    }
    return next(size);
}

int clock_gettime(clockid_t clock, struct timespec* now)
{
    enum { readings_between_steps = 10, step_seconds = 3600 };
    static int (*next)(clockid_t, struct timespec*);
    static atomic_long readings;
    if (next == NULL) {
        *(void**)&next = dlsym(RTLD_NEXT, "clock_gettime");
    }
    const int status = next(clock, now);
    if (status == 0 && is_refused("clock")) {
        now->tv_sec -= atomic_fetch_add(&readings, 1) / readings_between_steps * step_seconds;
    }
    return status;
}
