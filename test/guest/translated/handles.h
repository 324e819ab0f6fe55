// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The part of an mpi.h with pointers for handles that translated.c uses: all handles are of one type here.
#ifndef HOPSCOTCH_TEST_HANDLES_H
#define HOPSCOTCH_TEST_HANDLES_H

typedef struct Object* Handle;

typedef struct {
    int source, tag, error;
    int unused[5];
} Status;

extern struct Object translated_world;
extern struct Object translated_null;
extern struct Object translated_int;
extern struct Object translated_sum;
extern struct Object translated_no_info;

#endif
