// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// When the shim starts and ends: after MPI_Init on all processes together, before MPI_Finalize does its work.
#pragma once

#include "shim/base/settings.hpp"

#include <cstdint>
#include <string>

namespace hopscotch::shim
{

/// What holds from MPI_Init to MPI_Finalize; the same on all processes of MPI_COMM_WORLD.
struct Runtime {
    Settings settings;
    std::uint64_t settings_hash = 0;
    bool library_drives = false; // operations are advanced inside all blocking MPI calls, on all processes
    bool active = false;         // calls are looked at; false: everything passes straight through
};

[[gnu::hot]] const Runtime& runtime() noexcept;

/// Reads the settings, checks the MPI library, agrees with the other processes. An invalid setting ends the job here,
/// with a line that names it. Collective: over MPI_COMM_WORLD, right after MPI_Init.
void start() noexcept;

/// Says, once per job, that the MPI library is of another family than this library was built for. Calls no MPI function
/// that takes a handle.
void stand_aside() noexcept;

/// Gathers the counters, writes the report, gives everything back. The second call does nothing.
/// Collective: over MPI_COMM_WORLD, right before MPI_Finalize.
void finish() noexcept;

/// Writes what this process has counted, marked as partial with the reason; no communication. Only once, and only on
/// the process whose report it is (rank 0, or the one that aborts).
void report_alone(const char* why) noexcept;

/// MPI_Pcontrol(2): rank 0 writes what it has counted so far, marked as its own; other processes do nothing, since the
/// call need not be made by all. Nothing is reset, and the report at the end comes all the same.
void report_now() noexcept;

/// Ends the job as MPI_Abort does, a moment later: launchers drop lines they have not read when it begins. Local.
void abort_job(int status) noexcept;

/// The same after a line on stderr and a report of what this process has counted, partial for the reason `why`. Local.
void end_job(const std::string& line, const char* why) noexcept;

/// As abort_job, with a line that names the purpose: this process has no memory for what others wait for. Local.
void end_without_memory(const char* purpose) noexcept;

/// MPI_Pcontrol(0) pauses counting, (1) resumes it; what carries the calls stays the same, since only some processes
/// may have asked.
void set_counting(bool on) noexcept;
[[gnu::hot]] bool counting() noexcept;

} // namespace hopscotch::shim
