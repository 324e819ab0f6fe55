// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Level and rank are plain atomics: a line may be wanted at any time, from any thread, before and after MPI runs.
#include "shim/base/log.hpp"

#include "shim/base/harmless.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

std::atomic<LogLevel> level_shown{LogLevel::warn};
std::atomic<int> rank_shown{-1};

constexpr const char* words[] = {"error", "warning", "info", "debug"}; // by LogLevel

} // namespace

void set_log_level(LogLevel most) noexcept
{
    level_shown = most;
}

void set_log_rank(int rank) noexcept
{
    rank_shown = rank;
}

bool log_enabled(LogLevel level) noexcept
{
    return level <= level_shown;
}

void log(LogLevel level, std::string_view text) noexcept
{
    if (!log_enabled(level))
        return;
    const int errno_of_caller = errno;
    try {
        const int rank = rank_shown;
        std::string line = "hopscotch";
        if (rank >= 0)
            line += "[" + std::to_string(rank) + "]";
        line += std::string(" ") + words[static_cast<int>(level)] + ": " + harmless(text) + "\n";
        // One write, and no second try for the rest of a short one: half a line is better than two lines mixed.
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    } catch (...) { // no memory: the text alone
        ::dprintf(STDERR_FILENO, "%.*s\n", static_cast<int>(text.size()), text.data());
    }
    errno = errno_of_caller;
}

} // namespace hopscotch::shim
