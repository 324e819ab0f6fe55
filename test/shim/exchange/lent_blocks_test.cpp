// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lent blocks arrive from the memory of this process, and blocks that the system refuses are reported as missing.
#include "test/catch.hpp"

#include "shim/base/log.hpp"
#include "shim/exchange/lent_blocks.hpp"
#include "test/allocated.hpp"
#include "test/processes.hpp"
#include "test/readable.hpp"

#include <mpi.h>
#include <unistd.h>

using namespace hopscotch::shim;

TEST_CASE("Lent blocks are copied by their receiver, more at once than the system takes in one call")
{
    if (!memory_is_readable())
        return;
    constexpr int blocks = 3000;
    std::vector<int> sent(2 * blocks);
    std::vector<int> received(2 * blocks, -1);
    LentBlocks ends;
    for (int i = 0; i < blocks; ++i) {
        sent[2 * static_cast<std::size_t>(i)] = i;
        const BlockLayout from = BlockLayout::regular(&sent[2 * static_cast<std::size_t>(i)], 1, MPI_INT);
        const BlockLayout to = BlockLayout::regular(&received[2 * static_cast<std::size_t>(i)], 1, MPI_INT);
        ends.borrow(ends.lend(from[0]), to[0]);
    }
    int error = MPI_SUCCESS;
    CHECK(ends.copy_from(getpid(), error));
    CHECK(error == MPI_SUCCESS);
    for (int i = 0; i < blocks; ++i) {
        CHECK(received[2 * static_cast<std::size_t>(i)] == i);
        CHECK(received[2 * static_cast<std::size_t>(i) + 1] == -1);
    }
}

TEST_CASE("A block with gaps is copied once, in the call that borrows it")
{
    if (!memory_is_readable())
        return;
    const CommittedType pairs(MPI_Type_vector, 2, 1, 2, MPI_INT);
    const int sent[] = {7, 8};
    int received[3] = {-1, -1, -1};
    LentBlocks ends;
    ends.borrow({reinterpret_cast<std::uintptr_t>(sent), sizeof sent}, BlockLayout::single(received, 1, pairs)[0]);
    int error = MPI_SUCCESS;
    CHECK(ends.copy_from(getpid(), error));
    CHECK(received[0] == 7);
    CHECK(received[1] == -1);
    CHECK(received[2] == 8);
    received[0] = -1;
    CHECK(ends.copy_from(getpid(), error));
    CHECK(error == MPI_SUCCESS);
    CHECK(received[0] == -1);
}

TEST_CASE("The copy of a lent block with gaps is gone after it has been taken back")
{
    const CommittedType column(MPI_Type_vector, 10000, 1, 2, MPI_INT);
    std::vector<int> sent(20000, 7);
    const Block block = BlockLayout::single(sent.data(), 1, column)[0];
    LentBlocks ends;
    for (int call = 0; call < 3; ++call) {
        const std::size_t before = allocated_bytes();
        ends.lend(block);
        ends.take_back();
        CHECK(allocated_bytes() < before + block.bytes);
    }
}

TEST_CASE("Memory that cannot be read is missing, without an effect on the next blocks")
{
    if (!memory_is_readable())
        return;
    set_log_level(LogLevel::error);
    int received[4] = {-1, -1, -1, -1};
    const BlockLayout to = BlockLayout::regular(received, 1, MPI_INT);
    const BlockLayout two = BlockLayout::regular(received, 2, MPI_INT);
    LentBlocks ends;
    int error = MPI_SUCCESS;
    ends.borrow({1, sizeof(int)}, to[0]); // an unmapped address
    CHECK_FALSE(ends.copy_from(getpid(), error));
    CHECK(error == MPI_SUCCESS);
    ends.borrow({0, sizeof(int)}, to[0]); // its sender had no memory
    CHECK(ends.copy_from(getpid(), error));
    CHECK(error == MPI_ERR_NO_MEM);
    const int sent = 7;
    const LentBlock lent{reinterpret_cast<std::uintptr_t>(&sent), sizeof sent};
    ends.borrow(lent, to[1]);
    error = MPI_SUCCESS;
    CHECK(ends.copy_from(getpid(), error));
    CHECK(error == MPI_SUCCESS);
    ends.borrow(lent, two[1]);
    CHECK(ends.copy_from(getpid(), error));
    CHECK(error == MPI_ERR_TRUNCATE);
    CHECK(received[0] == -1);
    CHECK(received[1] == 7);
    CHECK(received[2] == 7);
    set_log_level(LogLevel::warn);
}
