// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Operations of a random walk, see walked.h.
#include "walked.h"

#include "completion.h"

#include <stdlib.h>

Walk walk;

int draw(int below)
{
    return random_below(&walk.state, below);
}

static int is_gather(int function)
{
    return function % operations == op_allgather || function % operations == op_allgatherv;
}

Tally tally_of(const Place* place)
{
    Tally tally = {.calls = 1};
    const Lists* lists = &place->network.lists[place->run.rank];
    for (int i = 0; i < lists->destinations; ++i) {
        tally.messages_trivial += lists->destination[i] != no_process && lists->destination[i] != place->run.rank;
    }
    return tally;
}

Tally tally_of_operation(const Operation* operation)
{
    const Transfer* transfer = &operation->transfer;
    Tally tally = tally_of(operation->place);
    // Parallel edges may share the one block of a gather.
    tally.inexact_payload = operation->place->network.parallel && is_gather(operation->function);
    for (int i = 0; i < transfer->sends; ++i) {
        const Part* part = &transfer->send[i];
        const unsigned long long bytes = part->shape->bytes * (unsigned long long)part->count;
        if (is_gather(operation->function)) {
            tally.payload_bytes += bytes * tally.messages_trivial;
        } else if (part->peer != no_process && part->peer != operation->place->run.rank) {
            tally.payload_bytes += bytes;
        }
    }
    return tally;
}

// `maker`, `era`: of the place, when the request was made.
static void book_at(Place* place, enum Maker maker, int era, enum Form form, int function, const Tally* tally)
{
    Tally known = *tally;
    if (maker == by_nobody) { // of which only the number is counted
        known.messages_trivial = known.payload_bytes = known.messages = known.bytes = 0;
    }
    account(maker, form, function, place->run.rank, &known);
    if (!account_paused() && place->era == era) {
        add_tally(&place->tally, &known);
        place->exact = place->exact && known.mixed == 0;
    }
}

void book(const Operation* operation, const Tally* tally)
{
    book_at(operation->place, operation->maker, operation->era, operation->form, operation->function, tally);
}

// A call whose messages are known.
void book_sent(Place* place, enum Form form, int function, Tally tally)
{
    unsigned long long counts[2];
    look_at_messages(counts);
    tally.messages = counts[0];
    tally.bytes = counts[1];
    book_at(place, place->maker, place->era, form, function, &tally);
}

void forget_messages(void)
{
    unsigned long long counts[2];
    look_at_messages(counts);
}

int random_function(const Place* place, enum Form form)
{
    const int function = draw(functions);
    if (place->network.parallel && may_reach_library(place) && getenv("HOPSCOTCH_PARALLEL_EDGES") != NULL) {
        return op_allgatherv; // all parallel edges carry one block: their order does not matter
    }
    return natively_wrong(&place->network, form, function) ? (int)op_alltoallv : function;
}

// With all arguments; not yet called. Processes outside of the communicator have nothing.
Operation* make_operation(Place* place, enum Form form, int function)
{
    const uint64_t key = next_random(&walk.state);
    Operation* operation = allocate(sizeof *operation);
    *operation = (Operation){.place = place,
                             .form = form,
                             .function = function,
                             .request = MPI_REQUEST_NULL,
                             .era = place->era,
                             .maker = place->maker,
                             .may_reach_library = may_reach_library(place)};
    ++place->users;
    if (place->is_member) {
        const Call plan = random_call(&place->network, function, key, place->run.largest_degree);
        operation->transfer = make_transfer(&plan, place->run.rank, matching_of(place, form, function));
        operation->transfer.call.key += walk.salt; // sizes are those of each pass
        operation->arena = allocate(operation->transfer.bytes);
        operation->wanted = allocate(operation->transfer.bytes);
        fill_before(&operation->transfer, operation->arena);
        fill_after(&operation->transfer, operation->wanted);
        operation->out = make_arguments(&operation->transfer, 1, operation->arena);
        operation->in = make_arguments(&operation->transfer, 0, operation->arena);
    }
    return operation;
}

void call(Operation* operation)
{
    Place* place = operation->place;
    char name[64];
    if (!place->is_member) {
        return;
    }
    form_name(operation->form, operation->function, name, sizeof name);
    begin_call(&place->run, name);
    if (launch(operation->form, operation->function, walk.called[operation->form][operation->function], &operation->out,
               &operation->in, place->run.comm, &operation->request) != MPI_SUCCESS) {
        fault(&place->run, name, "returned an error");
        ++walk.run.faults;
    }
    free_types(&operation->transfer);
}

void check(Operation* operation)
{
    Run* run = &operation->place->run;
    if (operation->place->is_member) {
        run->faults = 0;
        check_arena(run, operation->form, &operation->transfer, "", operation->arena, operation->wanted);
        walk.run.faults += run->faults;
    }
}

void end_operation(Operation* operation)
{
    Place* place = operation->place;
    if (operation->request != MPI_REQUEST_NULL) {
        MPI_Request_free(&operation->request);
    }
    if (place->is_member) {
        free_arguments(&operation->out);
        free_arguments(&operation->in);
        free_transfer(&operation->transfer);
        free(operation->arena);
        free(operation->wanted);
    }
    free(operation);
    --place->users;
    forget_place(place);
}

static void add(Requests* all, MPI_Request request, int active, int persistent)
{
    const int i = all->count++;
    all->request[i] = request;
    all->active[i] = active;
    all->persistent[i] = persistent;
    all->source[i] = MPI_ANY_SOURCE;
    all->tag[i] = 0;
}

void start_held(Operation** flying, int count)
{
    MPI_Request requests[most_flying];
    int persistent = 0;
    const int together = random_below(&walk.own, 2);
    for (int i = 0; i < count; ++i) {
        Operation* operation = flying[i];
        if (operation->form == form_persistent && operation->place->is_member) {
            operation->transfer.call.key += walk.salt + (uint64_t)walk.steps * 977u;
            fill_before(&operation->transfer, operation->arena);
            fill_after(&operation->transfer, operation->wanted);
            requests[persistent++] = operation->request;
            if (!together) {
                MPI_Start(&requests[persistent - 1]);
            }
        }
    }
    if (together) {
        MPI_Startall(persistent, requests);
    }
}

void complete_all(Operation** flying, int count)
{
    Requests requests = {0};
    int where[most_flying];
    int only_simple = 0; // other functions fail on persistent requests of MPICH
    add(&requests, MPI_REQUEST_NULL, 0, 0);
    for (int i = 0; i < count; ++i) {
        where[i] = requests.count;
        if (flying[i]->place->is_member) {
            const int persistent = flying[i]->form == form_persistent;
            add(&requests, flying[i]->request, 1, persistent);
            only_simple = only_simple || (persistent && flying[i]->may_reach_library);
        }
    }
    const enum Style style = (enum Style)random_below(&walk.own, only_simple ? style_waitany : styles);
    begin_call(&walk.run, style_name(style));
    walk.run.faults += complete(&requests, style, random_below(&walk.own, 2), &walk.own);
    for (int i = 0; i < count; ++i) {
        if (flying[i]->place->is_member) {
            flying[i]->request = requests.request[where[i]];
        }
    }
}
