// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every process hears what all say, however late others ask, one question after the other.
#include "test/catch.hpp"

#include "shim/mpi/dissemination.hpp"
#include "test/processes.hpp"

#include <array>
#include <chrono>
#include <thread>

using namespace hopscotch::shim;

TEST_CASE("The largest values of all processes are found though nobody waits, question after question")
{
    const TestGroup test = test_group();
    const int rank = world().rank;
    const int size = world().size;
    for (int question = 0; question < 20; ++question) {
        if (question % size == rank)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::array<int, 3> own{rank, -rank, rank == question % size ? 1000 : -1};
        std::array<std::uint64_t, 3> words{};
        std::copy(own.begin(), own.end(), words.begin());
        Dissemination maxima(test.group, test.tags.set_up(), words.data(), words.size(), larger);
        while (!maxima.advance())
            std::this_thread::yield();
        CHECK(static_cast<std::int64_t>(maxima.words()[0]) == size - 1);
        CHECK(static_cast<std::int64_t>(maxima.words()[1]) == 0);
        CHECK(static_cast<std::int64_t>(maxima.words()[2]) == 1000);
    }
}
