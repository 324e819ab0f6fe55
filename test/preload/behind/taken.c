// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A preload for tests only: threads seem never to sleep, and to have had no core for TAKEN percent of the time. The
// time that is asked for behind that on the core is of the same moment, though others may have had the core in between.
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
    static _Thread_local struct timespec now;
    static _Thread_local int is_asked_for;
    if (clock == CLOCK_MONOTONIC && is_asked_for) {
        *time = now;
        is_asked_for = 0;
        return 0;
    }
    if (clock != CLOCK_THREAD_CPUTIME_ID) {
        return (int)syscall(SYS_clock_gettime, clock, time);
    }
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    is_asked_for = 1;
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
