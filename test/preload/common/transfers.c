// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random calls of neighborhood collectives, see transfers.h.
#include "transfers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { guard = 192 };

// Open MPI 4.1.4 takes part in a regular call only with elements, of no bytes or not: all processes must have some, or
// none.
#ifdef OPEN_MPI
enum { zero_bytes_are_nothing = 1 };
#else
enum { zero_bytes_are_nothing = 0 };
#endif

// Sizes of blocks: up to some bytes, up to some hundred, the same with a large one now and then, none at all.
enum { sizes_tiny, sizes_small, sizes_mixed, sizes_none };

static int is_allgather(int operation)
{
    return operation == op_allgather || operation == op_allgatherv;
}

static int is_regular(int operation)
{
    return operation == op_alltoall || operation == op_allgather;
}

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t state = a ^ (b * 0xd6e8feb86659fd93u);
    return next_random(&state);
}

const char* function_name(int function)
{
    static const char* const names[functions] = {
        "MPI_Neighbor_alltoall",    "MPI_Neighbor_alltoallv",   "MPI_Neighbor_alltoallw",   "MPI_Neighbor_allgather",
        "MPI_Neighbor_allgatherv",  "MPI_Neighbor_alltoall_c",  "MPI_Neighbor_alltoallv_c", "MPI_Neighbor_alltoallw_c",
        "MPI_Neighbor_allgather_c", "MPI_Neighbor_allgatherv_c"};
    return names[function];
}

static int random_units(uint64_t* state, int sizes, int unit)
{
    const int bytes = unit_bytes(unit);
    if (sizes == sizes_none || random_below(state, 5) == 0) {
        return 0;
    }
    if (sizes == sizes_mixed && random_below(state, 24) == 0) {
        return (20000 + random_below(state, 180000)) / bytes;
    }
    return random_below(state, (sizes == sizes_tiny ? 24 : 400) / bytes + 2);
}

Call random_call(const Network* network, int function, uint64_t key, int largest_degree)
{
    static const int sizes[] = {sizes_tiny,  sizes_tiny,  sizes_small, sizes_small, sizes_small,
                                sizes_small, sizes_mixed, sizes_mixed, sizes_none};
    uint64_t state = key;
    Call call = {.network = network, .function = function, .key = key};
    call.unit = random_below(&state, unit_kinds);
    call.multiple = random_below(&state, 2) ? 12 : 1;
    call.sizes = sizes[random_below(&state, 9)];
    const int most = 1500000 / (largest_degree + 1) / unit_bytes(call.unit);
    call.regular_units = random_units(&state, call.sizes, call.unit);
    call.regular_units = call.regular_units < most ? call.regular_units : most;
    return call;
}

static int units_of(const Call* call, int sender, int index)
{
    const int operation = call->function % operations;
    if (is_regular(operation)) {
        return call->regular_units;
    }
    uint64_t state = mixed(mixed(call->key, (uint64_t)sender + 1), (uint64_t)index);
    const int units = random_units(&state, call->sizes, call->unit);
    return operation == op_alltoallw ? units : (units + call->multiple - 1) / call->multiple * call->multiple;
}

// A divisor of the units of a block; these become elements of so many units each.
static int random_element(uint64_t* state, int units)
{
    int fitting[64];
    int count = 0;
    for (int d = 1; d <= 48 && d <= units; ++d) {
        if (units % d == 0) {
            fitting[count++] = d;
        }
    }
    if (count == 0) {
        return random_below(state, 3);
    }
    return units <= 400 && random_below(state, 4) == 0 ? units : fitting[random_below(state, count)];
}

// The parts of one side, everything but their places. A process may give any count on a side with MPI_PROC_NULL
// neighbors only, also in the regular forms.
static void make_parts(Transfer* transfer, uint64_t* state, Part* parts, int count)
{
    Call own = transfer->call;
    const Call* call = &own;
    const int operation = call->function % operations;
    int alone = 1;
    for (int i = 0; i < count; ++i) {
        alone = alone && parts[i].peer == no_process;
    }
    if (alone && random_below(state, 2)) {
        own.regular_units = random_below(state, 3);
    }
    Shape* shape = NULL;
    int element = 0;
    if (operation != op_alltoallw) {
        int most = 0;
        for (int i = 0; i < count; ++i) {
            const int units = units_of(call, parts[i].sender, parts[i].index);
            most = units > most ? units : most;
        }
        const int together = is_regular(operation) ? call->regular_units : call->multiple;
        element = random_element(state, together);
        if (element == 0 && (!is_regular(operation) || zero_bytes_are_nothing || random_below(state, 2))) {
            element = 1;
        }
        if (is_regular(operation)) {
            most *= count;
        }
        shape = &transfer->shapes[transfer->shape_count++];
        *shape = make_shape(state, call->unit, element, element == 0 ? 1 : most / element);
    }
    for (int i = 0; i < count; ++i) {
        const int units = units_of(call, parts[i].sender, parts[i].index);
        if (operation == op_alltoallw) {
            element = random_element(state, units);
            shape = &transfer->shapes[transfer->shape_count++];
            *shape = make_shape(state, call->unit, element, element == 0 ? 1 : units / element);
        }
        parts[i].shape = shape;
        parts[i].count = element == 0 ? (int)(mixed(call->key, 5) % 3) : units / element;
    }
}

