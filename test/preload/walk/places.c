// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators of a random walk, see places.h.
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const algorithms[] = {"merged", "native", "trivial", "combining"};

int attributes;
int stray_errors;

static int copy_attribute(MPI_Comm comm, int keyval, void* extra, void* value, void* copy, int* is_copied)
{
    *(void**)copy = value;
    *is_copied = 1;
    ++attributes;
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int keyval, void* value, void* extra)
{
    --attributes;
    return MPI_SUCCESS;
}

static int keyval(void)
{
    static int made = MPI_KEYVAL_INVALID;
    if (made == MPI_KEYVAL_INVALID) {
        MPI_Comm_create_keyval(copy_attribute, delete_attribute, &made, NULL);
    }
    return made;
}

enum { most_handled = 64 };

static Place* handling[most_handled]; // places whose handler counts

static void handle(MPI_Comm* comm, int* code, ...)
{
    int known = 0;
    for (int i = 0; i < most_handled; ++i) {
        if (handling[i] != NULL && (handling[i]->is_freed || handling[i]->run.comm == *comm)) {
            ++handling[i]->handled;
            known = 1;
        }
    }
    stray_errors += !known;
}

static void set_handler(Place* place, int counts)
{
    MPI_Errhandler handler = MPI_ERRORS_RETURN;
    if (counts) {
        MPI_Comm_create_errhandler(handle, &handler);
    }
    MPI_Comm_set_errhandler(place->run.comm, handler);
    if (counts) {
        MPI_Errhandler_free(&handler);
    }
    place->has_handler = counts;
    for (int i = 0; i < most_handled; ++i) {
        if (handling[i] == place) {
            handling[i] = NULL;
        }
    }
    for (int i = 0; i < most_handled && counts; ++i) {
        if (handling[i] == NULL) {
            handling[i] = place;
            return;
        }
    }
}

static MPI_Info info_for(const char* algorithm)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", algorithm);
    return info;
}

static void begin(Place* place, enum Maker maker)
{
    place->maker = maker;
    place->exact = 1;
    place->tally = (Tally){0};
    place->handled = 0;
    place->name[0] = '\0';
    place->users = 1; // the walk
    memset(place->matching, 0, sizeof place->matching);
    place->is_member = place->run.comm != MPI_COMM_NULL;
    if (place->is_member) {
        static int made;
        MPI_Comm_rank(place->run.comm, &place->run.rank);
        set_handler(place, made++ % 2);
        if (maker != by_nobody) {
            account_graph(maker, place->run.rank);
        }
    }
}

static enum Maker maker_of(const Network* network)
{
    switch (network->kind) {
    case kind_cartesian:
        return network->cut ? by_sub : by_cart;
    case kind_symmetric:
        return by_graph;
    case kind_described:
        return by_dist;
    default:
        return by_adjacent;
    }
}

// Communicators that create_communicator frees again.
static void account_parents(const Network* network, const Place* place)
{
    int world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    if (network->cut || (network->kind == kind_grid && network->pattern.parent == parent_cart)) {
        account_graph(by_cart, world);
    }
    if (network->duplicate && place->run.comm != MPI_COMM_NULL) {
        account_graph(maker_of(network), place->run.rank);
    }
}

static int largest_degree(const Network* network)
{
    int most = 0;
    for (int rank = 0; rank < network->size; ++rank) {
        const Lists* lists = &network->lists[rank];
        most = lists->sources > most ? lists->sources : most;
        most = lists->destinations > most ? lists->destinations : most;
    }
    return most;
}

Place* make_place(uint64_t* state, const Run* run)
{
    const char* const setting = getenv("HOPSCOTCH_ALGORITHM");
    int world;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    Place* place = allocate(sizeof *place);
    memset(place, 0, sizeof *place);
    place->run = *run;
    make_network(next_random(state), world, random_below(state, 6) == 0, &place->network);
    place->run.network = &place->network;
    snprintf(place->asked, sizeof place->asked, "%.31s", setting != NULL ? setting : "auto");
    MPI_Info info = MPI_INFO_NULL;
    place->network.reorder = random_below(state, 2);
    place->network.weights = random_below(state, 3) == 0;
    if (random_below(state, 2)) {
        const char* const wanted = algorithms[random_below(state, 4)];
        info = info_for(wanted);
        if (place->network.kind >= kind_arbitrary || place->network.kind == kind_grid) { // the others take no info
            snprintf(place->asked, sizeof place->asked, "%s", wanted);
        }
        place->network.info = &info;
    }
    begin_call(run, "the creation");
    place->run.comm = create_communicator(&place->network);
    place->network.info = NULL;
    if (info != MPI_INFO_NULL) {
        MPI_Info_free(&info);
    }
    place->run.largest_degree = largest_degree(&place->network);
    begin(place, place->network.duplicate ? by_dup : maker_of(&place->network));
    account_parents(&place->network, place);
    return place;
}

