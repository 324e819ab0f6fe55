// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A library for programs that look MPI up by a handle: a search in it finds Hopscotch first, then the MPI library.
#include <mpi.h>

int Hop_active(int* flag); // of hopscotch.h

// The search follows the order in which both are linked. A linker leaves out a library that nothing needs.
int (*const hopscotch_front_first)(int*) = Hop_active;
int (*const hopscotch_front_second)(int*) = MPI_Initialized;
