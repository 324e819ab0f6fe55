// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Configurations of the comparing program, see cases.h.
#define _GNU_SOURCE
#include "cases.h"

#include "layouts.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const orders[] = {"paper", "same", "sources", "random"};
static const char* const parents[] = {"cart", "world", "split", "shuffled"};
static const char* const borders[] = {"drop", "null"};

static void usage(void)
{
    fputs("usage: regular [random SEED CASES | case SEED NUMBER | key=value ...]\n"
          "  dims=3x3 periods=1x1   process grid (default: MPI_Dims_create in 2 dimensions, periodic)\n"
          "  stencil=moore:1        moore:R, star:R, box:N:FIRST, list:1,0;0,-1;...\n"
          "  self=0|1               the process itself as the last neighbor, too\n"
          "  order=paper|same|sources|random        order of the neighbor lists\n"
          "  parent=cart|world|split|shuffled       what the ranks are ranks of\n"
          "  border=drop|null       neighbors outside of a mesh are left out, or MPI_PROC_NULL\n"
          "  type=int               byte int double vector resized negative struct gathered scattered\n"
          "  counts=1,3,0           one pair of calls for each\n"
          "  missing=5              of 100 edges so many are left out\n"
          "  extra=1                edges between any processes\n"
          "  duplicate=0|1          use a duplicate of the communicator\n"
          "  parallel=library|standard              what parallel edges are compared with\n"
          "  seed=1                 of the random orders\n",
          stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

void describe(const Case* test, char* text, size_t size)
{
    const Pattern* pattern = &test->pattern;
    size_t used = (size_t)snprintf(text, size, "dims=");
    for (int k = 0; k < pattern->dimensions; ++k) {
        used += (size_t)snprintf(text + used, size - used, "%s%d", k > 0 ? "x" : "", pattern->dims[k]);
    }
    used += (size_t)snprintf(text + used, size - used, " periods=");
    for (int k = 0; k < pattern->dimensions; ++k) {
        used += (size_t)snprintf(text + used, size - used, "%s%d", k > 0 ? "x" : "", pattern->periods[k]);
    }
    used += (size_t)snprintf(
        text + used, size - used,
        " 'stencil=%.3000s' order=%s parent=%s border=%s missing=%d extra=%d type=%s duplicate=%d seed=%llu counts=",
        pattern->stencil, orders[pattern->order], parents[pattern->parent], borders[pattern->border], pattern->missing,
        pattern->extra, layout_name(test->layout), test->duplicate, (unsigned long long)pattern->seed);
    for (int i = 0; i < test->calls; ++i) {
        used += (size_t)snprintf(text + used, size - used, "%s%d", i > 0 ? "," : "", test->counts[i]);
    }
}

static int index_of(const char* value, const char* const* names, int count)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(value, names[i]) == 0) {
            return i;
        }
    }
    usage();
    return 0;
}

static int parse_numbers(const char* text, const char* separator, int* numbers, int most)
{
    int count = 0;
    char* copy = strdup(text);
    for (char* word = strtok(copy, separator); word != NULL && count < most; word = strtok(NULL, separator)) {
        numbers[count++] = atoi(word);
    }
    free(copy);
    return count;
}

