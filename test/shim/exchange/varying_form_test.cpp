// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of any sizes come out of a buffer as they went in; other sizes and other forms are noticed.
#include "test/catch.hpp"

#include "shim/exchange/direct_blocks.hpp"
#include "test/processes.hpp"
#include "test/readable.hpp"
#include "test/shim/exchange/forms.hpp"

#include <array>
#include <mpi.h>
#include <unistd.h>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("Blocks of many sizes are found by the table before them, without those that travel directly")
{
    const TestGroup test = test_group();
    const schedules::MemoryPlan from = sending_plan();
    const schedules::MemoryPlan to = receiving_plan();
    DirectBlocks direct(test.group, test.tags.first, {}, 16);
    LentBlocks lending;
    const std::unique_ptr<BlockForm> writer = make_varying_form(from, direct, lending);
    const std::unique_ptr<BlockForm> reader = make_varying_form(to, direct, lending);
    const std::array<int, 4> sent{10, 20, 21, 40};
    const std::array<int, 5> counts{0, 1, 2, 0, 1}; // the third goes beyond the node
    const std::array<int, 5> places{0, 0, 1, 3, 3};
    const BlockLayout send = BlockLayout::varying(sent.data(), counts.data(), places.data(), MPI_INT, 5);
    char buffer[64] = {};
    CHECK(writer->fits(send, 4 * (4 + 8)));
    CHECK_FALSE(writer->fits(send, 4 * (4 + 8) - 1));
    const BlockForm::Filled filled = writer->fill(send, buffer);
    CHECK(filled.block_bytes == 2 * sizeof(int));
    CHECK(filled.bytes == 6 * sizeof(int));

    std::array<int, 3> received{-1, -1, -1};
    const std::array<int, 3> right{1, 1, 0};
    const std::array<int, 3> order{0, 1, 2};
    const BlockForm::Shown shown{buffer, sizeof buffer, filled.word, 0};
    const BlockLayout receive = BlockLayout::varying(received.data(), right.data(), order.data(), MPI_INT, 3);
    CHECK(reader->deliver(to.sources[0], shown, receive) == MPI_SUCCESS);
    CHECK(received == std::array<int, 3>{40, 10, -1});

    const std::array<int, 3> wrong{1, 0, 0};
    const BlockLayout shorter = BlockLayout::varying(received.data(), wrong.data(), order.data(), MPI_INT, 3);
    CHECK(reader->deliver(to.sources[0], shown, shorter) == MPI_ERR_TRUNCATE);
    CHECK(reader->deliver(to.sources[0], {buffer, 5 * sizeof(int), filled.word, 0}, receive) == MPI_ERR_TRUNCATE);
    CHECK(reader->deliver(to.sources[0], {buffer, sizeof buffer, 4, 0}, receive) == MPI_ERR_TRUNCATE);
}

TEST_CASE("Of blocks of many sizes the large ones are lent")
{
    if (!memory_is_readable())
        return;
    const TestGroup test = test_group();
    schedules::MemoryPlan from = sending_plan();
    const schedules::MemoryPlan to = receiving_plan();
    from.lent_from_bytes = 8;
    DirectBlocks direct(test.group, test.tags.first, {}, 16);
    LentBlocks lending;
    const std::unique_ptr<BlockForm> writer = make_varying_form(from, direct, lending);
    const std::unique_ptr<BlockForm> reader = make_varying_form(to, direct, lending);
    const std::array<int, 7> sent{10, 20, 21, 40, 41, 42, 50};
    const std::array<int, 5> counts{0, 1, 2, 3, 1}; // the third goes beyond the node
    const std::array<int, 5> places{0, 0, 1, 3, 6};
    const BlockLayout send = BlockLayout::varying(sent.data(), counts.data(), places.data(), MPI_INT, 5);
    char buffer[96] = {};
    CHECK(writer->fits(send, 4 * (4 + sizeof(LentBlock))));
    CHECK_FALSE(writer->fits(send, 4 * (4 + sizeof(LentBlock)) - 1));
    const BlockForm::Filled filled = writer->fill(send, buffer);
    CHECK(filled.lends);
    CHECK(filled.block_bytes == 5 * sizeof(int));
    CHECK(filled.bytes == (4 + 2) * sizeof(int) + sizeof(LentBlock));

    std::array<int, 5> received{-1, -1, -1, -1, -1};
    const std::array<int, 3> right{1, 1, 3};
    const std::array<int, 3> order{0, 1, 2};
    const BlockForm::Shown shown{buffer, sizeof buffer, filled.word, getpid()};
    const BlockLayout receive = BlockLayout::varying(received.data(), right.data(), order.data(), MPI_INT, 3);
    CHECK(reader->deliver(to.sources[0], shown, receive) == MPI_SUCCESS);
    CHECK(received == std::array<int, 5>{50, 10, 40, 41, 42});

    received.fill(-1);
    const std::array<int, 3> wrong{1, 1, 2};
    const BlockLayout shorter = BlockLayout::varying(received.data(), wrong.data(), order.data(), MPI_INT, 3);
    CHECK(reader->deliver(to.sources[0], shown, shorter) == MPI_ERR_TRUNCATE);
    CHECK(received == std::array<int, 5>{50, 10, 40, 41, -1});
    CHECK(reader->deliver(to.sources[0], {buffer, filled.bytes - 8, filled.word, getpid()}, receive) ==
          MPI_ERR_TRUNCATE);
}

TEST_CASE("A block common to all neighbors is there once and counts for each")
{
    const TestGroup test = test_group();
    const schedules::Edges edges{0, {1, 1, 2}, {1, 2}, {0, 1, 0}, {0, 0}};
    const schedules::MemoryPlan plan = memory_plan(edges, schedules::Blocks::common, [](int) { return true; }, {0, 0});
    DirectBlocks direct(test.group, test.tags.first, {}, 16);
    LentBlocks lending;
    const std::unique_ptr<BlockForm> form = make_varying_form(plan, direct, lending);
    int sent = 7;
    char buffer[16] = {};
    const BlockForm::Filled filled = form->fill(BlockLayout::single(&sent, 1, MPI_INT), buffer);
    CHECK(filled.bytes == 2 * sizeof(int));
    CHECK(filled.block_bytes == 3 * sizeof(int));
    std::array<int, 2> received{-1, -1};
    const BlockLayout receive = BlockLayout::regular(received.data(), 1, MPI_INT);
    for (const schedules::MemoryPlan::Source& source : plan.sources)
        CHECK(form->deliver(source, {buffer, sizeof buffer, filled.word, 0}, receive) == MPI_SUCCESS);
    CHECK(received == std::array<int, 2>{7, 7});
}
