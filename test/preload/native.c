// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own functions, see native.h.
#define _GNU_SOURCE
#include "native.h"

#include <dlfcn.h>
#include <stdio.h>

// A look-up inside the library does not see what was preloaded before it.
static void* mpi_library(void)
{
    static const char* const names[] = {"libmpich.so.12", "libmpi.so.12", "libmpi.so.40"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        void* library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) {
            return library;
        }
    }
    return NULL;
}

Function native_function(const char* name)
{
    char profiled[80];
    snprintf(profiled, sizeof profiled, "P%s", name);
    void* library = mpi_library();
    Function function = NULL;
    *(void**)&function = library == NULL ? NULL : dlsym(library, profiled);
    return function;
}

Function called_function(const char* name)
{
    Function function;
    *(void**)&function = dlsym(RTLD_DEFAULT, name);
    return function;
}
