// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A plugin with a UCX of its own, as wheels of Python bring one: the name of UCX's function, another kind of worker.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned ucp_worker_progress(void* worker);
void plugin_poll(unsigned times);

struct worker {
    char mark[16];
    unsigned polls;
};

static struct worker own = {.mark = "of the plugin"};

unsigned ucp_worker_progress(void* worker)
{
    struct worker* const given = worker;
    if (strcmp(given->mark, own.mark) != 0) {
        fputs("the plugin's UCX was given a worker of another one\n", stderr);
        abort();
    }
    ++given->polls;
    return 0;
}

void plugin_poll(unsigned times)
{
    for (const unsigned goal = own.polls + times; own.polls != goal;) {
        const unsigned before = own.polls;
        ucp_worker_progress(&own);
        if (own.polls == before) {
            fputs("another UCX was given the plugin's worker\n", stderr);
            abort();
        }
    }
}
