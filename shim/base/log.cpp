// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Level and rank are plain atomics: a line may be wanted at any time, from any thread, before and after MPI runs.
#include "shim/base/log.hpp"

#include "shim/base/output.hpp"
#include "shim/base/text.hpp"

#include <atomic>
#include <cerrno>
#include <string>

namespace hopscotch::shim
{

namespace
{

std::atomic<LogLevel> level_shown{LogLevel::warn};
std::atomic<int> rank_shown{-1};

constexpr const char* level_words[] = {"error", "warning", "info", "debug"}; // by LogLevel

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
        line += std::string(" ") + level_words[static_cast<int>(level)] + ": " + harmless(text) + "\n";
        write_to_stderr(line);
    } catch (...) { // no memory: the text alone
        write_to_stderr(text);
        write_to_stderr("\n");
    }
    errno = errno_of_caller;
}

} // namespace hopscotch::shim
