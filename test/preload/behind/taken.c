// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A preload for tests only: threads seem never to sleep, and to have had no core for TAKEN percent of the time.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(const struct timespec* time)
{
    return time->tv_sec * 1000000000LL + time->tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec* time)
{
    if (clock != CLOCK_THREAD_CPUTIME_ID) {
        return (int)syscall(SYS_clock_gettime, clock, time);
    }
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    const char* const taken = getenv("TAKEN");
    const long long on_core = nanoseconds(&now) / 100 * (100 - (taken == NULL ? 0 : atoi(taken)));
    time->tv_sec = on_core / 1000000000;
    time->tv_nsec = on_core % 1000000000;
    return 0;
}

int getrusage(__rusage_who_t who, struct rusage* usage)
{
    const int result = (int)syscall(SYS_getrusage, who, usage);
    usage->ru_nvcsw = 0;
    return result;
}
