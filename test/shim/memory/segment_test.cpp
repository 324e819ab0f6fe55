// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The processes of a node find each other's counters, fronts and buffers in the segment that they share.
#include "test/catch.hpp"

#include "shim/memory/segment.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"
#include "test/shim/memory/spares.hpp"

#include <cstring>
#include <mpi.h>

using namespace hopscotch::shim;

TEST_CASE("Neighbors find the data that a process writes in its places, for every stream and buffer")
{
    const TestGroup test = test_group();
    const ProcessGroup& group = *test.group;
    const Segment::Made made = Segment::create({group, MPI_COMM_WORLD, test.tags.set_up()}, {100, 5000});
    REQUIRE(made.refusal == Refusal::none);
    const Segment& segment = *made.segment;
    CHECK(segment.buffer_bytes(0) >= 100);
    CHECK(segment.buffer_bytes(1) >= 5000);
    const int own = group.node_index(group.rank());
    const SequenceNumber turn = no_turn + 5;
    const auto mark = [](int process, int stream, std::size_t which) {
        return static_cast<char>(1 + 4 * process + 2 * stream + static_cast<int>(which));
    };
    for (int stream = 0; stream < 2; ++stream) {
        CHECK_FALSE(segment.readings(own, stream).is_free(turn));
        segment.readings(own, stream).set_done(turn - buffers_per_stream);
        for (std::size_t which = 0; which < buffers_per_stream; ++which) {
            std::memset(segment.front(own, stream, which), mark(own, stream, which), hopscotch::schedules::front_bytes);
            std::memset(segment.buffer(own, stream, which), -mark(own, stream, which), segment.buffer_bytes(stream));
        }
    }
    check(MPI_Barrier(MPI_COMM_WORLD));
    for (int process = 0; process < static_cast<int>(group.node_ranks().size()); ++process)
        for (int stream = 0; stream < 2; ++stream) {
            CHECK(segment.readings(process, stream).is_free(turn));
            CHECK(static_cast<void*>(&segment.sleepers(process, stream)) ==
                  static_cast<void*>(&segment.readings(process, stream) + 1)); // in the next line
            for (std::size_t which = 0; which < buffers_per_stream; ++which) {
                CHECK(segment.front(process, stream, which)[hopscotch::schedules::front_bytes - 1] ==
                      mark(process, stream, which));
                CHECK(segment.buffer(process, stream, which)[segment.buffer_bytes(stream) - 1] ==
                      -mark(process, stream, which));
            }
        }
    check(MPI_Barrier(MPI_COMM_WORLD));
}

TEST_CASE("A segment that nobody uses any more is to spare, once, for the same processes, and its turns go on")
{
    const TestGroup test = test_group();
    const ProcessGroup other(test.group->members(), test.group->id() + 1, {});
    const SparesOfOthers held(*test.group);
    const SparesOfOthers held_with_next_number(other);
    const Ground ground{*test.group, MPI_COMM_WORLD, test.tags.set_up()};
    std::shared_ptr<Segment> segment = Segment::create(ground, {100, 5000}, 7).segment;
    REQUIRE(segment != nullptr);
    CHECK(Segment::take_spare(*test.group) == nullptr);
    const int own = test.group->node_index(test.group->rank());
    const SequenceNumber turn = segment->turns(1).last = no_turn + 3;
    for (SequenceNumber done = no_turn + 1; done <= turn; ++done)
        segment->readings(own, 1).set_done(done);
    segment->extend(Segment::create(ground, {100, 100}).segment);
    segment.reset();
    CHECK(Segment::take_spare(other) == nullptr);
    if (world().rank > 0) { // the same number, but another first process
        const std::vector<int>& all = test.group->members();
        const ProcessGroup part({all.begin() + 1, all.end()}, test.group->id(), {});
        CHECK(Segment::take_spare(part) == nullptr);
    }
    segment = Segment::take_spare(*test.group);
    REQUIRE(segment != nullptr);
    CHECK(Segment::take_spare(*test.group) == nullptr);
    CHECK(segment->id() == 7);
    CHECK(segment->turns(1).last == turn);
    CHECK(segment->has_rooms({100, 4096}));
    CHECK(segment->has_rooms({segment->buffer_bytes(0), segment->buffer_bytes(1)}));
    CHECK_FALSE(segment->has_rooms({100, 65536}));
    CHECK_FALSE(segment->has_rooms({65536, 100}));
    CHECK_FALSE(segment->has_rooms({100}));
    REQUIRE(segment->extensions().size() == 1);
    Segment& extension = *segment->extensions()[0];
    CHECK(extension.streams() == 2);
    check(MPI_Barrier(MPI_COMM_WORLD));
    extension.turns(1).last = turn; // a turn that is not over
    segment.reset();
    CHECK(Segment::take_spare(*test.group) == nullptr);
    segment = Segment::create(ground, {100}, 8).segment;
    segment->turns(0).last = turn;
    segment.reset();
    CHECK(Segment::take_spare(*test.group) == nullptr);
    segment = Segment::create(ground, {100}, 9).segment;
    segment->turns(0).last = turn;
    segment->readings(own, 0).set_done(turn); // and the turn before is not over
    segment.reset();
    CHECK(Segment::take_spare(*test.group) == nullptr);
    segment = Segment::create(ground, {100}, 10).segment;
    segment->turns(0).last = no_turn + 1; // there is none before
    segment->readings(own, 0).set_done(no_turn + 1);
    segment.reset();
    segment = Segment::take_spare(*test.group);
    REQUIRE(segment != nullptr);
    CHECK(segment->id() == 10);
    segment->turns(0).last = turn;
    segment = Segment::create(ground, {100}).segment;
    segment.reset();
    CHECK(Segment::take_spare(*test.group) == nullptr); // it was for one use
}

TEST_CASE("Of several spare segments the largest comes first, then the newest; four are kept")
{
    const TestGroup test = test_group();
    const SparesOfOthers held(*test.group);
    const Ground ground{*test.group, MPI_COMM_WORLD, test.tags.set_up()};
    std::vector<std::shared_ptr<Segment>> made;
    for (const auto& [id, room] : {std::pair(11, 100), {14, 100}, {13, 100}, {12, 5000}, {15, 100}, {16, 100}})
        made.push_back(Segment::create(ground, {static_cast<std::size_t>(room)}, id).segment);
    made.clear(); // the first two go away
    std::vector<std::int64_t> ids;
    while (std::shared_ptr<Segment> spare = Segment::take_spare(*test.group)) {
        ids.push_back(spare->id());
        made.push_back(std::move(spare));
    }
    CHECK(ids == std::vector<std::int64_t>{12, 16, 15, 13});
}