void parse_case(int argc, char** argv, int size, Case* test)
{
    Pattern* pattern = &test->pattern;
    const char* stencil = "moore:1";
    int self = 0;
    for (int k = 0; k < most_dimensions; ++k) {
        pattern->periods[k] = 1;
    }
    for (int i = 1; i < argc; ++i) {
        const char* value = strchr(argv[i], '=');
        char key[16] = "";
        if (value == NULL || value - argv[i] >= (ptrdiff_t)sizeof key) {
            usage();
            return;
        }
        memcpy(key, argv[i], (size_t)(value - argv[i]));
        ++value;
        if (strcmp(key, "dims") == 0) {
            pattern->dimensions = parse_numbers(value, "x", pattern->dims, most_dimensions);
        } else if (strcmp(key, "periods") == 0) {
            parse_numbers(value, "x", pattern->periods, most_dimensions);
        } else if (strcmp(key, "stencil") == 0) {
            stencil = value;
        } else if (strcmp(key, "self") == 0) {
            self = atoi(value);
        } else if (strcmp(key, "order") == 0) {
            pattern->order = (enum Order)index_of(value, orders, 4);
        } else if (strcmp(key, "parent") == 0) {
            pattern->parent = (enum Parent)index_of(value, parents, 4);
        } else if (strcmp(key, "border") == 0) {
            pattern->border = (enum Border)index_of(value, borders, 2);
        } else if (strcmp(key, "type") == 0) {
            test->layout = 0;
            while (layout_name(test->layout) != NULL && strcmp(layout_name(test->layout), value) != 0) {
                ++test->layout;
            }
            if (layout_name(test->layout) == NULL) {
                usage();
            }
        } else if (strcmp(key, "counts") == 0) {
            test->calls = parse_numbers(value, ",", test->counts, most_counts);
        } else if (strcmp(key, "missing") == 0) {
            pattern->missing = atoi(value);
        } else if (strcmp(key, "extra") == 0) {
            pattern->extra = atoi(value);
        } else if (strcmp(key, "duplicate") == 0) {
            test->duplicate = atoi(value);
        } else if (strcmp(key, "parallel") == 0) {
            test->standard = strcmp(value, "standard") == 0;
        } else if (strcmp(key, "seed") == 0) {
            pattern->seed = strtoull(value, NULL, 10);
        } else {
            usage();
        }
    }
    if (pattern->dimensions == 0) {
        pattern->dimensions = 2;
        MPI_Dims_create(size, 2, pattern->dims);
    }
    if (!parse_stencil(pattern, stencil)) {
        usage();
    }
    if (self) {
        const int zero[most_dimensions] = {0};
        add_offset(pattern, zero);
    }
}

// A random ordered factorization of `size`, ones included.
static void random_grid(uint64_t* state, int size, Pattern* pattern)
{
    pattern->dimensions = 1 + random_below(state, 4);
    for (int k = 0; k < pattern->dimensions; ++k) {
        pattern->periods[k] = random_below(state, 4) > 0;
    }
    random_dims(state, size, pattern);
}

static void random_stencil(uint64_t* state, Pattern* pattern)
{
    const int reach = 1 + random_below(state, 2);
    const int count = random_below(state, 12) == 0 ? 0 : 1 + random_below(state, 14);
    char* text = pattern->stencil;
    size_t used = (size_t)snprintf(text, most_text, "list:");
    for (int i = 0; i < count; ++i) {
        int offset[most_dimensions] = {0};
        if (i > 0 && random_below(state, 6) == 0) {
            memcpy(offset, pattern->offsets[random_below(state, i)], sizeof offset); // a repeat
        } else {
            for (int k = 0; k < pattern->dimensions; ++k) {
                offset[k] = random_below(state, 2 * reach + 1) - reach;
            }
        }
        add_offset(pattern, offset);
        for (int k = 0; k < pattern->dimensions; ++k) {
            used += (size_t)snprintf(text + used, most_text - used, "%d%s", offset[k],
                                     k + 1 < pattern->dimensions ? "," : ";");
        }
    }
}

void random_case(uint64_t seed, int number, int size, Case* test)
{
    static const int counts[] = {0, 1, 1, 2, 3, 7, 40, 600};
    static const char* const stencils[] = {"moore:1", "star:1", "star:2", "box:3:-1", "box:2:0"};
    uint64_t state = seed * 1000003u + (uint64_t)number;
    Pattern* pattern = &test->pattern;
    pattern->seed = next_random(&state) % 1000000u;
    pattern->size = size;
    random_grid(&state, size, pattern);
    if (random_below(&state, 3) == 0) {
        parse_stencil(pattern, stencils[random_below(&state, pattern->dimensions < 4 ? 5 : 3)]);
    } else {
        random_stencil(&state, pattern);
    }
    pattern->order = (enum Order)random_below(&state, 4);
    pattern->parent = (enum Parent)random_below(&state, 4);
    pattern->border = (enum Border)random_below(&state, 2);
#ifdef OPEN_MPI // its blocking calls end the program at MPI_PROC_NULL
    pattern->border = border_drop;
#endif
    test->layout = random_below(&state, layout_kinds);
    test->duplicate = random_below(&state, 4) == 0;
    test->calls = 1 + random_below(&state, 3);
    for (int i = 0; i < test->calls; ++i) {
        test->counts[i] = counts[random_below(&state, 8)];
    }
    if (random_below(&state, 3) == 0) {
        pattern->missing = 1 + random_below(&state, 30);
        pattern->extra = random_below(&state, 4);
    }
}
