// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares what a call adds to the counters of its communicator with the messages that libcounting.so, preloaded behind
// the library, has seen. Every fourth call pauses counting. Without libcounting.so nothing is compared.
#ifndef HOP_COUNTED_H
#define HOP_COUNTED_H

#include "check.h"

#include <hopscotch.h>

#include <dlfcn.h>

enum { most_header_bytes = 16 }; // of blocks that vary

static int counting_is_paused;
static Hop_Counters counted_before;

/// The messages and bytes since the last question; false without libcounting.so.
static inline int take_sent(unsigned long long sent[2])
{
    static void (*take_counts)(unsigned long long counts[2]);
    static int asked;
    if (!asked++)
        *(void**)&take_counts = dlsym(RTLD_DEFAULT, "take_counts");
    if (take_counts != NULL)
        take_counts(sent);
    return take_counts != NULL;
}

/// Before the messages of a call, or of one start of its request.
static inline void begin_counted(MPI_Comm comm)
{
    static unsigned calls;
    unsigned long long earlier[2];
    if (!take_sent(earlier))
        return;
    counting_is_paused = calls++ % 4 == 3;
    Hop_counting(!counting_is_paused);
    Hop_counters(comm, &counted_before);
}

/// After its completion. Returns its code.
static inline int end_counted(MPI_Comm comm, int code)
{
    int kind = MPI_UNDEFINED, neighbors = 0, active = 0;
    unsigned long long sent[2];
    Hop_Counters after;
    if (!take_sent(sent))
        return code;
    Hop_counting(1);
    Hop_active(&active);
    MPI_Topo_test(comm, &kind);
    const int has_neighbors = kind == MPI_GRAPH || kind == MPI_DIST_GRAPH ||
                              (kind == MPI_CART && Hop_Cart_neighbor_count(comm, &neighbors) == MPI_SUCCESS);
    if (!active || !has_neighbors)
        return code;
    const unsigned long long times = counting_is_paused ? 0 : 1;
    CHECK(Hop_counters(comm, &after) == MPI_SUCCESS);
    if (code != MPI_SUCCESS) { // one that is refused does not count
        CHECK(after.calls - counted_before.calls <= times);
        CHECK(after.calls - counted_before.calls == after.failed - counted_before.failed);
        return code;
    }
    CHECK(after.calls - counted_before.calls == times && after.failed == counted_before.failed);
    CHECK(after.messages - counted_before.messages == times * sent[0]);
    const unsigned long long bytes = after.bytes - counted_before.bytes; // without headers
    CHECK(bytes <= times * sent[1] && bytes + most_header_bytes * times * sent[0] >= times * sent[1]);
    return code;
}

#endif
