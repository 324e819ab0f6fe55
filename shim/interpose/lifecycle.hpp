// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Starts the shim after MPI_Init on all processes together, and ends it before MPI_Finalize does its work.
#pragma once

#include "shim/mpi/next.hpp"

#include "shim/mpi/runtime.hpp"

namespace hopscotch::shim
{

/// Reads the settings, checks the MPI library, agrees with the other processes. An invalid setting ends the job here,
/// with a line that names it. Collective: over MPI_COMM_WORLD, right after MPI_Init, which has taken `init_seconds`:
/// the longer, the longer others may take to come here.
void start(double init_seconds) noexcept;

/// Says, once per job and at its end, that MPI was started without this library: through a handle. Local.
void tell_what_went_by() noexcept;

/// MPI_Finalize: the library ends this one when the program's callbacks on MPI_COMM_SELF have been called. Collective:
/// over MPI_COMM_WORLD.
int finalize();

/// Writes the counts of this process, marked as partial with the reason; no communication. Only once, and only on the
/// process that writes the report (rank 0, or the one that aborts).
void report_alone(const char* why) noexcept;

/// MPI_Pcontrol(2): rank 0 writes its counts so far, marked as its own; other processes do nothing, since the call need
/// not be made by all. Nothing is reset, and the report at the end comes all the same.
void report_now() noexcept;

} // namespace hopscotch::shim