// A stretch of memory to be placed: one block, or all blocks of a regular buffer.
typedef struct {
    ptrdiff_t low; // it occupies [low, high) around its address
    ptrdiff_t high;
    ptrdiff_t base; // its address is at a multiple of `grid` from here
    ptrdiff_t grid;
    ptrdiff_t at;
    Part* first;
    int parts;
} Stretch;

static Stretch stretch_of(Part* first, int parts, ptrdiff_t base, ptrdiff_t grid)
{
    Stretch stretch = {.base = base, .grid = grid > 0 ? grid : 1, .first = first, .parts = parts};
    const ptrdiff_t elements = parts > 0 ? (ptrdiff_t)parts * first->count : 0;
    if (elements > 0 && first->shape->bytes > 0) {
        stretch.low = first->shape->low;
        stretch.high = first->shape->high + (elements - 1) * first->shape->extent;
    }
    return stretch;
}

static ptrdiff_t rounded_up(ptrdiff_t value, ptrdiff_t grid)
{
    const ptrdiff_t rest = value % grid;
    return rest == 0 ? value : value - rest + (rest > 0 ? grid : 0);
}

static int add_stretches(Stretch* stretches, Part* parts, int count, int operation, ptrdiff_t base)
{
    if (is_regular(operation)) {
        stretches[0] = stretch_of(parts, count, 0, 1);
        return 1;
    }
    for (int i = 0; i < count; ++i) {
        stretches[i] = stretch_of(&parts[i], 1, base, operation == op_alltoallw ? 1 : parts[i].shape->extent);
    }
    return count;
}

// Finds a place for every block, in random order and with random gaps; send and receive blocks may lie mixed.
static void place(Transfer* transfer, uint64_t* state)
{
    const int operation = transfer->call.function % operations;
    const int send_operation = is_allgather(operation) ? op_allgather : operation;
    const int one_array = random_below(state, 3) == 0;
    transfer->send_base = guard + random_below(state, 400);
    transfer->receive_base = one_array ? transfer->send_base : guard + random_below(state, 400);
    const size_t most = (size_t)transfer->sends + (size_t)transfer->receives + 2;
    Stretch* stretches = allocate(most * sizeof *stretches);
    int* order = allocate(most * sizeof *order);
    const int sends = add_stretches(stretches, transfer->send, transfer->sends, send_operation, transfer->send_base);
    const int all = sends + add_stretches(stretches + sends, transfer->receive, transfer->receives, operation,
                                          transfer->receive_base);
    for (int i = 0; i < all; ++i) {
        order[i] = i;
    }
    if (one_array) {
        shuffle(state, order, all);
    } else if (random_below(state, 2)) {
        shuffle(state, order, sends);
        shuffle(state, order + sends, all - sends);
    }
    const int widest_gap = random_below(state, 3) == 0 ? 1 : 40;
    ptrdiff_t cursor = guard;
    for (int i = 0; i < all; ++i) {
        Stretch* stretch = &stretches[order[i]];
        const ptrdiff_t at = cursor + random_below(state, widest_gap) - stretch->low;
        stretch->at = stretch->base + rounded_up(at - stretch->base, stretch->grid);
        cursor = stretch->at + stretch->high;
        for (int j = 0; j < stretch->parts; ++j) {
            stretch->first[j].at = stretch->at + (ptrdiff_t)j * stretch->first->count * stretch->first->shape->extent;
        }
    }
    if (is_regular(send_operation)) {
        transfer->send_base = stretches[0].at;
    }
    if (is_regular(operation)) {
        transfer->receive_base = stretches[sends].at;
    }
    transfer->bytes = (size_t)cursor + guard;
    free(stretches);
    free(order);
}

