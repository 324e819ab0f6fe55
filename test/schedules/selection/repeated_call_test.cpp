// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of bytes that stand for those of a call: their start, one size for both ends of an edge, and the number of
// exchanges.
#include "schedules/selection/repeated_call.hpp"

#include "test/catch.hpp"

#include <climits>

using namespace hopscotch::schedules;

namespace
{

Edges edges_between(std::vector<int> destinations, std::vector<int> sources)
{
    Edges edges;
    edges.destinations = std::move(destinations);
    edges.sources = std::move(sources);
    return edges;
}

} // namespace

TEST_CASE("Blocks of bytes lie one behind the other")
{
    const ByteBlocks blocks = byte_blocks({3, 0, 4}, {5});
    CHECK(blocks.send_at == std::vector<int>{0, 3, 3});
    CHECK(blocks.send_from == std::vector<std::ptrdiff_t>{0, 3, 3});
    CHECK(blocks.receive_at == std::vector<int>{0});
    CHECK(blocks.bytes == 7);
    CHECK(byte_blocks({}, {}).bytes == 0);
    CHECK(byte_blocks({INT_MAX, INT_MAX}, {}).bytes == 2ll * INT_MAX);
}

TEST_CASE("Parallel edges of a repeated call get one size, for any match of edges")
{
    const RepeatedCall call =
        repeated_call(Collective::alltoallv, edges_between({5, 6, 5, no_rank}, {5, 5, 7}), {1, 2, 4, 9}, {4, 1, 8});
    CHECK(call.is_good);
    CHECK(call.all.sends == std::vector<int>{2, 2, 2, 9});
    CHECK(call.all.receives == std::vector<int>{2, 2, 8});
    CHECK(call.of_processes.sends == std::vector<int>{2, 2, 2});
    CHECK(call.of_processes.receives == call.all.receives);
    const RepeatedCall gathers = repeated_call(Collective::allgather, edges_between({5, no_rank}, {5}), {3}, {3});
    CHECK(gathers.is_good);
    CHECK(gathers.of_processes.sends == std::vector<int>{3});
}

TEST_CASE("A call is not repeated if counts have no meaning or degrees may be mixed up")
{
    const Edges edges = edges_between({0, 1}, {1});
    CHECK(repeated_call(Collective::alltoallv, edges, {1, 1}, {1}).is_good);
    CHECK_FALSE(repeated_call(Collective::alltoallw, edges, {1, 1}, {1}).is_good);
    CHECK_FALSE(repeated_call(Collective::alltoallv, edges, {0, 0}, {1}).is_good);
    CHECK_FALSE(repeated_call(Collective::alltoallv, edges, {1, 1}, {0}).is_good);
    CHECK_FALSE(repeated_call(Collective::alltoallv, edges, {INT_MAX, INT_MAX}, {1}).is_good);
    CHECK_FALSE(repeated_call(Collective::alltoallv, edges, {}, {}).is_good); // no memory for a sample
    CHECK_FALSE(repeated_call(Collective::allgather, edges_between({no_rank}, {1}), {1}, {1}).is_good);
}

TEST_CASE("A call is repeated as often as half of the time allows")
{
    CHECK(calls_in_batch(1.0, 0.005) == 20);
    CHECK(calls_in_batch(1.0, 1e-9) == 1000);
    CHECK(calls_in_batch(1.0, 0.025) == 4);
    CHECK(calls_in_batch(1.0, 0.026) == 0);
    CHECK(calls_in_batch(0.0, 0.0) == 0);
    CHECK(calls_in_batch(-1.0, 0.001) == 0);
}

TEST_CASE("The median is in the middle")
{
    CHECK(median({3.0, 1.0, 2.0}) == 2.0);
    CHECK(median({1.0}) == 1.0);
    CHECK(median({4.0, 1.0}) == 4.0);
}
