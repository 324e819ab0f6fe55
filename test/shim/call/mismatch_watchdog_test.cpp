// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A process in a long call tells its neighbors on both sides.
#include "test/catch.hpp"

#include "shim/call/mismatch_watchdog.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("A long call is announced once to each process that it sends to, and to each that it receives from")
{
    const TestGroup test = test_group();
    const auto [rank, size] = world();
    const int right = (rank + 1) % size;
    const int left = (rank + size - 1) % size;
    const auto graph = std::make_shared<Graph>();
    graph->edges = {rank, {right}, {left}, {0}, {0}};
    const Detected detected = detected_as(graph, test);
    MismatchWatchdog watchdog(detected);
    if (rank == 0) {
        WaitInCall wait;
        wait.tells_at = 0.0;
        while (wait.tells_at == 0.0) // until it has told
            watchdog.look(Call::MPI_Neighbor_alltoall, wait, [] { return NumberedCall{1, 2, 3, 4}; });
    }
    if (rank != 0 && (left == 0 || right == 0)) {
        NumberedCall heard;
        check(MPI_Recv(&heard, sizeof heard, MPI_BYTE, 0, test.tags.watchdog(), test.group->communicator(),
                       MPI_STATUS_IGNORE));
        CHECK(heard.same_call({1, 2, 0, 0}));
        CHECK(heard.algorithm == 3);
        CHECK(heard.block_bytes == 4);
    }
    check(MPI_Barrier(MPI_COMM_WORLD));
    int more = 0;
    check(MPI_Iprobe(MPI_ANY_SOURCE, test.tags.watchdog(), test.group->communicator(), &more, MPI_STATUS_IGNORE));
    CHECK(more == 0);
}
