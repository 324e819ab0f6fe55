/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   What the programs share whose advice is tested: a process grid of their own, without a Cartesian communicator. */
#ifndef HOPSCOTCH_TEST_ADVISE_COMMON_H
#define HOPSCOTCH_TEST_ADVISE_COMMON_H
#include "../program.h"

enum { most_block = 256 };

static double field[2][32][most_block]; /* what is sent, what arrives */

/* The rank at an offset on a grid with the last dimension fastest; MPI_PROC_NULL beyond a border. */
static inline int at(int d, const int* dims, const int* periods, const int* offset)
{
    int coordinates[4];
    int rest = rank;
    for (int k = d - 1; k >= 0; --k) {
        coordinates[k] = rest % dims[k] + offset[k];
        rest /= dims[k];
    }
    int result = 0;
    for (int k = 0; k < d; ++k) {
        if ((coordinates[k] < 0 || coordinates[k] >= dims[k]) && !periods[k]) {
            return MPI_PROC_NULL;
        }
        result = result * dims[k] + (coordinates[k] + dims[k]) % dims[k];
    }
    return result;
}

/* Some work between exchanges. */
static inline void compute(void)
{
    for (int i = 0; i < 32; ++i) {
        for (int j = 0; j < most_block; ++j) {
            field[0][i][j] = 0.5 * field[0][i][j] + 0.25 * field[1][i][j] + rank;
        }
    }
}
#endif
