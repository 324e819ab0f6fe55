// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// For libraries behind the shim: the next functions of a name, the caller, and functions of MPI by both names.
#ifndef HOPSCOTCH_TEST_BEHIND_H
#define HOPSCOTCH_TEST_BEHIND_H

#include <dlfcn.h>
#include <string.h>

static inline void* behind(const char* name)
{
    return dlsym(RTLD_NEXT, name);
}

static inline int is_of_shim(void* address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "libhopscotch") != NULL;
}

#define FIND(function, name)                                                                                           \
    if ((function) == NULL) {                                                                                          \
        *(void**)&(function) = behind(name);                                                                           \
    }

// A function of MPI, by both names: else this library is taken for a tool of the program. `body` calls next.
#define MPI_FUNCTION(name, parameters, arguments, body)                                                                \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        return PMPI_##name arguments;                                                                                  \
    }                                                                                                                  \
    int PMPI_##name parameters                                                                                         \
    {                                                                                                                  \
        static int(*next) parameters;                                                                                  \
        FIND(next, "PMPI_" #name)                                                                                      \
        body                                                                                                           \
    }

#endif