static Place* copy_of(const Place* other)
{
    Place* place = allocate(sizeof *place);
    *place = *other;
    place->network.lists = allocate((size_t)other->network.world * sizeof(Lists));
    memcpy(place->network.lists, other->network.lists, (size_t)other->network.world * sizeof(Lists));
    place->run.network = &place->network;
    place->run.comm = MPI_COMM_NULL;
    place->is_freed = 0;
    return place;
}

int can_be_parent(const Place* place)
{
    return place->network.kind != kind_cartesian && place->network.size == place->network.world;
}

Place* make_child(Place* other)
{
    Place* place = copy_of(other);
    const Lists* lists = &other->network.lists[other->run.rank];
    int* ranks[2] = {allocate((size_t)lists->sources * sizeof(int)),
                     allocate((size_t)lists->destinations * sizeof(int))};
    for (int i = 0; i < lists->sources; ++i) {
        ranks[0][i] = lists->source[i] == no_process ? MPI_PROC_NULL : lists->source[i];
    }
    for (int i = 0; i < lists->destinations; ++i) {
        ranks[1][i] = lists->destination[i] == no_process ? MPI_PROC_NULL : lists->destination[i];
    }
    begin_call(&other->run, "the creation from another");
    MPI_Dist_graph_create_adjacent(other->run.comm, lists->sources, ranks[0], MPI_UNWEIGHTED, lists->destinations,
                                   ranks[1], MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &place->run.comm);
    free(ranks[0]);
    free(ranks[1]);
    place->network.kind = kind_arbitrary;
    begin(place, by_adjacent);
    return place;
}

