// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls that are timed coarsely take together what they take by an exact clock, and a long one is seen.
#include "test/catch.hpp"

#include "shim/base/call_timer.hpp"

#include <chrono>
#include <thread>

using namespace hopscotch::shim;

namespace
{

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A call that takes so long. Seconds by the timer.
double timed(CallTimer& timer, std::chrono::nanoseconds length)
{
    const CallTimer::Begin begin = timer.begin();
    if (length > std::chrono::milliseconds(1))
        std::this_thread::sleep_for(length);
    else
        for (const auto end = Clock::now() + length; Clock::now() < end;)
            continue;
    return seconds(timer.elapsed(begin));
}

} // namespace

TEST_CASE("short calls add up to the time they take", "[call_timer]")
{
    start_clock();
    CallTimer timer;
    double sum = 0.0;
    int calls = 0;
    const auto begin = Clock::now();
    for (; seconds_since(begin) < 0.6; ++calls)
        sum += timed(timer, std::chrono::nanoseconds(300));
    INFO(calls << " calls, " << sum << " s");
    CHECK(sum > 0.1); // the loop and its clocks are the rest
    CHECK(sum < seconds_since(begin) + 0.02);
}

TEST_CASE("a long call among short ones is seen", "[call_timer]")
{
    start_clock();
    CallTimer timer;
    for (int call = 0; call < 100; ++call)
        timed(timer, std::chrono::nanoseconds(0));
    const double elapsed = timed(timer, std::chrono::milliseconds(100));
    CHECK(elapsed > 0.085);
}

TEST_CASE("ticks in a time and back", "[call_timer]")
{
    start_clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(seconds(ticks_in(1000000000)) == about(1.0).epsilon(0.01));
    CHECK(ticks_in(0) == 0);
    CHECK(ticks_in(static_cast<std::uint64_t>(-1000)) == 0); // a clock that was set back
}
