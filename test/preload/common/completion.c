// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Completion of requests in every way, see completion.h.
#include "completion.h"

#include "lists.h"

#include <stdio.h>
#include <string.h>

const char* style_name(enum Style style)
{
    static const char* const names[] = {"MPI_Wait",
                                        "MPI_Test",
                                        "MPI_Waitall",
                                        "MPI_Waitany",
                                        "MPI_Waitsome",
                                        "MPI_Testany",
                                        "MPI_Testsome",
                                        "MPI_Request_get_status",
                                        "MPI_Testall",
                                        "MPI_Request_get_status_all",
                                        "MPI_Request_get_status_any",
                                        "MPI_Request_get_status_some"};
    return names[style];
}

typedef struct {
    Requests* requests;
    enum Style style;
    int with_statuses;
    int done[most_requests];
    int faults;
} Run;

static void fault(Run* run, int index, const char* what)
{
    printf("FAILED: %s: request %d of %d: %s\n", style_name(run->style), index, run->requests->count, what);
    fflush(stdout);
    ++run->faults;
}

static void note(Run* run, int index, const MPI_Status* status)
{
    const Requests* all = run->requests;
    if (index < 0 || index >= all->count) {
        fault(run, index, "no such index");
        return;
    }
    if (run->done[index]++ > 0) {
        fault(run, index, "reported twice");
    }
    if (!all->active[index]) {
        fault(run, index, "was not active");
    }
    if ((all->request[index] != MPI_REQUEST_NULL) != all->persistent[index]) {
        fault(run, index, "the handle is wrong afterwards");
    }
    if (status == NULL) {
        return;
    }
    int cancelled = 1;
    int bytes = -1;
    MPI_Test_cancelled(status, &cancelled);
    if (cancelled) {
        fault(run, index, "the status says cancelled");
    }
    if (all->source[index] != MPI_ANY_SOURCE) {
        MPI_Get_count(status, MPI_BYTE, &bytes);
        if (status->MPI_SOURCE != all->source[index] || status->MPI_TAG != all->tag[index] || bytes != sizeof(int)) {
            fault(run, index, "the status of a receive is wrong");
        }
    }
}

static void check_code(Run* run, int code)
{
    if (code != MPI_SUCCESS) {
        fault(run, -1, "returned an error");
    }
}

static void one_by_one(Run* run, uint64_t* state)
{
    Requests* all = run->requests;
    int order[most_requests];
    for (int i = 0; i < all->count; ++i) {
        order[i] = i;
    }
    shuffle(state, order, all->count);
    for (int k = 0; k < all->count; ++k) {
        const int i = order[k];
        MPI_Status status;
        MPI_Status* const where = run->with_statuses ? memset(&status, -1, sizeof status) : MPI_STATUS_IGNORE;
        int flag = 0;
        if (run->style == style_test) {
            while (!flag) {
                check_code(run, MPI_Test(&all->request[i], &flag, where));
            }
        } else {
            while (run->style == style_get_status && !flag) {
                check_code(run, MPI_Request_get_status(all->request[i], &flag, where));
            }
            check_code(run, MPI_Wait(&all->request[i], where));
        }
        if (all->active[i]) {
            note(run, i, run->with_statuses ? &status : NULL);
        }
    }
}

static MPI_Status statuses[3 * most_requests]; // the middle ones are for the call
static MPI_Status* const given = statuses + most_requests;

static MPI_Status* unwritten(const Run* run)
{
    memset(statuses, -1, sizeof statuses);
    return run->with_statuses ? given : MPI_STATUSES_IGNORE;
}

// A call writes to no status outside of its array, and to none at all without one.
static void check_unwritten(Run* run)
{
    const unsigned char* const bytes = (const unsigned char*)statuses;
    const size_t begin = sizeof *given * most_requests;
    const size_t end = begin + (run->with_statuses ? sizeof *given * (size_t)run->requests->count : 0);
    for (size_t i = 0; i < sizeof statuses; ++i) {
        if (bytes[i] != 0xff && (i < begin || i >= end)) {
            fault(run, -1, "a status outside of the array was written");
            return;
        }
    }
}

// That of a request that is not active.
static void check_empty(Run* run, int index, const MPI_Status* status)
{
    int cancelled = 1;
    int bytes = -1;
    MPI_Test_cancelled(status, &cancelled);
    MPI_Get_count(status, MPI_BYTE, &bytes);
    if (cancelled || bytes != 0 || status->MPI_SOURCE != MPI_ANY_SOURCE || status->MPI_TAG != MPI_ANY_TAG) {
        fault(run, index, "is not active, but the status is not empty");
    }
}

