// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of one size come out of a buffer as they went in; other sizes and other forms are noticed.
#include "test/catch.hpp"

#include "test/readable.hpp"
#include "test/shim/exchange/forms.hpp"

#include <algorithm>
#include <memory>
#include <mpi.h>
#include <unistd.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// Both ends, and a type whose elements leave gaps.
struct Ends {
    schedules::MemoryPlan from = sending_plan();
    schedules::MemoryPlan to = receiving_plan();
    LentBlocks lending;
    std::unique_ptr<BlockForm> writer = make_regular_form(from, lending);
    std::unique_ptr<BlockForm> reader = make_regular_form(to, lending);
    MPI_Datatype gap = MPI_DATATYPE_NULL;

    Ends()
    {
        REQUIRE(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gap) == MPI_SUCCESS);
        REQUIRE(MPI_Type_commit(&gap) == MPI_SUCCESS);
    }
    ~Ends() { MPI_Type_free(&gap); }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;

    int deliver(const BlockForm::Shown& shown, const BlockLayout& receive) const
    {
        return reader->deliver(to.sources[0], shown, receive);
    }
};

} // namespace

TEST_CASE("Blocks of one size are taken from their positions, dense or not")
{
    const Ends ends;
    int sent[10] = {0, 1, 10, 11, 20, 21, 30, 31, 40, 41};
    for (const bool dense : {true, false}) {
        const BlockLayout send = BlockLayout::regular(sent, dense ? 2 : 1, dense ? MPI_INT : ends.gap);
        char buffer[64] = {};
        CHECK(ends.writer->fits(send, 4 * send.block_bytes()));
        CHECK_FALSE(ends.writer->fits(send, 4 * send.block_bytes() - 1));
        const BlockForm::Filled filled = ends.writer->fill(send, buffer);
        CHECK(filled.block_bytes == 3 * send.block_bytes()); // on the node
        int received[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
        const BlockLayout receive = BlockLayout::regular(received, dense ? 2 : 1, dense ? MPI_INT : ends.gap);
        const BlockForm::Shown shown{buffer, sizeof buffer, filled.word, getpid()};
        CHECK(ends.deliver(shown, receive) == MPI_SUCCESS);
        CHECK(received[0] == 40);
        CHECK(received[1] == (dense ? 41 : -1));
        CHECK(received[2] == 10);
        CHECK(received[4] == 30);

        const BlockLayout longer = BlockLayout::regular(received, 3, MPI_INT);
        CHECK(ends.deliver(shown, longer) == MPI_ERR_TRUNCATE);
        const BlockForm::Shown beyond{buffer, 4 * send.block_bytes() - 1, filled.word, getpid()};
        CHECK(ends.deliver(beyond, receive) == MPI_ERR_TRUNCATE);
        const BlockForm::Shown table{buffer, sizeof buffer, filled.word | table_mark, getpid()};
        CHECK(ends.deliver(table, receive) == MPI_ERR_TRUNCATE);
    }
}

TEST_CASE("Large blocks of one size are copied from where they lie, dense or not")
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
        char buffer[64] = {};
        CHECK(ends.writer->fits(send, sizeof buffer));
        CHECK_FALSE(ends.writer->fits(send, sizeof buffer - 1));
        const BlockForm::Filled filled = ends.writer->fill(send, buffer);
        CHECK(filled.lends);
        CHECK(filled.block_bytes == 3 * send.block_bytes());
        int received[12];
        std::fill(std::begin(received), std::end(received), -1);
        const BlockLayout receive = BlockLayout::regular(received, 2, type);
        const BlockForm::Shown shown{buffer, sizeof buffer, filled.word, getpid()};
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
