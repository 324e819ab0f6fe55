// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that is not linked to MPI: opens the MPI library, or a plugin linked to it, only at its first use.
//
//   opened library local|global|deep [keep]   calls functions of the library through its handle; keep: never finalizes
//   opened plugin local|global|deep [close]   calls a function of the plugin; close: and closes it
//   opened unused local                       opens the library, calls nothing
#include "opening.h"

#include <libgen.h>
#include <limits.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#ifdef OPEN_MPI
static const char library_name[] = "libmpi.so.40";
#else
static const char library_name[] = "libmpich.so.12";
#endif

static int flags_of(const char* mode)
{
    if (strcmp(mode, "global") == 0)
        return RTLD_LAZY | RTLD_GLOBAL;
    return RTLD_LAZY | RTLD_LOCAL | (strcmp(mode, "deep") == 0 ? RTLD_DEEPBIND : 0);
}

static void use_library(const char* mode, int keep)
{
    void* const handle = open_or_end(library_name, flags_of(mode));
    int initialized = -1;
    ((int (*)(int*, char***))found(handle, "MPI_Init"))(NULL, NULL);
    ((int (*)(int*))found(handle, "MPI_Initialized"))(&initialized);
    printf("initialized %d\n", initialized);
    if (!keep)
        ((int (*)(void))found(handle, "MPI_Finalize"))();
}

static void use_plugin(const char* program, const char* mode, int close)
{
    char path[PATH_MAX + 40];
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", program);
    snprintf(path, sizeof path, "%s/libopened_plugin.so", dirname(copy));
    void* const handle = open_or_end(path, flags_of(mode));
    found(handle, "plugin_run")();
    if (close)
        dlclose(handle);
}

int main(int argc, char** argv)
{
    const char* const what = argc > 1 ? argv[1] : "library";
    const char* const mode = argc > 2 ? argv[2] : "local";
    if (strcmp(what, "library") == 0)
        use_library(mode, argc > 3);
    else if (strcmp(what, "plugin") == 0)
        use_plugin(argv[0], mode, argc > 3);
    else
        printf("opened %d\n", open_or_end(library_name, flags_of(mode)) != NULL);
    return 0;
}
