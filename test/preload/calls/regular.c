// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares MPI_Neighbor_alltoall and MPI_Neighbor_allgather, byte for byte and gaps included, with the expected result
// and with the MPI library's own functions, found behind any preload.
//
//   regular [key=value ...]            one configuration, see cases.c
//   regular random SEED CASES          CASES random configurations for the number of processes it runs on
//   regular case SEED NUMBER           one of them again
//
// Buffers may lie in the memory of a device (buffers.h).
#include "../../program.h"
#include "../device/buffers.h"
#include "cases.h"
#include "layouts.h"
#include "native.h"
#include "networks.h"
#include "shapes.h"

typedef int (*Exchange)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);

enum { guard = 128 };

typedef struct {
    const Case* test;
    MPI_Comm graph;
    int rank;
    const Lists* lists; // lists of all ranks
    Exchange native[2];
} Run;

static const char* const functions[2] = {"MPI_Neighbor_alltoall", "MPI_Neighbor_allgather"};

// The k-th data byte of block `block` that `sender` sends in call `call`.
static unsigned char data_byte(const Case* test, int call, int function, int sender, int block, size_t k)
{
    uint64_t state = test->pattern.seed + (uint64_t)call * 2 + (uint64_t)function;
    state = state * 1000003u + (uint64_t)sender;
    state = state * 1000003u + (uint64_t)block;
    state = state * 1000003u + k;
    return (unsigned char)next_random(&state);
}

static unsigned char sentinel(size_t position)
{
    return (unsigned char)(0xa5u ^ (position * 7u));
}

static void put_block(const Run* run, int call, int function, int sender, int block, const Layout* layout, int count,
                      unsigned char* at)
{
    size_t k = 0;
    for (int element = 0; element < count; ++element) {
        for (int i = 0; i < layout->bytes; ++i, ++k) {
            at[element * layout->extent + layout->displacement[i]] =
                data_byte(run->test, call, function, sender, block, k);
        }
    }
}

// Reports the first byte that differs between two buffers; 1 if there is one.
static int differs(const Run* run, const char* what, const char* function, int count, const unsigned char* got,
                   const unsigned char* wanted, const unsigned char* relevant, size_t bytes, ptrdiff_t block_bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        if (got[i] != wanted[i] && (relevant == NULL || relevant[i])) {
            const ptrdiff_t inside = (ptrdiff_t)i - guard;
            char text[most_text];
            describe(run->test, text, sizeof text);
            printf(
                "FAILED: rank %d: %s, count %d, differs from %s: byte %td (block %td), got %02x, wanted %02x\n  %s\n",
                run->rank, function, count, what, inside, block_bytes > 0 ? inside / block_bytes : 0, got[i], wanted[i],
                text);
            fflush(stdout);
            return 1;
        }
    }
    return 0;
}

