// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of one size come out of a buffer as they went in; other sizes and other forms are noticed.
#include "test/catch.hpp"

#include "test/shim/exchange/forms.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("Blocks of one size are taken from their positions, dense or not")
{
    const schedules::MemoryPlan from = sending_plan();
    const schedules::MemoryPlan to = receiving_plan();
    const std::unique_ptr<BlockForm> writer = make_regular_form(from);
    const std::unique_ptr<BlockForm> reader = make_regular_form(to);
    MPI_Datatype gap = MPI_DATATYPE_NULL;
    REQUIRE(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gap) == MPI_SUCCESS);
    REQUIRE(MPI_Type_commit(&gap) == MPI_SUCCESS);
    int sent[10] = {0, 1, 10, 11, 20, 21, 30, 31, 40, 41};
    for (const bool dense : {true, false}) {
        const BlockLayout send = BlockLayout::regular(sent, dense ? 2 : 1, dense ? MPI_INT : gap);
        char buffer[64] = {};
        CHECK(writer->fits(send, 4 * send.block_bytes()));
        CHECK_FALSE(writer->fits(send, 4 * send.block_bytes() - 1));
        const BlockForm::Filled filled = writer->fill(send, buffer);
        CHECK(filled.block_bytes == 3 * send.block_bytes()); // on the node
        int received[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
        const BlockLayout receive = BlockLayout::regular(received, dense ? 2 : 1, dense ? MPI_INT : gap);
        const BlockForm::Shown shown{buffer, sizeof buffer, filled.word};
        CHECK(reader->deliver(to.sources[0], shown, receive) == MPI_SUCCESS);
        CHECK(received[0] == 40);
        CHECK(received[1] == (dense ? 41 : -1));
        CHECK(received[2] == 10);
        CHECK(received[4] == 30);

        const BlockLayout longer = BlockLayout::regular(received, 3, MPI_INT);
        CHECK(reader->deliver(to.sources[0], shown, longer) == MPI_ERR_TRUNCATE);
        const BlockForm::Shown beyond{buffer, 4 * send.block_bytes() - 1, filled.word};
        CHECK(reader->deliver(to.sources[0], beyond, receive) == MPI_ERR_TRUNCATE);
        const BlockForm::Shown table{buffer, sizeof buffer, filled.word | table_mark};
        CHECK(reader->deliver(to.sources[0], table, receive) == MPI_ERR_TRUNCATE);
    }
    MPI_Type_free(&gap);
}
