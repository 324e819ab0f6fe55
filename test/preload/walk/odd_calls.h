// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls of a random walk that are no ordinary neighborhood collectives: wrong ones, and MPI_Allgather.
#ifndef ODD_CALLS_H
#define ODD_CALLS_H

#include "walked.h"

// Without a message, and on all processes.
void call_wrongly(Place* place);

// One process sends more or less than its neighbors expect. The communicator may be freed meanwhile.
void call_unequally(Place* place);

void gather_all(Place* place);

#endif
