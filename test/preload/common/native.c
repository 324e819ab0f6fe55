// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own functions, see native.h.
#define _GNU_SOURCE
#include "native.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

// One of the loaded objects: a handle of it if the MPI library is behind it, under any name.
static int try_object(struct dl_phdr_info* info, size_t size, void* found)
{
    (void)size;
    if (strstr(info->dlpi_name, "libmp") == NULL && strstr(info->dlpi_name, "libpmpi") == NULL) {
        return 0;
    }
    void* library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL || dlsym(library, "PMPI_Init") == NULL) {
        return 0;
    }
    *(void**)found = library;
    return 1;
}

// A look-up inside the library does not see objects preloaded before it.
static void* mpi_library(void)
{
    static void* library = NULL;
    if (library == NULL) {
        dl_iterate_phdr(try_object, &library);
    }
    return library;
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
