// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/core_time.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hopscotch::shim
{

namespace
{

std::int64_t nanoseconds(clockid_t clock) noexcept
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Source: Documentation/scheduler/sched-stats.rst of Linux. Kernels may be built without it.
void read_books(CoreTime& time) noexcept
{
    const int file = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    char text[96] = {};
    const bool any = ::read(file, text, sizeof text - 1) > 0;
    ::close(file);
    long long ran = 0;
    long long waited = 0;
    if (any && std::sscanf(text, "%lld %lld", &ran, &waited) == 2) {
        time.ran = ran;
        time.waited = waited;
    }
}

} // namespace

CoreTime core_time() noexcept
{
    const int errno_of_caller = errno;
    CoreTime time;
    time.thread = ::syscall(SYS_gettid);
    rusage used{};
    if (::getrusage(RUSAGE_THREAD, &used) != 0)
        time.thread = 0;
    time.sleeps = used.ru_nvcsw;
    read_books(time);
    time.on_core = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    time.clock = nanoseconds(CLOCK_MONOTONIC);
    errno = errno_of_caller;
    return time;
}

double share_without_core(const CoreTime& begin, const CoreTime& end) noexcept
{
    if (begin.thread == 0 || begin.thread != end.thread)
        return unknown_share;
    const auto share = [](std::int64_t without, std::int64_t all) {
        return all > 0 ? std::clamp(static_cast<double>(without) / static_cast<double>(all), 0.0, 1.0) : unknown_share;
    };
    const std::int64_t passed = end.clock - begin.clock;
    if (begin.sleeps == end.sleeps)
        return share(passed - (end.on_core - begin.on_core), passed);
    if (begin.ran < 0 || end.ran < 0)
        return unknown_share;
    const std::int64_t waited = end.waited - begin.waited;
    return share(waited, waited + end.ran - begin.ran);
}

namespace
{

constexpr double scale = 1e6;

} // namespace

std::int64_t load_value(double without_core, Due due) noexcept
{
    const bool known = without_core >= 0.0;
    const double lost = known ? std::max(1.0 - (1.0 - without_core) / due.share, 0.0) : unknown_share;
    const auto value = static_cast<std::int64_t>(lost * scale);
    return due.oversubscribed ? -value : value;
}

double agreed_share(std::int64_t largest, Due due) noexcept
{
    const std::int64_t value = due.oversubscribed ? -largest : largest;
    return value < 0 ? unknown_share : static_cast<double>(value) / scale;
}

} // namespace hopscotch::shim
