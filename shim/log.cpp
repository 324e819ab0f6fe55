// Level and rank are plain atomics: a line may be wanted at any time, from any thread, before and after MPI runs.
#include "shim/log.hpp"

#include <atomic>
#include <cerrno>
#include <string>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

std::atomic<LogLevel> level_shown{LogLevel::warn};
std::atomic<int> rank_shown{-1};

const char* word(LogLevel level) noexcept
{
    switch (level) {
    case LogLevel::error:
        return "error";
    case LogLevel::warn:
        return "warning";
    case LogLevel::info:
        return "info";
    case LogLevel::debug:
        return "debug";
    }
    return "";
}

} // namespace

void set_log_level(LogLevel most) noexcept
{
    level_shown.store(most, std::memory_order_relaxed);
}

void set_log_rank(int rank) noexcept
{
    rank_shown.store(rank, std::memory_order_relaxed);
}

bool log_enabled(LogLevel level) noexcept
{
    return level <= level_shown.load(std::memory_order_relaxed);
}

void log(LogLevel level, std::string_view text) noexcept
{
    if (!log_enabled(level))
        return;
    const int errno_of_caller = errno;
    try {
        const int rank = rank_shown.load(std::memory_order_relaxed);
        std::string prefix = "hopscotch";
        if (rank >= 0)
            prefix += "[" + std::to_string(rank) + "]";
        prefix += std::string(" ") + word(level) + ": ";

        std::string lines;
        std::size_t begin = 0;
        for (std::size_t end = 0; end != std::string_view::npos; begin = end + 1) {
            end = text.find('\n', begin);
            lines += prefix;
            lines += text.substr(begin, end == std::string_view::npos ? end : end - begin);
            lines += '\n';
        }
        // One write, and no second try for the rest of a short one: half a line is better than two lines mixed.
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, lines.data(), lines.size());
    } catch (...) { // no memory for the prefix
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
        [[maybe_unused]] const ssize_t ended = ::write(STDERR_FILENO, "\n", 1);
    }
    errno = errno_of_caller;
}

} // namespace hopscotch::shim
