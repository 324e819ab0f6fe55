// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What processes agree on between calls, by messages and in memory.
#include "test/catch.hpp"

#include "shim/memory/call_consensus.hpp"
#include "test/processes.hpp"

#include <cstdint>
#include <random>

using namespace hopscotch::shim;

namespace
{

std::uint64_t said_by(int rank, int question)
{
    std::mt19937_64 random(seed() + 1000u * static_cast<unsigned>(rank) + static_cast<unsigned>(question));
    return random();
}

/// Asks for more values than one piece has, too; every process is late now and then.
void ask(Consensus& consensus)
{
    for (int question = 0; question < 200; ++question) {
        const auto count = static_cast<std::size_t>(question % 9 + 1);
        std::vector<std::int64_t> largest(count, INT64_MIN);
        std::vector<std::uint64_t> common(count, ~std::uint64_t{0});
        for (int rank = 0; rank < world().size; ++rank)
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint64_t said = said_by(rank, question) + i;
                largest[i] = std::max(largest[i], static_cast<std::int64_t>(said));
                common[i] &= said;
            }
        std::vector<std::uint64_t> own;
        for (std::size_t i = 0; i < count; ++i)
            own.push_back(said_by(world().rank, question) + i);
        std::vector<std::int64_t> values(own.begin(), own.end());
        consensus.maxima(values.data(), count);
        REQUIRE(values == largest);
        consensus.common_bits(own.data(), count);
        REQUIRE(own == common);
    }
    CHECK(consensus.all_equal(world().size));
    CHECK(consensus.all_equal(world().rank) == (world().size == 1));
}

} // namespace

TEST_CASE("By messages processes agree between calls")
{
    const TestGroup test = test_group();
    ask(*make_call_consensus(test.group, test.tags.agreement(), nullptr));
}

TEST_CASE("In memory processes of a node agree between calls")
{
    const TestGroup test = test_group();
    const Segment::Made made = Segment::create({*test.group, MPI_COMM_WORLD, test.tags.set_up()}, {4096});
    REQUIRE(made.refusal == Refusal::none);
    ask(*make_call_consensus(test.group, test.tags.agreement(), made.segment)); // by messages on several nodes
}
