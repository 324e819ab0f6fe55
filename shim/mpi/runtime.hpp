// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the state between MPI_Init and MPI_Finalize, and ends a job early.
#pragma once

#include "shim/base/settings.hpp"

#include <cstdint>
#include <string>

namespace hopscotch::shim
{

/// The state of the library between MPI_Init and MPI_Finalize. It is the same on all processes of MPI_COMM_WORLD.
struct Runtime {
    Settings settings;
    std::uint64_t settings_hash = 0;
    bool library_drives = false;     // operations are advanced inside all blocking MPI calls, on all processes
    bool looks_at_alltoallv = false; // by HOPSCOTCH_ALLTOALLV or HOPSCOTCH_SEMANTICS
    bool active = false;             // calls are looked at; false: everything passes straight through
};

[[gnu::hot]] const Runtime& runtime() noexcept;

/// For code that starts and ends the library.
Runtime& mutable_runtime() noexcept;

/// MPI_Pcontrol(0) pauses counting, (1) resumes it; the algorithms of calls stay the same, since perhaps only some
/// processes have asked.
void set_counting(bool on) noexcept;
[[gnu::hot]] bool counting() noexcept;

/// Ends the job like MPI_Abort, a moment later: launchers drop unread lines at its beginning. Local.
[[noreturn]] void abort_job(int status) noexcept;

/// Ends the job after a line on stderr and a report with the counts of this process, partial for the reason `why`.
/// Local.
[[noreturn]] void end_job(const std::string& line, const char* why) noexcept;

/// Like abort_job, with a line that names the purpose: this process has no memory for data that others wait for. Local.
[[noreturn]] void end_without_memory(const char* purpose) noexcept;

/// Sets the function by which end_job writes that report.
void set_early_report(void (*write)(const char* why) noexcept) noexcept;

} // namespace hopscotch::shim
