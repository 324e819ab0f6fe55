// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/mpi/runtime.hpp"

#include "shim/base/immortal.hpp"
#include "shim/base/log.hpp"
#include "shim/mpi/next.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace hopscotch::shim
{

namespace
{

std::atomic<bool> counts{true};
std::atomic<void (*)(const char*) noexcept> early_report{nullptr};

} // namespace

Runtime& mutable_runtime() noexcept
{
    return immortal<Runtime>();
}

const Runtime& runtime() noexcept
{
    static const Runtime& one = mutable_runtime();
    return one;
}

void set_counting(bool on) noexcept
{
    counts = on;
}

bool counting() noexcept
{
    return counts;
}

void abort_job(int status) noexcept
{
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    next.MPI_Abort(MPI_COMM_WORLD, status);
    std::this_thread::sleep_for(std::chrono::seconds(10)); // MPICH 4.2 returns, and the launcher ends the process
    std::_Exit(status);
}

void end_job(const std::string& line, const char* why) noexcept
{
    log(LogLevel::error, line);
    if (const auto write = early_report.load())
        write(why);
    abort_job(1);
}

void end_without_memory(const char* purpose) noexcept
{
    char line[200];
    std::snprintf(line, sizeof line, "no memory to %s, for which other processes wait; the job ends", purpose);
    log(LogLevel::error, line);
    abort_job(2);
}

void set_early_report(void (*write)(const char* why) noexcept) noexcept
{
    early_report.store(write);
}

} // namespace hopscotch::shim