Transfer make_transfer(const Call* call, int rank, const int* matching)
{
    const int operation = call->function % operations;
    const Lists* lists = &call->network->lists[rank];
    Transfer transfer = {.call = *call};
    transfer.sends = is_allgather(operation) ? 1 : lists->destinations;
    transfer.receives = lists->sources;
    transfer.send = allocate((size_t)transfer.sends * sizeof *transfer.send);
    transfer.receive = allocate((size_t)transfer.receives * sizeof *transfer.receive);
    transfer.shapes = allocate(((size_t)transfer.sends + (size_t)transfer.receives + 2) * sizeof *transfer.shapes);
    for (int i = 0; i < transfer.sends; ++i) {
        transfer.send[i] =
            (Part){.peer = lists->destinations > 0 ? lists->destination[i] : no_process, .sender = rank, .index = i};
    }
    for (int j = 0; j < transfer.receives; ++j) {
        const int source = lists->source[j];
        transfer.receive[j] = (Part){.peer = source, .sender = source, .index = source == no_process ? j : matching[j]};
        if (source != no_process && is_allgather(operation)) {
            transfer.receive[j].index = 0;
        }
    }
    for (int i = 0; is_allgather(operation) && i < lists->destinations; ++i) {
        if (lists->destination[i] != no_process) {
            transfer.send[0].peer = lists->destination[i];
        }
    }
    uint64_t state = mixed(call->key, 1000000u + (uint64_t)rank);
    make_parts(&transfer, &state, transfer.send, transfer.sends);
    make_parts(&transfer, &state, transfer.receive, transfer.receives);
    place(&transfer, &state);
    if (operation == op_alltoallw) {
        transfer.send_bottom = random_below(&state, 6) == 0;
        transfer.receive_bottom = random_below(&state, 6) == 0;
    }
    return transfer;
}

void free_types(Transfer* transfer)
{
    for (int i = 0; i < transfer->shape_count; ++i) {
        if (!transfer->shapes[i].predefined) {
            MPI_Type_free(&transfer->shapes[i].type);
            transfer->shapes[i].predefined = 1;
        }
    }
}

void free_transfer(Transfer* transfer)
{
    for (int i = 0; i < transfer->shape_count; ++i) {
        free_shape(&transfer->shapes[i]);
    }
    free(transfer->shapes);
    free(transfer->send);
    free(transfer->receive);
}

static void put_data(const Transfer* transfer, const Part* part, unsigned char* arena)
{
    const Shape* shape = part->shape;
    const uint64_t key = mixed(mixed(transfer->call.key, (uint64_t)part->sender + 100), (uint64_t)part->index);
    uint64_t word = 0;
    size_t k = 0;
    for (int element = 0; element < part->count; ++element) {
        unsigned char* at = arena + part->at + element * shape->extent;
        for (size_t i = 0; i < shape->bytes; ++i, ++k) {
            word = k % 8 == 0 ? mixed(key, k) : word >> 8;
            at[shape->displacement[i]] = (unsigned char)word;
        }
    }
}

void fill_before(const Transfer* transfer, unsigned char* arena)
{
    for (size_t i = 0; i < transfer->bytes; ++i) {
        arena[i] = (unsigned char)(0xa5u ^ (i * 7u));
    }
    for (int i = 0; i < transfer->sends; ++i) {
        put_data(transfer, &transfer->send[i], arena);
    }
}

void fill_after(const Transfer* transfer, unsigned char* arena)
{
    fill_before(transfer, arena);
    for (int j = 0; j < transfer->receives; ++j) {
        if (transfer->receive[j].sender != no_process) {
            put_data(transfer, &transfer->receive[j], arena);
        }
    }
}

static int holds(const Part* part, ptrdiff_t byte)
{
    for (int element = 0; element < part->count; ++element) {
        for (size_t i = 0; i < part->shape->bytes; ++i) {
            if (part->at + element * part->shape->extent + part->shape->displacement[i] == byte) {
                return 1;
            }
        }
    }
    return 0;
}

static void tell(const char* what, int number, const Part* part, char* text, size_t size)
{
    snprintf(text, size, "%s %d (block %d of rank %d; %d elements of %zu bytes, extent %td, at %td)", what, number,
             part->index, part->sender, part->count, part->shape->bytes, part->shape->extent, part->at);
}

void locate(const Transfer* transfer, size_t byte, char* text, size_t size)
{
    snprintf(text, size, "outside of all blocks");
    for (int i = 0; i < transfer->sends; ++i) {
        if (holds(&transfer->send[i], (ptrdiff_t)byte)) {
            tell("send block", i, &transfer->send[i], text, size);
        }
    }
    for (int j = 0; j < transfer->receives; ++j) {
        if (holds(&transfer->receive[j], (ptrdiff_t)byte)) {
            tell("slot", j, &transfer->receive[j], text, size);
        }
    }
}
