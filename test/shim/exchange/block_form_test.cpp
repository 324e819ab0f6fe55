// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of one size or of many come out of a buffer as they went in; other sizes and other forms are noticed.
#include "test/catch.hpp"

#include "shim/exchange/block_form.hpp"
#include "test/processes.hpp"
#include "test/readable.hpp"

#include <array>
#include <limits>
#include <mpi.h>
#include <unistd.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// Process 0 sends three blocks to process 1, which receives the last one first; two other blocks go to no process and
/// to a process on another node.
schedules::MemoryPlan sending_plan()
{
    const schedules::Edges edges{0, {schedules::no_rank, 1, 2, 1, 1}, {}, {0, 0, 0, 1, 2}, {}};
    return memory_plan(edges, schedules::Blocks::individual, [](int rank) { return rank < 2; }, {});
}

schedules::MemoryPlan receiving_plan()
{
    const schedules::Edges edges{1, {}, {0, 0, 0}, {}, {2, 0, 1}};
    return memory_plan(edges, schedules::Blocks::individual, [](int rank) { return rank < 2; }, {3, 0, 2});
}

/// All that it shows, lent blocks too.
int deliver(BlockForm& reader, const schedules::MemoryPlan::Source& source, const BlockForm::Shown& shown,
            const BlockLayout& receive)
{
    bool missing = false;
    const int error = reader.deliver(source, shown, receive, BlockForm::Lent::copied, missing);
    CHECK_FALSE(missing);
    return error;
}

/// Both ends, and a type with gaps between elements.
struct Ends {
    schedules::MemoryPlan from = sending_plan();
    schedules::MemoryPlan to = receiving_plan();
    LentBlocks lending;
    TestGroup test = test_group();
    DirectBlocks direct{test.group, test.tags.first, {}, to.cutoff_bytes};
    BlockForm writer{from, direct, lending};
    BlockForm reader{to, direct, lending};
    MPI_Datatype gap = MPI_DATATYPE_NULL;

    explicit Ends(bool one_size = true)
    {
        from.one_size = to.one_size = one_size;
        REQUIRE(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gap) == MPI_SUCCESS);
        REQUIRE(MPI_Type_commit(&gap) == MPI_SUCCESS);
    }
    ~Ends() { MPI_Type_free(&gap); }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;

    int deliver(const BlockForm::Shown& shown, const BlockLayout& receive)
    {
        return ::deliver(reader, to.sources[0], shown, receive);
    }
};

} // namespace