// One call of one function with `units` units per block; returns the number of failed comparisons and counts all.
static int compare_call(const Run* run, int call, int function, int units, int* comparisons)
{
    const Lists* mine = &run->lists[run->rank];
    Layout send;
    Layout receive;
    int send_count;
    int receive_count;
    make_layouts(run->test->layout, &send, &receive, &send_count, &receive_count);
    send_count *= units;
    receive_count *= units;
    const ptrdiff_t send_block = send_count * send.extent;
    const ptrdiff_t receive_block = receive_count * receive.extent;
    const int send_blocks = function == 0 ? mine->destinations : 1;
    const size_t send_bytes = (size_t)send_blocks * (size_t)send_block + 2 * guard;
    const size_t bytes = (size_t)mine->sources * (size_t)receive_block + 2 * guard;

    unsigned char* out = allocate(send_bytes);
    unsigned char* out_before = allocate(send_bytes);
    unsigned char* in = allocate(bytes);
    unsigned char* native = allocate(bytes);
    unsigned char* expected = allocate(bytes);
    unsigned char* relevant = allocate(bytes); // 0 if parallel edges leave the content to the library
    for (size_t i = 0; i < send_bytes; ++i) {
        out[i] = sentinel(i + 3);
    }
    for (int block = 0; block < send_blocks; ++block) {
        put_block(run, call, function, run->rank, block, &send, send_count, out + guard + block * send_block);
    }
    memcpy(out_before, out, send_bytes);
    for (size_t i = 0; i < bytes; ++i) {
        in[i] = native[i] = expected[i] = sentinel(i);
    }
    memset(relevant, 1, bytes);
    int ambiguous = 0;
    for (int slot = 0; slot < mine->sources; ++slot) {
        const int source = mine->source[slot];
        if (source == no_process) {
            continue; // the slot stays as it is
        }
        unsigned char* at = expected + guard + slot * receive_block;
        int parallel;
        int block = matching_destination(&run->lists[source], source, mine, run->rank, slot, &parallel);
        if (function == 1) {
            block = 0;
        } else if (parallel > 1 && !run->test->standard) {
            ambiguous = 1;
            for (int i = 0; i < receive_count * receive.bytes; ++i) {
                const ptrdiff_t element = i / receive.bytes;
                relevant[at - expected + element * receive.extent + receive.displacement[i % receive.bytes]] = 0;
            }
            continue;
        } else {
            ambiguous = ambiguous || parallel > 1;
        }
        put_block(run, call, function, source, block, &receive, receive_count, at);
    }

    Exchange exchange = function == 0 ? MPI_Neighbor_alltoall : MPI_Neighbor_allgather;
    const uint64_t key = run->test->pattern.seed + (uint64_t)(call * 2 + function) * 1000003u + (uint64_t)run->rank;
    const Buffers sent = make_buffers(send_bytes, key);
    const Buffers received = make_buffers(bytes, key);
    put_image(&sent, out);
    put_image(&received, in);
    exchange(sent.send + guard, send_count, send.type, received.receive + guard, receive_count, receive.type,
             run->graph);
    get_send_image(&sent, out);
    get_image(&received, in, in);
    free_buffers(&sent);
    free_buffers(&received);
    int failures =
        differs(run, "the expected result", functions[function], units, in, expected, relevant, bytes, receive_block);
    failures += differs(run, "itself before the call (send buffer)", functions[function], units, out, out_before, NULL,
                        send_bytes, send_block);
    *comparisons += 2;
#ifdef OPEN_MPI // ends the program at MPI_PROC_NULL
    const int works_natively = run->test->pattern.border != border_null;
#else
    const int works_natively = 1;
#endif
    if (works_natively && !(run->test->standard && ambiguous)) {
        run->native[function](out + guard, send_count, send.type, native + guard, receive_count, receive.type,
                              run->graph);
        if (failures == 0) {
            failures += differs(run, "the MPI library's result", functions[function], units, in, native, NULL, bytes,
                                receive_block);
        }
        ++*comparisons;
    }
    free(out);
    free(out_before);
    free(in);
    free(native);
    free(expected);
    free(relevant);
    free_layout(&send);
    free_layout(&receive);
    return failures;
}

// Collective over MPI_COMM_WORLD. Returns the failures of all processes together.
static int run_case(const Case* test, const Exchange* native, int* comparisons)
{
    Network network = {.kind = kind_grid,
                       .seed = test->pattern.seed,
                       .world = test->pattern.size,
                       .size = test->pattern.size,
                       .duplicate = test->duplicate,
                       .pattern = test->pattern};
    fill_lists(&network);
    Run run = {
        .test = test, .graph = create_communicator(&network), .lists = network.lists, .native = {native[0], native[1]}};
    MPI_Comm_rank(run.graph, &run.rank);
    int failures = 0;
    for (int call = 0; call < test->calls; ++call) {
        for (int function = 0; function < 2; ++function) {
            failures += compare_call(&run, call, function, test->counts[call], comparisons);
        }
    }
    MPI_Comm_free(&run.graph);
    free_network(&network);
    const int all = sum_of_all(failures);
    return all;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    Exchange native[2];
    for (int function = 0; function < 2; ++function) {
        native[function] = (Exchange)native_function(functions[function]);
        if (native[function] == NULL) {
            give_up("regular: cannot find the MPI library's own functions");
        }
    }

    int failures = 0;
    int comparisons = 0;
    Case* test = allocate(sizeof *test);
    const int random = argc == 4 && strcmp(argv[1], "random") == 0;
    const int again = argc == 4 && strcmp(argv[1], "case") == 0;
    if (random || again) {
        const uint64_t seed = strtoull(argv[2], NULL, 10);
        const int first = again ? atoi(argv[3]) : 0;
        const int last = again ? first : atoi(argv[3]) - 1;
        if (rank == 0) {
            printf("seed %llu, cases %d to %d\n", (unsigned long long)seed, first, last);
        }
        for (int number = first; number <= last && failures == 0; ++number) {
            memset(test, 0, sizeof *test);
            random_case(seed, number, size, test);
            failures = run_case(test, native, &comparisons);
            if (failures > 0 && rank == 0) {
                printf("again with: regular case %llu %d\n", (unsigned long long)seed, number);
            }
        }
    } else {
        *test = (Case){.layout = 1, .counts = {1, 3, 0, 17}, .calls = 4};
        test->pattern.seed = 1;
        test->pattern.size = size;
        parse_case(argc, argv, size, test);
        failures = run_case(test, native, &comparisons);
    }
    free(test);
    const int all = sum_of_all(comparisons);
    if (rank == 0 && failures == 0) {
        printf("ok %d comparisons\n", all);
    }
    return end_program(failures == 0 ? 0 : 1);
}
