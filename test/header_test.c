// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The public headers alone, with every warning on: compiled as C and as C++, and linked with nothing but the library.
#include <hopscotch.h>

#ifdef HEADER_TEST_2020
#include <hopscotch/mpiortholib.h>
#else
#include <hopscotch/tuwcartesians.h>
#endif
#include <hopscotch/mpi2_topological.h>
#ifdef __cplusplus
#include <hopscotch.hpp>
#endif

#include <stdio.h>
#include <string.h>

int main(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", HOPSCOTCH_VERSION_MAJOR, HOPSCOTCH_VERSION_MINOR,
             HOPSCOTCH_VERSION_PATCH);
    if (strcmp(version, Hop_version()) != 0) {
        printf("the header is of version %s, the library of %s\n", version, Hop_version());
        return 1;
    }
    return 0;
}
