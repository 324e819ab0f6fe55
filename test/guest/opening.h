// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Opens a library and finds functions there, or ends the program.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*Any)(void);

static void* open_or_end(const char* name, int flags)
{
    void* const handle = dlopen(name, flags);
    if (handle == NULL) {
        printf("not opened: %s\n", dlerror());
        exit(1);
    }
    return handle;
}

static Any found(void* handle, const char* name)
{
    Any function = NULL;
    *(void**)&function = dlsym(handle, name);
    if (function == NULL) {
        printf("no %s\n", name);
        exit(1);
    }
    return function;
}
