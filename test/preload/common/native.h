// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own functions, behind any preload.
#ifndef NATIVE_H
#define NATIVE_H

typedef void (*Function)(void);

// The MPI library's function of this name, "MPI_Neighbor_alltoall"; NULL if it has none.
Function native_function(const char* name);

// The function that the program reaches by this name; NULL if there is none.
Function called_function(const char* name);

#endif