static void all_at_once(Run* run)
{
    Requests* all = run->requests;
    MPI_Status* const where = unwritten(run);
    int flag = 0;
    if (run->style == style_waitall) {
        check_code(run, MPI_Waitall(all->count, all->request, where));
    }
    while (run->style == style_testall && !flag && run->faults == 0) {
        check_code(run, MPI_Testall(all->count, all->request, &flag, where));
    }
    check_unwritten(run);
    for (int i = 0; i < all->count; ++i) {
        if (all->active[i]) {
            note(run, i, run->with_statuses ? &given[i] : NULL);
        } else if (run->with_statuses) {
            check_empty(run, i, &given[i]);
        }
    }
}

static void one_of_many(Run* run)
{
    Requests* all = run->requests;
    for (int index = 0; index != MPI_UNDEFINED && run->faults == 0;) {
        MPI_Status status;
        MPI_Status* const where = run->with_statuses ? memset(&status, -1, sizeof status) : MPI_STATUS_IGNORE;
        int flag = 0;
        index = -5;
        if (run->style == style_waitany) {
            check_code(run, MPI_Waitany(all->count, all->request, &index, where));
        } else {
            while (!flag && run->faults == 0) {
                check_code(run, MPI_Testany(all->count, all->request, &index, &flag, where));
            }
        }
        if (index != MPI_UNDEFINED) {
            note(run, index, run->with_statuses ? &status : NULL);
        }
    }
}

static void some_of_many(Run* run)
{
    Requests* all = run->requests;
    for (int count = 0; count != MPI_UNDEFINED && run->faults == 0;) {
        MPI_Status* const where = unwritten(run);
        int indices[most_requests];
        count = -5;
        if (run->style == style_waitsome) {
            check_code(run, MPI_Waitsome(all->count, all->request, &count, indices, where));
            if (count == 0) {
                fault(run, -1, "waited for nothing");
            }
        } else {
            check_code(run, MPI_Testsome(all->count, all->request, &count, indices, where));
        }
        check_unwritten(run);
        for (int k = 0; count != MPI_UNDEFINED && k < count; ++k) {
            note(run, indices[k], run->with_statuses ? &given[k] : NULL);
        }
    }
}

#ifdef GET_STATUS_OF_MANY
// These leave the requests as they are: MPI_Wait must then return at once, and say the same.
static void look_at_many(Run* run)
{
    Requests* all = run->requests;
    MPI_Status* const where = unwritten(run);
    int indices[most_requests];
    int seen = 0;
    for (int count = 0; count != MPI_UNDEFINED && seen < all->count && run->faults == 0;) {
        int flag = 0;
        if (run->style == style_get_status_all) {
            check_code(run, MPI_Request_get_status_all(all->count, all->request, &flag, where));
            count = flag ? all->count : 0;
            for (int i = 0; i < all->count; ++i) {
                indices[i] = i;
            }
        } else if (run->style == style_get_status_any) {
            check_code(run, MPI_Request_get_status_any(all->count, all->request, &indices[0], &flag, where));
            count = flag ? 1 : 0;
            count = flag && indices[0] == MPI_UNDEFINED ? MPI_UNDEFINED : count;
        } else {
            check_code(run, MPI_Request_get_status_some(all->count, all->request, &count, indices, where));
        }
        for (int k = 0; count != MPI_UNDEFINED && k < count; ++k, ++seen) {
            check_code(run, MPI_Wait(&all->request[indices[k]], MPI_STATUS_IGNORE));
            if (all->active[indices[k]]) {
                note(run, indices[k], run->with_statuses ? &given[k] : NULL);
            }
        }
    }
}
#endif

int complete(Requests* requests, enum Style style, int with_statuses, uint64_t* state)
{
    const Requests before = *requests;
    Run run = {.requests = requests, .style = style, .with_statuses = with_statuses};
    switch (style) {
    case style_waitall:
    case style_testall:
        all_at_once(&run);
        break;
    case style_waitany:
    case style_testany:
        one_of_many(&run);
        break;
    case style_waitsome:
    case style_testsome:
        some_of_many(&run);
        break;
#ifdef GET_STATUS_OF_MANY
    case style_get_status_all:
    case style_get_status_any:
    case style_get_status_some:
        look_at_many(&run);
        break;
#endif
    default:
        one_by_one(&run, state);
    }
    for (int i = 0; i < requests->count; ++i) {
        if (requests->active[i] && !run.done[i]) {
            fault(&run, i, "never reported");
        }
        if (!requests->active[i] && requests->request[i] != before.request[i]) {
            fault(&run, i, "is not active, but has another handle");
        }
    }
    return run.faults;
}
