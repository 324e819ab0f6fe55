// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A random walk through all that a program may do with communicators that have a topology: they come and go in every
// way, calls in every form complete in every way, some fail, some requests are given up, counting is paused. All memory
// of each call is compared, the numbers of all calls are kept for account.py, and further walks over the same
// steps leave nothing behind.
//
//   walk SEED STEPS [single]    single: one operation at a time, so that all messages are known by function
#include "flights.h"
#include "footprint.h"
#include "odd_calls.h"
#include "sparse_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_places = 4, most_held = 4, least_passes = 5, late_passes = 3, most_passes = 40 };

static Place* places[most_places];
static Operation* held[most_held]; // persistent, inactive
static int ring[2];
static int single;

static Place* any_place(void)
{
    return places[draw(most_places)];
}

static void call_blocking(void)
{
    Place* place = any_place();
    const int function = random_function(place, form_blocking);
    Operation* operation = make_operation(place, form_blocking, function);
    if (place->is_member) {
        Tally tally = tally_of_operation(operation);
        tally.blocking = 1;
        forget_messages();
        call(operation);
        book_sent(place, form_blocking, function, tally);
        check(operation);
    }
    end_operation(operation);
}

static void end_place(Place* place)
{
    if (!place->is_freed) {
        walk.run.faults += check_place(place);
        free_communicator(place);
    }
    --place->users;
    forget_place(place);
}

// Made from a duplicate of `other` that is freed again.
static Place* make_descendant(Place* other)
{
    Place* parent = duplicate_place(&walk.state, other);
    Place* place = make_child(parent);
    end_place(parent);
    return place;
}

// Another communicator in place of one; at times that was freed before.
static void replace_place(int slot)
{
    Place* old = places[slot];
    const int how = draw(5);
    Place* other = places[(slot + 1) % most_places];
    if (how == 0 && can_be_parent(other)) {
        places[slot] = make_descendant(other);
    } else {
        places[slot] = how < 3 ? duplicate_place(&walk.state, other) : make_place(&walk.state, &walk.run);
    }
    end_place(old);
}

// One that is active, behind one that is not: none is started.
static void start_wrongly(Operation** flying, int count)
{
    Operation* active = NULL;
    Operation* inactive = NULL;
    for (int i = 0; i < count; ++i) {
        active = flying[i]->form == form_persistent ? flying[i] : active;
    }
    for (int slot = 0; slot < most_held; ++slot) {
        int flies = held[slot] == NULL;
        for (int i = 0; i < count; ++i) {
            flies = flies || flying[i] == held[slot];
        }
        inactive = flies ? inactive : held[slot];
    }
    if (active == NULL || inactive == NULL || active->may_reach_library || inactive->may_reach_library ||
        !active->place->is_member || !inactive->place->is_member) {
        return;
    }
    MPI_Request both[2] = {inactive->request, active->request};
    int class;
    int flag = 0;
    MPI_Error_class(MPI_Startall(2, both), &class);
    MPI_Test(&both[0], &flag, MPI_STATUS_IGNORE);
    if (class != MPI_ERR_REQUEST || !flag) {
        fault(&active->place->run, "MPI_Startall", "a request was started beside one that is active");
        ++walk.run.faults;
    }
}

// Nonblocking calls and starts of persistent requests that exist.
static void fly(void)
{
    Operation* flying[most_flying];
    const int count = single ? 1 : 1 + draw(2) * draw(most_flying);
    const int mixed = count > 1;
    for (int i = 0; i < count; ++i) {
        const int slot = draw(most_held);
        int taken = 0;
        for (int j = 0; j < i; ++j) {
            taken = taken || flying[j] == held[slot];
        }
        if (draw(2) && held[slot] != NULL && !taken) {
            flying[i] = held[slot];
        } else {
            Place* place = any_place();
            flying[i] = make_operation(place, form_nonblocking, random_function(place, form_nonblocking));
        }
    }
    forget_messages();
    for (int i = 0; i < count; ++i) {
        if (flying[i]->form == form_nonblocking) {
            call(flying[i]);
        }
    }
    start_held(flying, count);
    start_wrongly(flying, count);
    const int freed = draw(4) == 0 ? draw(most_places) : -1;
    if (freed >= 0) {
        free_communicator(places[freed]);
    }
    complete_all(flying, count);
    unsigned long long counts[2];
    look_at_messages(counts);
    if (mixed) {
        account_mixed(counts);
    }
    for (int i = 0; i < count; ++i) {
        Operation* operation = flying[i];
        if (operation->place->is_member) {
            Tally tally = tally_of_operation(operation);
            tally.mixed = (unsigned long long)mixed;
            tally.messages = mixed ? 0 : counts[0];
            tally.bytes = mixed ? 0 : counts[1];
            book(operation, &tally);
            check(operation);
        }
        if (operation->form == form_nonblocking) {
            end_operation(operation);
        }
    }
    if (freed >= 0) {
        replace_place(freed);
    }
}

