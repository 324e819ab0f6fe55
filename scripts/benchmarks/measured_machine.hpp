// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The machine as the processes of a job see it: nodes, cores, what else runs, and what one message costs.
#pragma once

/// Prints the record "machine". Collective: over MPI_COMM_WORLD.
void print_machine();

/// Prints a record "network" for messages within a node and one for those between nodes, as far as there are such.
/// Collective: over MPI_COMM_WORLD.
void print_networks(int samples);
