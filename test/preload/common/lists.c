// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists of any process of a grid, see lists.h.
#include "lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t next_random(uint64_t* state)
{
    *state += 0x9e3779b97f4a7c15u; // splitmix64
    uint64_t value = *state;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

int random_below(uint64_t* state, int bound)
{
    return (int)(next_random(state) % (uint64_t)bound);
}

void shuffle(uint64_t* state, int* values, int count)
{
    for (int i = count - 1; i > 0; --i) {
        const int j = random_below(state, i + 1);
        const int value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}

void add_offset(Pattern* pattern, const int* offset)
{
    if (pattern->neighbors == most_offsets) {
        fputs("too many offsets\n", stderr);
        exit(2);
    }
    memcpy(pattern->offsets[pattern->neighbors++], offset, sizeof pattern->offsets[0]);
}

// All offsets with every shift in first .. first + n - 1, lexicographic; without the zero offset if told so.
static void add_product(Pattern* pattern, int n, int first, int with_zero)
{
    int count = 1;
    for (int k = 0; k < pattern->dimensions; ++k) {
        count *= n;
    }
    for (int point = 0; point < count; ++point) {
        int offset[most_dimensions] = {0};
        int rest = point;
        int zero = 1;
        for (int k = pattern->dimensions - 1; k >= 0; --k, rest /= n) {
            offset[k] = first + rest % n;
            zero = zero && offset[k] == 0;
        }
        if (!zero || with_zero) {
            add_offset(pattern, offset);
        }
    }
}

static int parse_list(Pattern* pattern, const char* text)
{
    while (*text != '\0') {
        int offset[most_dimensions] = {0};
        for (int k = 0; k < pattern->dimensions; ++k) {
            char* end;
            offset[k] = (int)strtol(text, &end, 10);
            const char expected = k + 1 < pattern->dimensions ? ',' : ';';
            if (end == text || (*end != expected && *end != '\0')) {
                return 0;
            }
            text = *end == '\0' ? end : end + 1;
        }
        add_offset(pattern, offset);
    }
    return 1;
}

int parse_stencil(Pattern* pattern, const char* text)
{
    pattern->neighbors = 0;
    snprintf(pattern->stencil, sizeof pattern->stencil, "%s", text);
    int n;
    int first;
    if (sscanf(text, "moore:%d", &n) == 1) {
        add_product(pattern, 2 * n + 1, -n, 0);
    } else if (sscanf(text, "box:%d:%d", &n, &first) == 2) {
        add_product(pattern, n, first, 1);
    } else if (sscanf(text, "star:%d", &n) == 1) {
        for (int k = 0; k < pattern->dimensions; ++k) {
            for (int shift = -n; shift <= n; ++shift) {
                int offset[most_dimensions] = {0};
                offset[k] = shift;
                if (shift != 0) {
                    add_offset(pattern, offset);
                }
            }
        }
    } else if (strncmp(text, "list:", 5) == 0) {
        return parse_list(pattern, text + 5);
    } else {
        return 0;
    }
    return 1;
}

const char* text_behind(int words, char** word, const char* name)
{
    const char* value = NULL;
    for (int i = 0; i < words; ++i) {
        if (strncmp(word[i], name, strlen(name)) == 0) {
            value = word[i] + strlen(name);
        }
    }
    return value;
}

int parse_numbers(const char* text, const char* separator, int* numbers, int most)
{
    int count = 0;
    for (const char* at = text; at != NULL && count < most; at = strpbrk(at, separator)) {
        at += count > 0;
        numbers[count++] = atoi(at);
    }
    return count;
}

// The number of the name in a list of names; 0 if there is no name, -1 if it is not in the list.
static int number_of(const char* name, const char* const* names, int count)
{
    int found = name == NULL ? 0 : -1;
    for (int i = 0; name != NULL && i < count; ++i) {
        found = strcmp(name, names[i]) == 0 ? i : found;
    }
    return found;
}

static int number_in(int words, char** word, const char* name)
{
    const char* const value = text_behind(words, word, name);
    return value == NULL ? 0 : atoi(value);
}

static int all_known(int words, char** word)
{
    static const char* const names[] = {"dims=",   "periods=", "stencil=", "self=",      "order=", "parent=",
                                        "border=", "missing=", "extra=",   "duplicate=", "counts="};
    int known = 0;
    for (int i = 0; i < words; ++i) {
        for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
            known += strncmp(word[i], names[k], strlen(names[k])) == 0;
        }
    }
    return known == words;
}

int parse_pattern(int words, char** word, int size, Pattern* pattern)
{
    static const char* const orders[] = {"paper", "same", "sources", "random"};
    static const char* const parents[] = {"cart", "world", "split", "shuffled"};
    static const char* const borders[] = {"drop", "null"};
    const int zero[most_dimensions] = {0};
    const char* const stencil = text_behind(words, word, "stencil=");
    const char* const periods = text_behind(words, word, "periods=");
    const int order = number_of(text_behind(words, word, "order="), orders, 4);
    const int parent = number_of(text_behind(words, word, "parent="), parents, 4);
    const int border = number_of(text_behind(words, word, "border="), borders, 2);
    pattern->size = size;
    pattern->dimensions = parse_numbers(text_behind(words, word, "dims="), "x", pattern->dims, most_dimensions);
    for (int k = 0; k < most_dimensions; ++k) {
        pattern->periods[k] = 1;
    }
    parse_numbers(periods, "x", pattern->periods, most_dimensions);
    if (!all_known(words, word) || order < 0 || parent < 0 || border < 0 || pattern->dimensions == 0 ||
        !parse_stencil(pattern, stencil == NULL ? "moore:1" : stencil)) {
        return 0;
    }
    if (number_in(words, word, "self=")) {
        add_offset(pattern, zero);
    }
    pattern->order = (enum Order)order;
    pattern->parent = (enum Parent)parent;
    pattern->border = (enum Border)border;
    pattern->missing = number_in(words, word, "missing=");
    pattern->extra = number_in(words, word, "extra=");
    pattern->seed = 1;
    return 1;
}

// The grid position of a rank, and the rank of a position. With parent_shuffled both go through one permutation of all
// ranks.
static int place(const Pattern* pattern, int index, int inverse)
{
    if (pattern->parent != parent_shuffled) {
        return index;
    }
    int* permutation = malloc((size_t)pattern->size * sizeof *permutation);
    if (permutation == NULL) {
        exit(2);
    }
    for (int i = 0; i < pattern->size; ++i) {
        permutation[i] = i;
    }
    uint64_t state = pattern->seed ^ 0x5cafu;
    shuffle(&state, permutation, pattern->size);
    int result = permutation[index];
    if (inverse) {
        result = 0;
        while (permutation[result] != index) {
            ++result;
        }
    }
    free(permutation);
    return result;
}

int neighbor_of(const Pattern* pattern, int rank, const int* offset, int sign)
{
    int rest = place(pattern, rank, 1);
    int coordinates[most_dimensions];
    for (int k = pattern->dimensions - 1; k >= 0; --k) {
        coordinates[k] = rest % pattern->dims[k];
        rest /= pattern->dims[k];
    }
    int position = 0;
    for (int k = 0; k < pattern->dimensions; ++k) {
        int coordinate = coordinates[k] + sign * offset[k];
        if (pattern->periods[k]) {
            coordinate = (coordinate % pattern->dims[k] + pattern->dims[k]) % pattern->dims[k];
        } else if (coordinate < 0 || coordinate >= pattern->dims[k]) {
            return no_process;
        }
        position = position * pattern->dims[k] + coordinate;
    }
    return place(pattern, position, 0);
}

static int is_missing(const Pattern* pattern, int from, int number)
{
    uint64_t state = (pattern->seed * 7919u + (uint64_t)from) * 65537u + (uint64_t)number;
    return pattern->missing > 0 && from != no_process && random_below(&state, 100) < pattern->missing;
}

static void add_extra_edges(const Pattern* pattern, int rank, Lists* lists)
{
    uint64_t state = pattern->seed ^ 0xed6eu;
    for (int i = 0; i < pattern->extra; ++i) {
        const int from = random_below(&state, pattern->size);
        const int to = random_below(&state, pattern->size);
        if (from == rank) {
            lists->destination[lists->destinations++] = to;
        }
        if (to == rank) {
            lists->source[lists->sources++] = from;
        }
    }
}

void neighbor_lists(const Pattern* pattern, int rank, Lists* lists)
{
    lists->sources = 0;
    lists->destinations = 0;
    for (int i = 0; i < pattern->neighbors; ++i) {
        const int source_offset = pattern->order == order_same ? pattern->neighbors - 1 - i : i;
        const int destination = neighbor_of(pattern, rank, pattern->offsets[i], 1);
        const int source = neighbor_of(pattern, rank, pattern->offsets[source_offset], -1);
        if ((destination != no_process || pattern->border == border_null) && !is_missing(pattern, rank, i)) {
            lists->destination[lists->destinations++] = destination;
        }
        if ((source != no_process || pattern->border == border_null) && !is_missing(pattern, source, source_offset)) {
            lists->source[lists->sources++] = source;
        }
    }
    add_extra_edges(pattern, rank, lists);
    uint64_t state = pattern->seed * 1000003u + (uint64_t)rank;
    if (pattern->order == order_sources || pattern->order == order_random) {
        shuffle(&state, lists->source, lists->sources);
    }
    if (pattern->order == order_random) {
        shuffle(&state, lists->destination, lists->destinations);
    }
}

int matching_destination(const Lists* sender, int sender_rank, const Lists* receiver, int receiver_rank, int slot,
                         int* parallel)
{
    int k = 0; // number of earlier edges of the receiver from the same sender
    for (int j = 0; j < slot; ++j) {
        k += receiver->source[j] == sender_rank;
    }
    int found = -1;
    *parallel = 0;
    for (int i = 0; i < sender->destinations; ++i) {
        if (sender->destination[i] == receiver_rank) {
            if (*parallel == k) {
                found = i;
            }
            ++*parallel;
        }
    }
    return found;
}

void random_dims(uint64_t* state, int size, Pattern* pattern)
{
    for (int k = 0; k < pattern->dimensions; ++k) {
        pattern->dims[k] = 1;
    }
    for (int rest = size, factor = 2; rest > 1;) {
        if (rest % factor == 0) {
            pattern->dims[random_below(state, pattern->dimensions)] *= factor;
            rest /= factor;
        } else {
            ++factor;
        }
    }
}
