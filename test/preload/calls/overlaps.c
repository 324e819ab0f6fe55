// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that lie in one another: MPI_Neighbor_alltoallw and its other forms compared byte for byte with plain messages
// of the same types. The data of the processes differs in every call.
//
//   overlaps listing PERIODIC N CALLS        in place on an array of (N+2)^2 doubles, the types of rows, columns and
//                                            corners as the 2019 paper has them in its Listing 3
//   overlaps halo D PERIODIC N DEPTH CALLS   in place on an array of (N+2*DEPTH)^D cells of different sizes, all
//                                            neighbors, subarrays
//   overlaps random SEED CASES               any parts of an array, different ones on each process; now and then the
//                                            same ones again
#include "../../program.h"
#include "shapes.h"

#include <stdint.h>

enum { most_dimensions = 3, most_neighbors = 26, forms = 4 };

typedef struct {
    MPI_Comm graph;
    int rank;
    int dimensions;
    int neighbors; // most: on a torus
    int sends;
    int receives;
    int send_offset[most_neighbors]; // index of the offset
    int receive_offset[most_neighbors];
    int destination[most_neighbors];
    int source[most_neighbors];
} Place;

// The blocks of one side of a call.
typedef struct {
    int count[most_neighbors];
    MPI_Aint at[most_neighbors];
    MPI_Datatype type[most_neighbors];
} Side;

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static int below(uint64_t* state, int n)
{
    *state = mixed(*state, 1);
    return (int)(*state % (uint64_t)n);
}

// The shift of offset number i (0 to 3^d - 1) along dimension k: -1, 0 or 1.
static int shift(int dimensions, int offset, int k)
{
    for (int last = dimensions - 1; last > k; --last) {
        offset /= 3;
    }
    return offset % 3 - 1;
}

// All processes around in a grid; block i goes by offset i, so source i is the process at the opposite offset.
static Place make_place(int dimensions, int periodic)
{
    Place place = {.dimensions = dimensions};
    int dims[most_dimensions] = {0};
    int periods[most_dimensions];
    int mine[most_dimensions];
    int offsets = 1;
    for (int k = 0; k < dimensions; ++k) {
        periods[k] = periodic;
        offsets *= 3;
    }
    MPI_Comm grid;
    MPI_Dims_create(size, dimensions, dims);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &place.rank);
    MPI_Cart_coords(grid, place.rank, dimensions, mine);
    for (int offset = 0; offset < offsets; ++offset) {
        for (int way = -1; way <= 1; way += 2) {
            int at[most_dimensions];
            int inside = 1;
            for (int k = 0; k < dimensions; ++k) {
                at[k] = mine[k] + way * shift(dimensions, offset, k);
                inside = inside && (periodic || (at[k] >= 0 && at[k] < dims[k]));
            }
            if (!inside || offset == offsets / 2) {
                continue;
            }
            int peer;
            MPI_Cart_rank(grid, at, &peer);
            if (way > 0) {
                place.send_offset[place.sends] = offset;
                place.destination[place.sends++] = peer;
            } else {
                place.receive_offset[place.receives] = offset;
                place.source[place.receives++] = peer;
            }
        }
    }
    MPI_Dist_graph_create_adjacent(grid, place.receives, place.source, MPI_UNWEIGHTED, place.sends, place.destination,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &place.graph);
    MPI_Comm_free(&grid);
    return place;
}

// One message per block, with the user's own types: the reference for the collective.
static void deliver_plainly(const Place* place, const char* out, const Side* send, char* in, const Side* receive)
{
    MPI_Request requests[2 * most_neighbors];
    for (int j = 0; j < place->receives; ++j) {
        MPI_Irecv(in + receive->at[j], receive->count[j], receive->type[j], place->source[j], 7, place->graph,
                  &requests[j]);
    }
    for (int i = 0; i < place->sends; ++i) {
        MPI_Isend(out + send->at[i], send->count[i], send->type[i], place->destination[i], 7, place->graph,
                  &requests[place->receives + i]);
    }
    MPI_Waitall(place->sends + place->receives, requests, MPI_STATUSES_IGNORE);
}

