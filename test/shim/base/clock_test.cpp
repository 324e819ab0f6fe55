// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Time stamps become the seconds that an exact clock counts.
#include "test/catch.hpp"

#include "shim/base/clock.hpp"

#include <chrono>
#include <thread>

using namespace hopscotch::shim;

TEST_CASE("time stamps become seconds", "[clock]")
{
    using Clock = std::chrono::steady_clock;
    start_clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // seconds() is the more exact the longer ago that is
    const Clock::time_point outer = Clock::now();
    const std::uint64_t begin = ticks();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::uint64_t elapsed = ticks() - begin;
    CHECK(seconds(elapsed) > 0.049);
    CHECK(seconds(elapsed) < std::chrono::duration<double>(Clock::now() - outer).count() + 0.001);
    CHECK(nanoseconds_per_tick() * static_cast<double>(elapsed) == about(1e9 * seconds(elapsed)).epsilon(0.01));
    CHECK(seconds(0) == 0.0);
    CHECK(seconds(static_cast<std::uint64_t>(-1000)) == 0.0); // counters of two processors that are not set alike
}

TEST_CASE("the time that a process is stopped is no waiting", "[clock]")
{
    const auto pause = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
    start_clock();
    Patience patience;
    pause(20);
    const double awake = patience.spent();
    CHECK(awake >= 0.02);
    pause(250);
    const double stopped = patience.spent() - awake;
    CHECK(stopped > 0.0);
    CHECK(stopped < 0.11);
    pause(20);
    CHECK(patience.spent() - awake - stopped >= 0.02);
}
