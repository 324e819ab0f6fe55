// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Odd calls of a random walk, see odd_calls.h.
#include "odd_calls.h"

#include <stdio.h>
#include <stdlib.h>

enum { most_bytes = 400 };

static int expect_class(const Place* place, int code, int wanted, int handled, const char* what)
{
    int class = MPI_SUCCESS;
    char text[100];
    MPI_Error_class(code, &class);
    const int calls = place->handled - handled;
    if (class == wanted && calls == (place->has_handler && code != MPI_SUCCESS)) {
        return 0;
    }
    snprintf(text, sizeof text, "error class %d, not %d; %d calls of the handler", class, wanted, calls);
    fault(&((Place*)place)->run, what, text);
    return 1;
}

void call_wrongly(Place* place)
{
    const enum Form form = draw(2) ? form_blocking : form_nonblocking;
    static const int regular[] = {op_alltoall, op_allgather, operations + op_alltoall, operations + op_allgather};
    const int function = regular[draw(4)];
    const int no_type = draw(2);
    if (!place->is_member || place->network.one_way || place->network.edges == 0) {
        return;
    }
    int cells[2] = {0};
    const Arguments wrong = {
        .buffer = &cells[0], .count = no_type ? 1 : -1, .type = no_type ? MPI_DATATYPE_NULL : MPI_INT};
    const Arguments right = {.buffer = &cells[1], .count = 1, .type = MPI_INT};
    for (int i = 0; i < 2; ++i) { // refused alike a second time
        MPI_Request request = MPI_REQUEST_NULL;
        const int handled = place->handled;
        forget_messages();
        begin_call(&place->run, "a wrong call");
        const int code = launch(form, function, walk.called[form][function], &wrong, &right, place->run.comm, &request);
        walk.run.faults += expect_class(place, code, no_type ? MPI_ERR_TYPE : MPI_ERR_COUNT, handled, "wrong call");
        Tally tally = tally_of(place);
        tally.failed = tally.failed_calls = tally.inexact_payload = tally.wrong = 1;
        book_sent(place, form, function, tally);
    }
}

void call_unequally(Place* place)
{
    const enum Form form = (enum Form)draw(forms);
    static const int sizes[][2] = {{40, 60}, {40, 400}, {400, 40}, {40, 0}}; // usual, other
    const int bad = draw(place->network.size);
    const int* const bytes = sizes[draw(4)];
    const int frees = form != form_blocking && draw(3) == 0;
    const int may_not = may_reach_library(place) || getenv("HOPSCOTCH_VERIFY") != NULL;
    const Lists* lists = &place->network.lists[place->is_member ? place->run.rank : 0];
    if (may_not || place->network.lists[bad].destinations == 0) {
        return;
    }
    if (!place->is_member) {
        place->is_freed = place->is_freed || frees;
        return;
    }
    Arguments out = allocate_arguments(lists->destinations);
    Arguments in = allocate_arguments(lists->sources);
    int concerned = 0;
    int concerns = 0;
    for (int i = 0; i < lists->destinations; ++i) {
        out.counts[i] = bytes[place->run.rank == bad];
        out.indices[i] = i * most_bytes;
    }
    for (int i = 0; i < lists->sources; ++i) {
        in.counts[i] = bytes[0];
        in.indices[i] = i * most_bytes;
        concerned = concerned || lists->source[i] == bad;
    }
    for (int i = 0; i < place->network.lists[bad].destinations; ++i) {
        concerns = concerns || place->network.lists[bad].destination[i] != no_process;
    }
    out.buffer = calloc((size_t)lists->destinations + 1, most_bytes);
    in.buffer = calloc((size_t)lists->sources + 1, most_bytes);
    const int handled = place->handled;
    MPI_Request request = MPI_REQUEST_NULL;
    begin_call(&place->run, "a call with sizes that disagree");
    forget_messages();
    int code = launch(form, op_alltoallv, walk.called[form][op_alltoallv], &out, &in, place->run.comm, &request);
    if (form == form_persistent) {
        forget_messages(); // those of its preparation
    }
    code = form == form_persistent && code == MPI_SUCCESS ? MPI_Start(&request) : code;
    if (frees) {
        free_communicator(place);
    }
    code = form != form_blocking && code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    Tally tally = tally_of(place);
    tally.failed = code != MPI_SUCCESS;
    tally.failed_calls = (unsigned long long)concerns;
    tally.inexact_payload = 1;
    book_sent(place, form, op_alltoallv, tally);
    if (concerned || code != MPI_SUCCESS) {
        walk.run.faults += expect_class(place, code, MPI_ERR_TRUNCATE, handled, "sizes that disagree");
    }
    if (request != MPI_REQUEST_NULL) {
        MPI_Request_free(&request);
    }
    free(out.buffer);
    free(in.buffer);
    free_arguments(&out);
    free_arguments(&in);
}

void gather_all(Place* place)
{
    const int cells = 1 + draw(40);
    if (!place->is_member) {
        return;
    }
    const int size = place->network.size;
    int* out = allocate((size_t)cells * sizeof *out);
    int* in = allocate((size_t)cells * (size_t)size * sizeof *in);
    for (int c = 0; c < cells; ++c) {
        out[c] = place->run.rank * 1000 + c + walk.steps;
    }
    begin_call(&place->run, "MPI_Allgather");
    forget_messages();
    MPI_Allgather(out, cells, MPI_INT, in, cells, MPI_INT, place->run.comm);
    Tally tally = {.calls = 1, .messages_trivial = (unsigned long long)size - 1, .inexact_payload = 1};
    if (place->maker != by_nobody) { // else the call is not Hopscotch's
        book_sent(place, forms, 0, tally);
    }
    for (int i = 0; i < size * cells; ++i) {
        if (in[i] != i / cells * 1000 + i % cells + walk.steps) {
            fault(&place->run, "MPI_Allgather", "a block is wrong");
            ++walk.run.faults;
            break;
        }
    }
    free(out);
    free(in);
}