TEST_CASE("Blocks of one size are taken from their positions, dense or not")
{
    Ends ends;
    int sent[10] = {0, 1, 10, 11, 20, 21, 30, 31, 40, 41};
    for (const bool dense : {true, false}) {
        const BlockLayout send = BlockLayout::regular(sent, dense ? 2 : 1, dense ? MPI_INT : ends.gap);
        char buffer[64] = {};
        ends.writer.begin(send);
        CHECK(ends.writer.fits(send, 4 * send.block_bytes()));
        CHECK_FALSE(ends.writer.fits(send, 4 * send.block_bytes() - 1));
        const BlockForm::Filled filled = ends.writer.fill(send, buffer);
        CHECK(filled.block_bytes == 3 * send.block_bytes()); // on the node
        int received[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
        const BlockLayout receive = BlockLayout::regular(received, dense ? 2 : 1, dense ? MPI_INT : ends.gap);
        const BlockForm::Shown shown{buffer, sizeof buffer, filled.word, getpid()};
        const schedules::MemoryPlan::Source& source = ends.to.sources[0];
        CHECK(BlockForm::has_positions(source, shown, send.block_bytes()));
        CHECK_FALSE(BlockForm::has_positions(source, shown, send.block_bytes() + 1));
        CHECK(ends.deliver(shown, receive) == MPI_SUCCESS);
        CHECK(received[0] == 40);
        CHECK(received[1] == (dense ? 41 : -1));
        CHECK(received[2] == 10);
        CHECK(received[4] == 30);

        const BlockLayout longer = BlockLayout::regular(received, 3, MPI_INT);
        CHECK(ends.deliver(shown, longer) == MPI_ERR_TRUNCATE);
        const BlockForm::Shown beyond{buffer, 4 * send.block_bytes() - 1, filled.word, getpid()};
        CHECK(ends.deliver(beyond, receive) == MPI_ERR_TRUNCATE);
        CHECK_FALSE(BlockForm::has_positions(source, beyond, send.block_bytes()));
        const BlockForm::Shown exact{buffer, 4 * send.block_bytes(), filled.word, getpid()};
        CHECK(BlockForm::has_positions(source, exact, send.block_bytes()));
        const BlockForm::Shown table{buffer, sizeof buffer, filled.word | table_mark, getpid()};
        CHECK_FALSE(BlockForm::has_positions(source, table, table.word));
        CHECK(ends.deliver(table, receive) == MPI_ERR_TRUNCATE);
    }
}

TEST_CASE("Large blocks of one size are copied directly, dense or not")
{
    if (!memory_is_readable())
        return;
    Ends ends;
    ends.from.lent_from_bytes = 8;
    int sent[20];
    for (int i = 0; i < 20; ++i)
        sent[i] = i;
    for (const bool dense : {true, false}) {
        const MPI_Datatype type = dense ? MPI_INT : ends.gap;
        const int step = dense ? 1 : 2;
        const BlockLayout send = BlockLayout::regular(sent, 2, type);
        char buffer[80] = {};
        ends.writer.begin(send);
        CHECK(ends.writer.fits(send, sizeof buffer));
        CHECK_FALSE(ends.writer.fits(send, sizeof buffer - 1));
        const BlockForm::Filled filled = ends.writer.fill(send, buffer);
        CHECK(filled.lends);
        CHECK(filled.block_bytes == 3 * send.block_bytes());
        int received[12];
        std::fill(std::begin(received), std::end(received), -1);
        const BlockLayout receive = BlockLayout::regular(received, 2, type);
        const BlockForm::Shown shown{buffer, filled.bytes, filled.word, getpid()}; // as little room as they take
        CHECK(ends.deliver(shown, receive) == MPI_SUCCESS);
        const int first[] = {4, 1, 3}; // block at its sender, by receive slot
        for (int slot = 0; slot < 3; ++slot)
            for (int i = 0; i < 2; ++i)
                CHECK(received[(slot * 2 + i) * step] == (first[slot] * 2 + i) * step);
        CHECK(received[1] == (dense ? 9 : -1));

        const BlockLayout longer = BlockLayout::regular(received, 3, MPI_INT);
        CHECK(ends.deliver(shown, longer) == MPI_ERR_TRUNCATE);
        CHECK(ends.deliver({buffer, sizeof(LentBlock), filled.word, getpid()}, receive) == MPI_ERR_TRUNCATE);
        ends.lending.take_back();
    }
}

TEST_CASE("Blocks of many sizes are found by the table before them, without those that travel directly")
{
    Ends ends(false);
    ends.from.cutoff_bytes = sizeof(int); // no block on the node is larger
    const std::array<int, 4> sent{10, 20, 21, 40};
    const std::array<int, 5> counts{0, 1, 2, 0, 1}; // the third goes beyond the node
    const std::array<int, 5> places{0, 0, 1, 3, 3};
    const BlockLayout send = BlockLayout::varying(sent.data(), counts.data(), places.data(), MPI_INT, 5);
    char buffer[64] = {};
    CHECK(ends.writer.fits(send, 4 * (4 + 8)));
    CHECK_FALSE(ends.writer.fits(send, 4 * (4 + 8) - 1));
    const BlockForm::Filled filled = ends.writer.fill(send, buffer);
    CHECK(filled.block_bytes == 2 * sizeof(int));
    CHECK(filled.bytes == 6 * sizeof(int));

    std::array<int, 3> received{-1, -1, -1};
    const std::array<int, 3> right{1, 1, 0};
    const std::array<int, 3> order{0, 1, 2};
    const BlockForm::Shown shown{buffer, sizeof buffer, filled.word, 0};
    const BlockLayout receive = BlockLayout::varying(received.data(), right.data(), order.data(), MPI_INT, 3);
    CHECK(ends.deliver(shown, receive) == MPI_SUCCESS);
    CHECK(received == std::array<int, 3>{40, 10, -1});

    const std::array<int, 3> wrong{1, 0, 0};
    const BlockLayout shorter = BlockLayout::varying(received.data(), wrong.data(), order.data(), MPI_INT, 3);
    CHECK(ends.deliver(shown, shorter) == MPI_ERR_TRUNCATE);
    received.fill(-1);
    const std::array<int, 3> more{1, 2, 0};
    const BlockLayout longer = BlockLayout::varying(received.data(), more.data(), order.data(), MPI_INT, 3);
    CHECK(ends.deliver(shown, longer) == MPI_ERR_TRUNCATE);
    CHECK(received == std::array<int, 3>{40, 10, -1}); // as much as there is
    received.fill(-1);
    CHECK(ends.deliver({buffer, 5 * sizeof(int), filled.word, 0}, receive) == MPI_ERR_TRUNCATE);
    CHECK(received == std::array<int, 3>{-1, 10, -1}); // nothing from beyond the room
    CHECK(ends.deliver({buffer, sizeof buffer, 4, 0}, receive) == MPI_ERR_TRUNCATE);
}

TEST_CASE("Blocks are lent in calls of many bytes, or if one is too large for the memory")
{
    Ends ends(false);
    ends.from.lent_from_bytes = 4;
    const std::array<int, 4> sent{10, 20, 21, 40};
    const std::array<int, 5> counts{0, 1, 2, 0, 1};
    const std::array<int, 5> places{0, 0, 1, 3, 3};
    const BlockLayout send = BlockLayout::varying(sent.data(), counts.data(), places.data(), MPI_INT, 5);
    const auto lends = [&](std::size_t call_bytes, std::size_t buffer_bytes) {
        ends.from.lending_call_bytes = call_bytes;
        ends.from.buffer_bytes = buffer_bytes;
        BlockForm writer(ends.from, ends.direct, ends.lending);
        char buffer[96] = {};
        writer.begin(send);
        const BlockForm::Filled filled = writer.fill(send, buffer);
        CHECK(filled.block_bytes == 2 * sizeof(int));
        return filled.lends;
    };
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    CHECK(lends(0, any));
    CHECK(lends(8, any));
    CHECK_FALSE(lends(9, any));
    CHECK_FALSE(lends(9, 4 * 4 + 8)); // four entries of the table
    CHECK(lends(9, 4 * 4 + 7));
    CHECK(lends(9, 7));
}

TEST_CASE("Calls of a size lend in turn in trials, except for blocks that are too large for the memory")
{
    Ends ends;
    ends.from.lent_from_bytes = 8;
    ends.from.lending_call_bytes = 1;
    ends.from.copy_results = std::make_shared<schedules::CopyTrials::Results>();
    ends.from.buffer_bytes = std::size_t{1} << 16;
    BlockForm writer(ends.from, ends.direct, ends.lending);
    const std::vector<int> sent(5 * 1024);
    std::vector<char> buffer(ends.from.buffer_bytes);
    const auto lends = [&](int count) {
        writer.begin(BlockLayout::regular(sent.data(), count, MPI_INT));
        return writer.fill(BlockLayout::regular(sent.data(), count, MPI_INT), buffer.data()).lends;
    };
    for (unsigned call = 0; call < schedules::CopyTrials::calls_of_trial; ++call) {
        const bool lent = lends(1024);
        CHECK(lent == (call / 2 % 2 == 0));
        REQUIRE(writer.copies().measures());
        writer.copies().note(lent ? 2 : 1);
    }
    CHECK_FALSE(lends(1024));
    CHECK_FALSE(writer.copies().measures());
    ends.from.buffer_bytes = 4096;
    CHECK(lends(1024));
}

TEST_CASE("Blocks of one size stand behind a table if those that go elsewhere leave no room")
{
    Ends ends;
    ends.from.lending_call_bytes = 1000;
    ends.from.buffer_bytes = 4 * 8 - 1; // four positions, three of them for blocks to the other process
    const int sent[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const BlockLayout send = BlockLayout::regular(sent, 2, MPI_INT);
    char buffer[80] = {};
    ends.writer.begin(send);
    const BlockForm::Filled filled = ends.writer.fill(send, buffer);
    CHECK_FALSE(filled.lends);
    CHECK((filled.word & table_mark) != 0);
    int received[6] = {};
    const BlockLayout receive = BlockLayout::regular(received, 2, MPI_INT);
    CHECK(ends.deliver({buffer, sizeof buffer, filled.word, getpid()}, receive) == MPI_SUCCESS);
    CHECK(std::count(std::begin(received), std::end(received), 0) == 0);
}

TEST_CASE("Of blocks of many sizes the large ones are lent")
{
    if (!memory_is_readable())
        return;
    Ends ends(false);
    ends.from.lent_from_bytes = 8;
    const std::array<int, 7> sent{10, 20, 21, 40, 41, 42, 50};
    const std::array<int, 5> counts{0, 1, 2, 3, 1}; // the third goes beyond the node
    const std::array<int, 5> places{0, 0, 1, 3, 6};
    const BlockLayout send = BlockLayout::varying(sent.data(), counts.data(), places.data(), MPI_INT, 5);
    char buffer[96] = {};
    ends.writer.begin(send);
    CHECK(ends.writer.fits(send, 4 * (4 + sizeof(LentBlock))));
    CHECK_FALSE(ends.writer.fits(send, 4 * (4 + sizeof(LentBlock)) - 1));
    const BlockForm::Filled filled = ends.writer.fill(send, buffer);
    CHECK(filled.lends);
    CHECK(filled.block_bytes == 5 * sizeof(int));
    CHECK(filled.bytes == (4 + 2) * sizeof(int) + sizeof(LentBlock));

    std::array<int, 5> received{-1, -1, -1, -1, -1};
    const std::array<int, 3> right{1, 1, 3};
    const std::array<int, 3> order{0, 1, 2};
    const BlockForm::Shown shown{buffer, sizeof buffer, filled.word, getpid()};
    const BlockLayout receive = BlockLayout::varying(received.data(), right.data(), order.data(), MPI_INT, 3);
    CHECK(ends.deliver(shown, receive) == MPI_SUCCESS);
    CHECK(received == std::array<int, 5>{50, 10, 40, 41, 42});

    received.fill(-1);
    const std::array<int, 3> wrong{1, 1, 2};
    const BlockLayout shorter = BlockLayout::varying(received.data(), wrong.data(), order.data(), MPI_INT, 3);
    CHECK(ends.deliver(shown, shorter) == MPI_ERR_TRUNCATE);
    CHECK(received == std::array<int, 5>{50, 10, 40, 41, -1});
    CHECK(ends.deliver({buffer, filled.bytes - 8, filled.word, getpid()}, receive) == MPI_ERR_TRUNCATE);
}

TEST_CASE("A block common to all neighbors is there once and counts for each")
{
    const TestGroup test = test_group();
    const schedules::Edges edges{0, {1, 1, 2}, {1, 2}, {0, 1, 0}, {0, 0}};
    const schedules::MemoryPlan plan = memory_plan(edges, schedules::Blocks::common, [](int) { return true; }, {0, 0});
    DirectBlocks direct(test.group, test.tags.first, {}, 16);
    LentBlocks lending;
    BlockForm form(plan, direct, lending);
    int sent = 7;
    char buffer[16] = {};
    const BlockForm::Filled filled = form.fill(BlockLayout::single(&sent, 1, MPI_INT), buffer);
    CHECK(filled.bytes == 2 * sizeof(int));
    CHECK(filled.block_bytes == 3 * sizeof(int));
    std::array<int, 2> received{-1, -1};
    const BlockLayout receive = BlockLayout::regular(received.data(), 1, MPI_INT);
    for (const schedules::MemoryPlan::Source& source : plan.sources)
        CHECK(deliver(form, source, {buffer, sizeof buffer, filled.word, 0}, receive) == MPI_SUCCESS);
    CHECK(received == std::array<int, 2>{7, 7});
    schedules::MemoryPlan without_table = plan;
    without_table.one_size = true;
    BlockForm whole(without_table, direct, lending);
    whole.begin(BlockLayout::single(&sent, 1, MPI_INT));
    CHECK(whole.fits(BlockLayout::single(&sent, 1, MPI_INT), sizeof sent));
    CHECK_FALSE(whole.fits(BlockLayout::single(&sent, 1, MPI_INT), sizeof sent - 1));
}
