// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/sparse_calls.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;
using Step = SparseCalls::Step;

namespace
{

constexpr int processes = 32; // sparse up to 8 peers

SparsePatterns patterns(std::int64_t peers, std::int64_t seen = 0, std::int64_t outside_calls = 0)
{
    return {peers, seen != 0 ? seen : peers, outside_calls, 0, 1};
}

/// The next agreed call, by number, counted on from `calls`.
int next_due(SparseCalls& sparse, int& calls)
{
    for (++calls; !sparse.is_due(); ++calls)
        ;
    return calls;
}

} // namespace

TEST_CASE("Blocks for half of the processes are sparse")
{
    CHECK(is_sparse(4, 8));
    CHECK_FALSE(is_sparse(5, 8));
    CHECK_FALSE(is_sparse(1, 1));
    CHECK(is_sparse(1, 2));
    CHECK(is_sparse(0, 1));
    CHECK(is_sparse(13, 27));
    CHECK_FALSE(is_sparse(14, 27));
}

TEST_CASE("Sparse calls agree at doubling numbers, then every 127th time")
{
    SparseCalls sparse;
    std::vector<int> numbers;
    for (int calls = 0; numbers.size() < 9;) {
        numbers.push_back(next_due(sparse, calls));
        sparse.decide(patterns(6), processes);
    }
    CHECK(numbers == std::vector<int>{2, 4, 8, 16, 32, 64, 128, 255, 382});
}

TEST_CASE("An agreed call that fails before the agreement is made up for by the next one")
{
    SparseCalls sparse;
    CHECK_FALSE(sparse.is_due());
    CHECK(sparse.is_due());
    CHECK(sparse.is_due()); // nothing has been decided
    sparse.decide(patterns(6), processes);
    CHECK_FALSE(sparse.is_due());
}

TEST_CASE("Dense calls agree at doubling numbers, then every 511th time")
{
    SparseCalls sparse;
    std::vector<int> numbers;
    for (int calls = 0; numbers.size() < 11;) {
        numbers.push_back(next_due(sparse, calls));
        CHECK(sparse.decide(patterns(20), processes) == Step::pass);
    }
    CHECK(numbers == std::vector<int>{2, 4, 8, 16, 32, 64, 128, 256, 512, 1023, 1534});
}

TEST_CASE("A graph is made once, and made anew if one call in eight has blocks outside")
{
    SparseCalls sparse;
    int calls = 0;
    next_due(sparse, calls); // 2
    CHECK(sparse.decide(patterns(6), processes) == Step::make_of_seen);
    next_due(sparse, calls); // 4
    CHECK(sparse.decide(patterns(6), processes) == Step::go_on);
    next_due(sparse, calls); // 8
    CHECK(sparse.decide(patterns(6, 7, 1), processes) == Step::make_of_seen);
    next_due(sparse, calls); // 16
    CHECK(sparse.decide(patterns(6, 30, 1), processes) == Step::make_of_this);
    for (int i = 0; i < 2; ++i) {
        next_due(sparse, calls); // 32, 64
        CHECK(sparse.decide(patterns(6, 7, 16), processes) == Step::make_of_seen);
    }
    for (const Step wanted : {Step::make_of_seen, Step::go_on, Step::make_of_seen}) {
        next_due(sparse, calls); // 128, 255, 382
        CHECK(sparse.decide(patterns(6, 7, 127), processes) == wanted);
    }
}

TEST_CASE("A dense call, or a buffer on a device, ends a graph; calls without blocks make none")
{
    SparseCalls sparse;
    int calls = 0;
    next_due(sparse, calls); // 2
    CHECK(sparse.decide({0, 0, 0, 0, 1}, processes) == Step::pass);
    next_due(sparse, calls); // 4
    CHECK(sparse.decide(patterns(6), processes) == Step::make_of_seen);
    next_due(sparse, calls); // 8
    CHECK(sparse.decide(patterns(20), processes) == Step::pass);
    next_due(sparse, calls); // 16
    CHECK(sparse.decide(patterns(6), processes) == Step::make_of_seen);
    next_due(sparse, calls); // 32
    CHECK(sparse.decide({6, 6, 0, 1, 1}, processes) == Step::pass);
}

TEST_CASE("A persistent request takes a graph with all of its blocks, or one is made, up to 16 times")
{
    SparseCalls sparse;
    CHECK(sparse.decide_for_request(patterns(20), processes) == Step::pass);
    CHECK(sparse.decide_for_request({0, 0, 0, 0, 1}, processes) == Step::pass);
    CHECK(sparse.decide_for_request(patterns(6, 6, 1), processes) == Step::make_of_seen);
    CHECK(sparse.decide_for_request(patterns(6), processes) == Step::go_on);
    for (int i = 1; i < 16; ++i)
        CHECK(sparse.decide_for_request(patterns(6, 30, 1), processes) == Step::make_of_this);
    CHECK(sparse.decide_for_request(patterns(6, 6, 1), processes) == Step::pass);
    CHECK(sparse.decide_for_request(patterns(6), processes) == Step::go_on);
    sparse.lose_graph();
    CHECK(sparse.decide_for_request(patterns(6), processes) == Step::pass);
}
