// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One configuration of the comparing program: read from the command line, drawn at random, or written out again.
#ifndef CASES_H
#define CASES_H

#include "lists.h"

#include <stddef.h>

enum { most_counts = 8 };

typedef struct {
    Pattern pattern;
    int layout;
    int counts[most_counts];
    int calls;
    int duplicate;
    int standard; // parallel edges match in order, and the library's own function may differ
} Case;

// Reads `key=value` words into a case with the defaults; ends the program on an error.
void parse_case(int argc, char** argv, int size, Case* test);

// The case number `number` of a seed, for `size` processes: equal on all of them. The case must be all zero.
void random_case(uint64_t seed, int number, int size, Case* test);

// The case in the words of the command line.
void describe(const Case* test, char* text, size_t size);

#endif
