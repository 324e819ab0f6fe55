// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An object that calls a function of another one.
#include <unistd.h>

int import_parent(void);

int import_parent(void)
{
    return (int)getppid();
}