Place* duplicate_place(uint64_t* state, Place* other)
{
    Place* place = copy_of(other);
    enum Maker maker = by_dup;
    const int how = random_below(state, 4);
    const char* const wanted = algorithms[random_below(state, 4)];
    if (other->run.comm != MPI_COMM_NULL) {
        begin_call(&other->run, "a duplication");
        MPI_Request request;
        MPI_Info info;
        switch (how) {
        case 0:
            MPI_Comm_idup(other->run.comm, &place->run.comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            break;
        case 1:
            info = info_for(wanted);
            MPI_Comm_dup_with_info(other->run.comm, info, &place->run.comm);
            MPI_Info_free(&info);
            break;
        default:
            MPI_Comm_dup(other->run.comm, &place->run.comm);
        }
    }
    if (how == 1) {
        maker = by_dup_with_info;
        snprintf(place->asked, sizeof place->asked, "%s", wanted);
    }
    begin(place, how == 0 || other->maker == by_nobody ? by_nobody : maker);
    return place;
}

void ask_for_algorithm(uint64_t* state, Place* place)
{
    const char* const wanted = algorithms[random_below(state, 4)];
    if (place->is_member) {
        begin_call(&place->run, "MPI_Comm_set_info");
        MPI_Info info = info_for(wanted);
        MPI_Comm_set_info(place->run.comm, info);
        MPI_Info_free(&info);
    }
    if (place->maker != by_nobody && strcmp(wanted, place->asked) != 0) {
        place->maker = by_set_info;
        ++place->era;
        place->tally = (Tally){0};
        place->exact = 1;
        if (place->is_member) {
            account_graph(by_set_info, place->run.rank);
        }
    }
    snprintf(place->asked, sizeof place->asked, "%s", wanted); // on processes outside, too: all decide alike
}

void decorate(uint64_t* state, Place* place)
{
    const int what = random_below(state, 3);
    const int number = random_below(state, 1000);
    if (!place->is_member) {
        return;
    }
    if (what == 0) {
        set_handler(place, number % 2);
    } else if (what == 1) {
        snprintf(place->name, sizeof place->name, "place %d", number);
        MPI_Comm_set_name(place->run.comm, place->name);
    } else {
        void* value;
        int found;
        MPI_Comm_get_attr(place->run.comm, keyval(), &value, &found);
        MPI_Comm_set_attr(place->run.comm, keyval(), place);
        attributes += 1; // if there was one, it has been deleted
    }
}

// The messages of trials and of HOPSCOTCH_VERIFY are counted nowhere.
static int is_exact(const Place* place)
{
    const char* const trials = getenv("HOPSCOTCH_TRIALS");
    const int tries = strcmp(place->asked, "auto") == 0 || strchr(place->asked, '=') != NULL;
    return place->exact && getenv("HOPSCOTCH_VERIFY") == NULL &&
           (!tries || (trials != NULL && strcmp(trials, "off") == 0));
}

// An algorithm that carries all neighborhoods is requested, there is somebody to send to, and a call that sets it up.
static int must_be_carried(const Place* place)
{
    int edges = 0;
    for (int rank = 0; rank < place->network.size; ++rank) {
        const Lists* lists = &place->network.lists[rank];
        for (int i = 0; i < lists->destinations; ++i) {
            edges += lists->destination[i] != no_process && lists->destination[i] != rank;
        }
    }
    const int requested = strcmp(place->asked, "merged") == 0 || strcmp(place->asked, "trivial") == 0;
    return requested && edges > 0 && place->maker != by_nobody && place->tally.blocking > 0;
}

int check_place(Place* place)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length = 0;
    int wrong = 0;
    if (place->run.comm == MPI_COMM_NULL) {
        return 0;
    }
    MPI_Comm_get_name(place->run.comm, name, &length);
    if (place->name[0] != '\0' && strcmp(name, place->name) != 0) {
        fault(&place->run, "MPI_Comm_get_name", name);
        ++wrong;
    }
    const Tally none = {0};
    const int is_quiet = place->maker == by_nobody;
    wrong += check_counters(place->run.comm, is_quiet ? &none : &place->tally, is_exact(place), "a place");
    const long long accelerated = accelerated_calls(place->run.comm);
    if (accelerated > 0 && strcmp(place->asked, "native") == 0) {
        fault(&place->run, "Hop_counters", "calls were accelerated despite a request for native ones");
        ++wrong;
    }
    if (accelerated == 0 && must_be_carried(place)) {
        fault(&place->run, "Hop_counters", "no call was accelerated despite a request for it");
        ++wrong;
    }
    return wrong;
}

void free_communicator(Place* place)
{
    if (place->run.comm != MPI_COMM_NULL) {
        begin_call(&place->run, "MPI_Comm_free");
        place->is_freed = 1;
        MPI_Comm_free(&place->run.comm);
        place->run.comm = MPI_COMM_NULL;
    }
    place->is_freed = 1;
}

void forget_place(Place* place)
{
    if (!place->is_freed || place->users > 0) {
        return;
    }
    for (int i = 0; i < most_handled; ++i) {
        if (handling[i] == place) {
            handling[i] = NULL;
        }
    }
    for (int i = 0; i < (int)forms * functions; ++i) {
        free(place->matching[i / functions][i % functions]);
    }
    free_network(&place->network);
    free(place);
}

const int* matching_of(Place* place, enum Form form, int function)
{
    static Function native[forms][functions];
    static Function called[forms][functions];
    if (native[form_blocking][op_alltoall] == NULL) {
        for (int i = 0; i < forms; ++i) {
            find_functions((enum Form)i, native[i], called[i]);
        }
    }
    int** const known = &place->matching[form][function];
    if (*known == NULL) {
        *known = allocate((size_t)place->network.lists[place->run.rank].sources * sizeof **known);
        find_matching(&place->run, form, native[form], function, *known);
    }
    return *known;
}

int may_reach_library(const Place* place)
{
    return may_be_native(&place->network) || strcmp(place->asked, "native") == 0 || strcmp(place->asked, "auto") == 0 ||
           strchr(place->asked, '=') != NULL || place->maker == by_nobody || place->network.size == 1 ||
           !hopscotch_is_active();
}
