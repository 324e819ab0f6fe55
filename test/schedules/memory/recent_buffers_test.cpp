// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/memory/segment_layout.hpp"

#include "test/catch.hpp"

#include <deque>
#include <utility>

using namespace hopscotch::schedules;

namespace
{

/// Calls of one process in turn on all streams; neighbors read them late.
struct Calls {
    RecentBuffers buffers;
    std::uint64_t made = 0;
    std::deque<std::pair<int, SequenceNumber>> unread;
    std::deque<std::size_t> taken; // by unread calls

    std::size_t make()
    {
        const int stream = first_nonblocking_stream + static_cast<int>(made % nonblocking_streams);
        const SequenceNumber turn = no_turn + 1 + made++ / nonblocking_streams;
        unread.emplace_back(stream, turn);
        taken.push_back(buffers.take(stream, turn, [this](int of, SequenceNumber at) {
            return std::find(unread.begin(), unread.end(), std::pair{of, at}) == unread.end();
        }));
        return taken.back();
    }
    void read()
    {
        unread.pop_front();
        taken.pop_front();
    }
};

} // namespace

TEST_CASE("Calls one at a time stay in two buffers")
{
    Calls calls;
    std::set<std::size_t> used;
    for (int i = 0; i < 100; ++i) {
        used.insert(calls.make());
        if (i > 0)
            calls.read(); // a call begins while neighbors still read the one before
    }
    CHECK(used == std::set<std::size_t>{0, 1});
}

TEST_CASE("No buffer is taken before it is read, and there is always one")
{
    std::mt19937 random(11);
    Calls calls;
    for (int i = 0; i < 10000; ++i) {
        // 16 buffers: as many calls are unread, with the one that begins.
        while (calls.unread.size() == RecentBuffers::count || (!calls.unread.empty() && random() % 3 == 0))
            calls.read();
        const std::size_t buffer = calls.make();
        REQUIRE(buffer < RecentBuffers::count);
        REQUIRE(std::count(calls.taken.begin(), calls.taken.end(), buffer) == 1);
    }
    while (calls.unread.size() < RecentBuffers::count)
        calls.make();
    CHECK(calls.make() == RecentBuffers::none);
}

TEST_CASE("Every buffer is one of a nonblocking stream")
{
    std::set<std::pair<int, std::size_t>> all;
    for (std::size_t buffer = 0; buffer < RecentBuffers::count; ++buffer)
        all.emplace(RecentBuffers::stream_of(buffer), RecentBuffers::place_in_stream(buffer));
    CHECK(all.size() == RecentBuffers::count);
    CHECK(all.begin()->first == first_nonblocking_stream);
    CHECK(all.rbegin()->first == first_nonblocking_stream + nonblocking_streams - 1);
}
