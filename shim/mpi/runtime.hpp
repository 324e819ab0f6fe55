// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds what is true from MPI_Init to MPI_Finalize, and ends a job early.
#pragma once

#include "shim/base/settings.hpp"

#include <cstdint>
#include <string>

namespace hopscotch::shim
{

/// The same on all processes of MPI_COMM_WORLD.
struct Runtime {
    Settings settings;
    std::uint64_t settings_hash = 0;
    bool library_drives = false; // operations are advanced inside all blocking MPI calls, on all processes
    bool active = false;         // calls are looked at; false: everything passes straight through
};

[[gnu::hot]] const Runtime& runtime() noexcept;

/// For whoever starts and ends the shim.
Runtime& mutable_runtime() noexcept;

/// MPI_Pcontrol(0) pauses counting, (1) resumes it; what carries the calls stays the same, since only some processes
/// may have asked.
void set_counting(bool on) noexcept;
[[gnu::hot]] bool counting() noexcept;

/// Ends the job as MPI_Abort does, a moment later: launchers drop lines they have not read when it begins. Local.
void abort_job(int status) noexcept;

/// The same after a line on stderr and a report of what this process has counted, partial for the reason `why`. Local.
void end_job(const std::string& line, const char* why) noexcept;

/// As abort_job, with a line that names the purpose: this process has no memory for what others wait for. Local.
void end_without_memory(const char* purpose) noexcept;

/// How end_job writes that report.
void set_early_report(void (*write)(const char* why) noexcept) noexcept;

} // namespace hopscotch::shim
