// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A write raises its signals in the thread that writes: they are blocked there, and taken back before anybody sees
// them.
#include "shim/base/output.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

/// Keeps signals of writing from this thread while it lives. A signal that is pending before stays pending.
class WithoutSignals
{
  public:
    WithoutSignals() noexcept
    {
        sigset_t pending;
        sigemptyset(&pending);
        ::sigpending(&pending);
        sigemptyset(&held_);
        for (const int signal : {SIGPIPE, SIGXFSZ})
            if (sigismember(&pending, signal) == 0)
                sigaddset(&held_, signal);
        ::pthread_sigmask(SIG_BLOCK, &held_, &before_);
    }

    ~WithoutSignals()
    {
        const int error = errno;
        const std::timespec no_time{};
        while (::sigtimedwait(&held_, nullptr, &no_time) > 0 || errno == EINTR) {
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }

    WithoutSignals(const WithoutSignals&) = delete;
    WithoutSignals& operator=(const WithoutSignals&) = delete;

  private:
    sigset_t held_;
    sigset_t before_;
};

struct stat accepted {
};
bool is_accepted = false;

} // namespace

bool write_all(int descriptor, std::string_view bytes) noexcept
{
    const WithoutSignals without_signals;
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

void write_to_stderr(std::string_view bytes) noexcept
{
    struct stat now {
    };
    if (is_accepted && ::fstat(STDERR_FILENO, &now) == 0 && now.st_dev == accepted.st_dev &&
        now.st_ino == accepted.st_ino)
        write_all(STDERR_FILENO, bytes);
}

[[gnu::constructor]] void accept_stderr() noexcept
{
    is_accepted = ::fstat(STDERR_FILENO, &accepted) == 0;
}

} // namespace hopscotch::shim