static void deliver(const Place* place, int form, const char* out, const Side* send, char* in, const Side* receive)
{
    MPI_Request request;
    switch (form) {
#ifndef NO_LARGE_COUNTS
    case 1: {
        MPI_Count send_count[most_neighbors];
        MPI_Count receive_count[most_neighbors];
        for (int i = 0; i < most_neighbors; ++i) {
            send_count[i] = send->count[i];
            receive_count[i] = receive->count[i];
        }
        MPI_Neighbor_alltoallw_c(out, send_count, send->at, send->type, in, receive_count, receive->at, receive->type,
                                 place->graph);
        return;
    }
#endif
    case 2:
        MPI_Ineighbor_alltoallw(out, send->count, send->at, send->type, in, receive->count, receive->at, receive->type,
                                place->graph, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
#ifndef NO_PERSISTENT
    case 3:
        MPI_Neighbor_alltoallw_init(out, send->count, send->at, send->type, in, receive->count, receive->at,
                                    receive->type, place->graph, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        return;
#endif
    default: // and forms that the MPI library lacks
        MPI_Neighbor_alltoallw(out, send->count, send->at, send->type, in, receive->count, receive->at, receive->type,
                               place->graph);
    }
}

static void fill(char* memory, size_t bytes, uint64_t key)
{
    for (size_t i = 0; i < bytes; ++i) {
        memory[i] = (char)mixed(key, i);
    }
}

static int compare(const Place* place, const char* what, int number, const char* got, const char* wanted, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        if (got[i] != wanted[i]) {
            printf("FAILED: %s, number %d, rank %d: byte %zu of %zu is %02x, not %02x\n", what, number, place->rank, i,
                   bytes, got[i] & 255, wanted[i] & 255);
            fflush(stdout);
            return 1;
        }
    }
    return 0;
}

// Calls the collective in place, on an array that plain messages fill the same way beside.
static int exchange_in_place(const Place* place, int form, int calls, size_t bytes, const Side* send,
                             const Side* receive, const char* what)
{
    char* array = allocate(bytes);
    char* beside = allocate(bytes);
    int wrong = 0;
    for (int call = 0; call < calls && !wrong; ++call) {
        fill(array, bytes, mixed((uint64_t)place->rank, (uint64_t)call));
        memcpy(beside, array, bytes);
        deliver(place, form, array, send, array, receive);
        deliver_plainly(place, beside, send, beside, receive);
        wrong = compare(place, what, call, array, beside, bytes);
    }
    free(array);
    free(beside);
    return wrong;
}

static void free_types(Side* side, int count)
{
    for (int i = 0; i < count; ++i) {
        MPI_Type_free(&side->type[i]);
    }
}

static int run_listing(int periodic, int n, int calls)
{
    Place place = make_place(2, periodic);
    const int width = n + 2;
    MPI_Datatype column;
    MPI_Type_vector(n, 1, width, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    Side sides[2] = {0};
    for (int way = 0; way < 2; ++way) {
        for (int i = 0; i < (way == 0 ? place.sends : place.receives); ++i) {
            const int offset = way == 0 ? place.send_offset[i] : place.receive_offset[i];
            const int dx = way == 0 ? shift(2, offset, 0) : -shift(2, offset, 0);
            const int dy = way == 0 ? shift(2, offset, 1) : -shift(2, offset, 1);
            const int border = way == 0 ? n : n + 1; // the last line inside, or that of the halo
            const int row = dx < 0 ? 1 - way : dx > 0 ? border : 1;
            const int column_at = dy < 0 ? 1 - way : dy > 0 ? border : 1;
            sides[way].count[i] = dy == 0 ? n : 1;
            sides[way].type[i] = dx == 0 ? column : MPI_DOUBLE;
            sides[way].at[i] = (MPI_Aint)((row * width + column_at) * (int)sizeof(double));
        }
    }
    const int wrong = exchange_in_place(&place, 0, calls, (size_t)width * (size_t)width * sizeof(double), &sides[0],
                                        &sides[1], "listing");
    MPI_Type_free(&column);
    MPI_Comm_free(&place.graph);
    return wrong;
}

static MPI_Datatype halo_part(int dimensions, int offset, int n, int depth, int receives, MPI_Datatype cell)
{
    int sizes[most_dimensions];
    int parts[most_dimensions];
    int starts[most_dimensions];
    for (int k = 0; k < dimensions; ++k) {
        const int side = receives ? -shift(dimensions, offset, k) : shift(dimensions, offset, k);
        sizes[k] = n + 2 * depth;
        parts[k] = side == 0 ? n : depth;
        starts[k] = side == 0 ? depth : side < 0 ? (receives ? 0 : depth) : (receives ? n + depth : n);
    }
    MPI_Datatype type;
    MPI_Type_create_subarray(dimensions, sizes, parts, starts, MPI_ORDER_C, cell, &type);
    MPI_Type_commit(&type);
    return type;
}

static int run_halo(int dimensions, int periodic, int n, int depth, int calls)
{
    const MPI_Datatype cells[] = {MPI_DOUBLE, MPI_INT, MPI_CHAR, MPI_C_DOUBLE_COMPLEX};
    Place place = make_place(dimensions, periodic);
    int wrong = 0;
    for (int form = 0; form < forms; ++form) {
        const MPI_Datatype cell = cells[form];
        Side send = {0};
        Side receive = {0};
        for (int i = 0; i < place.sends; ++i) {
            send.count[i] = 1;
            send.type[i] = halo_part(dimensions, place.send_offset[i], n, depth, 0, cell);
        }
        for (int j = 0; j < place.receives; ++j) {
            receive.count[j] = 1;
            receive.type[j] = halo_part(dimensions, place.receive_offset[j], n, depth, 1, cell);
        }
        int cell_bytes;
        MPI_Type_size(cell, &cell_bytes);
        size_t bytes = (size_t)cell_bytes;
        for (int k = 0; k < dimensions; ++k) {
            bytes *= (size_t)(n + 2 * depth);
        }
        wrong += exchange_in_place(&place, form, calls, bytes, &send, &receive, "halo");
        free_types(&send, place.sends);
        free_types(&receive, place.receives);
    }
    MPI_Comm_free(&place.graph);
    return wrong;
}

// A random part of an array of `bytes` bytes: pieces in any order, at one distance or not, or a run; or nothing. Their
// length depends on `size_key` alone. `dense`: parts that most probably overlap.
static MPI_Datatype random_part(uint64_t size_key, uint64_t place_key, int bytes, int dense, int* length_of_all)
{
    uint64_t state = size_key;
    const int kind = dense ? 1 + 3 * below(&state, 2) : below(&state, 8);
    const int pieces = kind == 0 ? 0 : kind < 4 ? 1 : 1 + below(&state, 12);
    const int length = 1 + below(&state, kind == 1 ? bytes / 2 : bytes / 16);
    int lengths[16];
    int at[16];
    *length_of_all = 0;
    for (int i = 0; i < pieces; ++i) {
        lengths[i] = kind == 7 ? 1 + below(&state, bytes / 16) : length;
        *length_of_all += lengths[i];
    }
    state = place_key;
    const int stride = below(&state, 2) ? length : below(&state, 3 * length);
    const int start = below(&state, bytes);
    for (int i = 0; i < pieces; ++i) {
        at[i] = kind < 6 ? (start + i * stride) % (bytes - length) : below(&state, bytes - bytes / 16);
    }
    MPI_Datatype type;
    MPI_Type_indexed(pieces, lengths, at, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

// The blocks of a process: parts of its array are sent, received blocks lie one behind another with gaps.
typedef struct {
    Side send;
    Side receive;
    MPI_Aint received;
} Arrangement;

// Things that the arrangements of a case have in common; from sizes on, each process may take any of them. With types
// in common, only some blocks lie elsewhere.
enum Common { nothing, sizes, types, commons };

static Arrangement random_arrangement(const Place* place, uint64_t size_key, uint64_t place_key, int bytes, int dense)
{
    Arrangement made = {0};
    for (int i = 0; i < place->sends; ++i) {
        const uint64_t block = (uint64_t)(place->rank * 27 + place->send_offset[i]);
        int length;
        made.send.count[i] = 1;
        made.send.type[i] = random_part(mixed(size_key, block), mixed(place_key, block), bytes, dense, &length);
    }
    for (int j = 0; j < place->receives; ++j) {
        const uint64_t block = (uint64_t)(place->source[j] * 27 + place->receive_offset[j]);
        MPI_Datatype part = random_part(mixed(size_key, block), 0, bytes, dense, &made.receive.count[j]);
        MPI_Type_free(&part);
        made.receive.type[j] = MPI_BYTE;
        made.receive.at[j] = made.received;
        made.received += made.receive.count[j] + 3;
    }
    return made;
}

static int run_random_case(uint64_t seed, int number)
{
    enum { most_arrangements = 3 };
    uint64_t common = mixed(seed, (uint64_t)number);
    const int dimensions = 1 + below(&common, 3);
    const int periodic = below(&common, 2);
    const int bytes = 40 + below(&common, below(&common, 2) ? 300 : 6000);
    const int calls = 1 + below(&common, 8);
    const int arrangements = 1 + below(&common, most_arrangements);
    const int dense = below(&common, 2);
    const enum Common in_common = (enum Common)below(&common, commons);
    Place place = make_place(dimensions, periodic);
    Arrangement made[most_arrangements];
    for (int i = 0; i < arrangements; ++i) {
        if (in_common == types && i > 0) {
            made[i] = made[0];
        } else {
            const uint64_t place_key = mixed(common, (uint64_t)i);
            made[i] = random_arrangement(&place, in_common == nothing ? place_key : common, place_key, bytes, dense);
        }
        uint64_t state = mixed(common, (uint64_t)(100 * i + place.rank));
        for (int k = 0; k < place.sends && in_common == types; ++k) {
            const int moved = i == 0 || below(&state, 4) == 0;
            made[i].send.at[k] = moved ? below(&state, bytes) : made[0].send.at[k];
        }
    }
    uint64_t own = mixed(common, (uint64_t)place.rank);
    int wrong = 0;
    for (int call = 0; call < calls && !wrong; ++call) {
        const int chosen = below(&common, arrangements);
        const Arrangement* now = &made[in_common == nothing ? chosen : below(&own, arrangements)];
        char* out = allocate((size_t)(2 * bytes));
        char* in = allocate((size_t)now->received);
        char* beside = allocate((size_t)now->received);
        fill(out, (size_t)(2 * bytes), mixed(common, (uint64_t)place.rank));
        deliver(&place, below(&common, forms), out, &now->send, in, &now->receive);
        deliver_plainly(&place, out, &now->send, beside, &now->receive);
        wrong = compare(&place, "random case", number, in, beside, (size_t)now->received);
        free(out);
        free(in);
        free(beside);
    }
    for (int i = 0; i < (in_common == types ? 1 : arrangements); ++i) {
        free_types(&made[i].send, place.sends);
    }
    MPI_Comm_free(&place.graph);
    return wrong;
}

static int run_random(uint64_t seed, int cases)
{
    int wrong = 0;
    for (int number = 0; number < cases && !wrong; ++number) {
        const int mine = run_random_case(seed, number);
        MPI_Allreduce(&mine, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* const mode = argc > 1 ? argv[1] : "";
    int numbers[5] = {0};
    for (int i = 2; i < argc && i < 7; ++i) {
        numbers[i - 2] = atoi(argv[i]);
    }
    int wrong = 1;
    if (strcmp(mode, "listing") == 0 && argc == 5) {
        wrong = run_listing(numbers[0], numbers[1], numbers[2]);
    } else if (strcmp(mode, "halo") == 0 && argc == 7) {
        wrong = run_halo(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    } else if (strcmp(mode, "random") == 0 && argc == 4) {
        wrong = run_random((uint64_t)numbers[0], numbers[1]);
    } else {
        fprintf(stderr, "usage: overlaps listing|halo|random ..., see the source\n");
    }
    char name[64];
    snprintf(name, sizeof name, "overlaps %s", mode);
    return conclude(name, wrong);
}
