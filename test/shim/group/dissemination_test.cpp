// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every process gets the values of all, however late other processes ask, one question after the other.
#include "test/catch.hpp"

#include "shim/group/dissemination.hpp"
#include "test/processes.hpp"

#include <chrono>
#include <thread>

using namespace hopscotch::shim;

namespace
{

std::int64_t said_by(int rank, int question)
{
    std::mt19937_64 random(seed() + 1000u * static_cast<unsigned>(rank) + static_cast<unsigned>(question));
    return static_cast<std::int64_t>(random() >> 1) - (INT64_MAX >> 1);
}

} // namespace

TEST_CASE("The largest values of all processes are found though nobody waits, question after question")
{
    const TestGroup test = test_group();
    const int rank = world().rank;
    const int size = world().size;
    for (int question = 0; question < 20; ++question) {
        if (question % size == rank)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::vector<std::int64_t> own{rank, -rank, rank == question % size ? 1000 : -1};
        Dissemination maxima(test.group, test.tags.set_up(), own);
        while (!maxima.advance())
            std::this_thread::yield();
        CHECK(maxima.values() == std::vector<std::int64_t>{size - 1, 0, 1000});
    }
}

TEST_CASE("By messages processes agree between calls")
{
    const TestGroup test = test_group();
    MessageConsensus consensus(test.group, test.tags.agreement());
    for (int question = 0; question < 200; ++question) {
        const auto count = static_cast<std::size_t>(question % 9 + 1);
        std::vector<std::int64_t> largest(count, INT64_MIN);
        for (int rank = 0; rank < world().size; ++rank)
            for (std::size_t i = 0; i < count; ++i)
                largest[i] = std::max(largest[i], said_by(rank, question) + static_cast<std::int64_t>(i));
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(said_by(world().rank, question) + static_cast<std::int64_t>(i));
        consensus.maxima(values.data(), count);
        REQUIRE(values == largest);
    }
    CHECK(consensus.all_equal(world().size));
    CHECK(consensus.all_equal(world().rank) == (world().size == 1));
}
