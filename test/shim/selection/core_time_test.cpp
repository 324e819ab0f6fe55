// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The share of time without a core, from known times.
#include "test/catch.hpp"

#include "shim/selection/core_time.hpp"

#include <cerrno>
#include <fstream>

using namespace hopscotch::shim;

TEST_CASE("The share of time without a core follows from known times")
{
    const CoreTime begin{7, 1000, 500, 3, 100, 200};
    struct Row {
        const char* what;
        CoreTime end;
        double share;
    };
    const Row rows[] = {{"it ran all the time", {7, 2000, 1500, 3, -1, -1}, 0.0},
                        {"others had the core for a part", {7, 2000, 1250, 3, -1, -1}, 0.25},
                        {"it slept, and ran whenever it wanted", {7, 2000, 700, 4, 300, 200}, 0.0},
                        {"it slept, and waited for the core", {7, 2000, 600, 4, 400, 300}, 0.25},
                        {"it slept all the time", {7, 2000, 500, 4, 100, 200}, unknown_share},
                        {"it slept, and there are no books", {7, 2000, 700, 4, -1, -1}, unknown_share},
                        {"another thread ended it", {8, 2000, 1500, 3, 1100, 200}, unknown_share},
                        {"no time has passed", {7, 1000, 500, 3, 100, 200}, unknown_share},
                        {"clocks differ a little", {7, 2000, 1501, 3, -1, -1}, 0.0}};
    for (const Row& row : rows) {
        INFO(row.what);
        CHECK(share_without_core(begin, row.end) == about(row.share));
    }
}

TEST_CASE("A thread has a time of its own, and its errno stays")
{
    errno = 77;
    const CoreTime begin = core_time();
    volatile int sum = 0;
    for (int i = 0; i < 100000; ++i)
        sum = sum + i;
    const CoreTime end = core_time();
    CHECK(errno == 77);
    CHECK(begin.thread > 0);
    CHECK(end.on_core > begin.on_core);
    CHECK(end.clock - begin.clock >= end.on_core - begin.on_core - 1000000);
    CHECK(share_without_core(begin, end) <= 1.0);
}

TEST_CASE("The time that a thread ran and waited for a core is that of the scheduler's books, where they are kept")
{
    const auto books = [] {
        CoreTime time;
        std::ifstream("/proc/thread-self/schedstat") >> time.ran >> time.waited;
        return time;
    };
    const CoreTime before = books();
    const CoreTime time = core_time();
    const CoreTime after = books();
    CHECK(time.ran >= before.ran);
    CHECK(time.ran <= after.ran);
    CHECK(time.waited >= before.waited);
    CHECK(time.waited <= after.waited);
}