// Right calls, as many as may be in flight one after the other.
static void call_again(Place* place)
{
    enum { many = 9 };
    for (int i = 0; i < many; ++i) {
        Operation* operation = make_operation(place, form_nonblocking, op_alltoallv);
        forget_messages();
        call(operation);
        complete_all(&operation, 1);
        if (place->is_member) {
            book_sent(place, form_nonblocking, op_alltoallv, tally_of_operation(operation));
            check(operation);
        }
        end_operation(operation);
    }
}

static void disagree(void)
{
    const int slot = draw(most_places);
    const int goes_on = draw(4) == 0;
    call_unequally(places[slot]);
    if (goes_on && !places[slot]->is_freed) {
        call_again(places[slot]);
    }
    if (places[slot]->is_freed) {
        replace_place(slot);
    }
}

static void hold(void)
{
    const int slot = draw(most_held);
    if (held[slot] != NULL) {
        end_operation(held[slot]);
    }
    Place* place = any_place();
    held[slot] = make_operation(place, form_persistent, random_function(place, form_persistent));
    call(held[slot]);
}

// The request is freed while it is active: the data still arrives.
static void give_up(void)
{
    Place* place = any_place();
    const enum Form form = (enum Form)draw(request_forms);
    const int function = random_function(place, form);
    if (may_reach_library(place) || getenv("HOPSCOTCH_VERIFY") != NULL) { // which does not compare such calls
        return;
    }
    Operation* operation = make_operation(place, form, function);
    if (place->is_member) {
        Tally tally = tally_of_operation(operation);
        forget_messages();
        call(operation);
        if (form == form_persistent) {
            forget_messages(); // those of its preparation
            MPI_Start(&operation->request);
        }
        MPI_Request_free(&operation->request);
        begin_call(&place->run, "waiting for a freed request");
        while (memcmp(operation->arena, operation->wanted, operation->transfer.bytes) != 0) {
            int flag;
            MPI_Iprobe(0, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(place->run.comm);
        unsigned long long counts[2];
        look_at_messages(counts);
        account_mixed(counts);
        tally.mixed = 1;
        book(operation, &tally);
    }
    end_operation(operation);
}

// A creation that fails on all processes.
static void make_wrongly(void)
{
    const int degree = 1 - 2 * draw(2);
    const int weights[1] = {-1};
    MPI_Comm parent;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    begin_call(&walk.run, "a wrong creation");
    if (MPI_Dist_graph_create_adjacent(parent, 1, &walk.run.rank, MPI_UNWEIGHTED, degree, &walk.run.rank, weights,
                                       MPI_INFO_NULL, 0, &made) == MPI_SUCCESS) {
        printf("FAILED: rank %d: a wrong graph could be made\n", walk.run.rank);
        ++walk.run.faults;
    }
    MPI_Comm_free(&parent);
}

static MPI_Comm make_ring(const int neighbors[2], MPI_Info info)
{
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, neighbors, MPI_UNWEIGHTED, 2, neighbors, MPI_UNWEIGHTED, info, 0,
                                   &graph);
    account_graph(by_adjacent, walk.run.rank);
    return graph;
}

// So many that graphs from this place are then set up at their first use.
static void make_unused(const int neighbors[2])
{
    enum { many = 9 };
    for (volatile int i = 0; i < many; ++i) { // one place
        MPI_Comm graph = make_ring(neighbors, MPI_INFO_NULL);
        MPI_Comm_free(&graph);
    }
}

// The report keeps the first graphs with requests, for the time of an exchange by itself: not those of the walk.
static void make_kept(const int neighbors[2])
{
    enum { many = 8 };
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", "merged");
    pause_account(1);
    for (int i = 0; i < many; ++i) {
        int in[2];
        MPI_Request request;
        MPI_Comm graph = make_ring(neighbors, info);
        MPI_Ineighbor_alltoall(neighbors, 1, MPI_INT, in, 1, MPI_INT, graph, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&graph);
    }
    pause_account(0);
    MPI_Info_free(&info);
}

static void step(void)
{
    const int kind = draw(100);
    if (kind < 22) {
        call_blocking();
    } else if (kind < 28 && getenv("HOPSCOTCH_ALLTOALLV") != NULL) {
        call_sparsely();
    } else if (kind < 42) {
        fly();
    } else if (kind < 50) {
        hold();
    } else if (kind < 59) {
        replace_place(draw(most_places));
    } else if (kind < 63) {
        decorate(&walk.state, any_place());
    } else if (kind < 67) {
        ask_for_algorithm(&walk.state, any_place());
    } else if (kind < 73) {
        call_wrongly(any_place());
    } else if (kind < 86) {
        disagree();
    } else if (kind < 91) {
        give_up();
    } else if (kind < 94) {
        gather_all(any_place());
    } else if (kind < 95) {
        make_wrongly();
    } else if (kind < 96) {
        make_unused(ring);
    } else {
        pause_account(!account_paused());
    }
    ++walk.steps;
}

static void walk_once(int steps)
{
    for (int i = 0; i < most_places; ++i) {
        places[i] = make_place(&walk.state, &walk.run);
    }
    for (int i = 0; i < steps; ++i) {
        step();
    }
    for (int i = 0; i < most_held; ++i) {
        if (held[i] != NULL) {
            end_operation(held[i]);
            held[i] = NULL;
        }
    }
    for (int i = 0; i < most_places; ++i) {
        end_place(places[i]);
    }
    end_sparse_calls();
    pause_account(0);
}

// Blocks of memory that each of the last passes added at least.
static long blocks_in_each(const Footprint* prints, int passes)
{
    long least = prints[passes - 1].blocks;
    for (int pass = passes - late_passes; pass < passes; ++pass) {
        const long more = prints[pass].blocks - prints[pass - 1].blocks;
        least = more < least ? more : least;
    }
    return least;
}

// Each pass makes the same steps, so that a forgotten block is forgotten in each.
static int grows(const Footprint* prints, int passes)
{
    enum { allowed_blocks = 2, allowed_mappings = 8 };
    const Footprint* before = &prints[passes - late_passes - 1];
    const Footprint* after = &prints[passes - 1];
    return after->descriptors > before->descriptors || after->threads > before->threads ||
           after->mappings > before->mappings + allowed_mappings || blocks_in_each(prints, passes) >= allowed_blocks;
}

// The first passes fill tables. The library gives the lists of MPI_Dist_graph_create in the order of arrival: such
// graphs differ in each pass, and Hopscotch keeps the last 32.
static int walk_until_nothing_grows(Footprint* prints, int steps)
{
    int passes = 0;
    for (int more = 1; more && passes < most_passes; ++passes) {
        walk.state = walk.run.seed * 1000003u;
        walk.own = walk.state + 977u * (uint64_t)(walk.run.rank + 1);
        walk.salt = (uint64_t)passes << 40;
        walk_once(steps);
        MPI_Barrier(MPI_COMM_WORLD);
        prints[passes] = footprint();
        more = passes + 1 < least_passes || grows(prints, passes + 1);
        MPI_Allreduce(MPI_IN_PLACE, &more, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    return passes;
}

static int check_growth(const Footprint* prints, int passes)
{
    const Footprint* before = &prints[passes - late_passes - 1];
    const Footprint* after = &prints[passes - 1];
    if (!grows(prints, passes)) {
        return 0;
    }
    printf(
        "FAILED: rank %d: descriptors %ld, then %ld; threads %ld, %ld; mappings %ld, %ld; %ld blocks of memory more in "
        "each pass\n",
        walk.run.rank, before->descriptors, after->descriptors, before->threads, after->threads, before->mappings,
        after->mappings, blocks_in_each(prints, passes));
    return 1;
}

static void show_footprints(const Footprint* prints, int passes)
{
    for (int pass = 0; pass < passes; ++pass) {
        printf("time: pass %d: %ld blocks of memory, %ld bytes; heap %ld bytes; mappings %ld\n", pass,
               prints[pass].blocks, prints[pass].block_bytes, prints[pass].heap_bytes, prints[pass].mappings);
    }
}

int main(int argc, char** argv)
{
    Footprint prints[most_passes];
    Function native[functions];
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &walk.run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ring[0] = (walk.run.rank + size - 1) % size;
    ring[1] = (walk.run.rank + 1) % size;
    const int steps = argc > 2 ? atoi(argv[2]) : 100;
    walk.run.seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    snprintf(walk.run.again, sizeof walk.run.again, "walk %llu %d%s", walk.run.seed, steps, argc > 3 ? " single" : "");
    single = argc > 3;
    for (int form = 0; form < forms; ++form) {
        find_functions((enum Form)form, native, walk.called[form]);
    }
    make_kept(ring);
    const int passes = walk_until_nothing_grows(prints, steps);
    if (walk.run.rank == 0) {
        show_footprints(prints, passes);
    }
    end_watch();
    int wrong = walk.run.faults + check_growth(prints, passes);
    wrong += check_all_counters();
    if (stray_errors != 0) {
        printf("FAILED: rank %d: %d calls of error handlers without an error of the program\n", walk.run.rank,
               stray_errors);
        ++wrong;
    }
    if (attributes != 0) {
        printf("FAILED: rank %d: %d attributes are left\n", walk.run.rank, attributes);
        ++wrong;
    }
    print_account();
    int all = 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (walk.run.rank == 0) {
        printf(all == 0 ? "walk: ok\n" : "walk: FAILED, seed %llu\n", walk.run.seed);
    }
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
