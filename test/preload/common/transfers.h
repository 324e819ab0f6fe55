// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One call of a neighborhood collective with random blocks: sizes, datatypes, places in memory, data before and after.
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include "native.h"
#include "networks.h"
#include "shapes.h"

enum Operation { op_alltoall, op_alltoallv, op_alltoallw, op_allgather, op_allgatherv, operations };

// Number of a function: its operation, plus `operations` for the form with large counts.
enum { functions = 2 * operations };

// Properties of a call that all processes know.
typedef struct {
    const Network* network;
    int function;
    uint64_t key; // distinct for every call
    int unit;
    int multiple;      // the units of every block are a multiple of it, v forms
    int sizes;         // kind of block sizes
    int regular_units; // units of every block, regular forms
} Call;

// One block of this process: `count` elements at byte `at` of the arena. It holds the data that `sender` has for its
// destination number `index`.
typedef struct {
    const Shape* shape;
    int count;
    ptrdiff_t at;
    int peer;   // no_process: MPI_PROC_NULL
    int sender; // no_process: none
    int index;
} Part;

// All memory of a call is one arena: both buffers, the gaps, and guard zones.
typedef struct {
    Call call;
    int sends;
    int receives;
    Part* send;
    Part* receive;
    Shape* shapes;
    int shape_count;
    ptrdiff_t send_base; // address for the buffer arguments
    ptrdiff_t receive_base;
    int send_bottom; // the buffer argument is MPI_BOTTOM
    int receive_bottom;
    size_t bytes;
} Transfer;

const char* function_name(int function);

Call random_call(const Network* network, int function, uint64_t key, int largest_degree);

// The blocks of `rank` in memory. matching[j]: the destination of source j with data that ends in slot j.
Transfer make_transfer(const Call* call, int rank, const int* matching);
void free_transfer(Transfer* transfer);
void free_types(Transfer* transfer); // the types are the library's from here on

// Fills the arena with its content before the call, or after it.
void fill_before(const Transfer* transfer, unsigned char* arena);
void fill_after(const Transfer* transfer, unsigned char* arena);

// The block of a byte of the arena, in words.
void locate(const Transfer* transfer, size_t byte, char* text, size_t size);

#endif
