// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallv of a random walk, in all forms, with blocks for few processes: HOPSCOTCH_ALLTOALLV=on carries them over
// a hidden graph.
#ifndef SPARSE_CALLS_H
#define SPARSE_CALLS_H

// On one communicator, which at times is replaced. Does nothing unless HOPSCOTCH_ALLTOALLV=on. Collective over
// MPI_COMM_WORLD.
void call_sparsely(void);

// Frees the communicator.
void end_sparse_calls(void);

#endif
