// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every process hears the largest values, however late others ask, one question after the other.
#include "test/catch.hpp"

#include "shim/mpi/silent_maxima.hpp"
#include "test/processes.hpp"

#include <chrono>
#include <thread>
#include <vector>

using namespace hopscotch::shim;

TEST_CASE("The largest values of all processes are found though nobody waits, question after question")
{
    const TestGroup test = test_group();
    const int rank = world().rank;
    const int size = world().size;
    for (int question = 0; question < 20; ++question) {
        if (question % size == rank)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        SilentMaxima maxima(test.group, test.tags.set_up(), {rank, -rank, rank == question % size ? 1000 : -1});
        while (!maxima.advance())
            std::this_thread::yield();
        CHECK(maxima.values() == std::vector<std::int64_t>{size - 1, 0, 1000});
    }
}
