// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes go round the processes of a group.
#include "test/catch.hpp"

#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <algorithm>

using namespace hopscotch::shim;

TEST_CASE("Messages of any length arrive whole, with their length")
{
    const TestGroup test = test_group();
    const int right = (world().rank + 1) % world().size;
    const int left = (world().rank + world().size - 1) % world().size;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
        const std::vector<char> sent(bytes, static_cast<char>(world().rank + 1));
        std::vector<char> received(bytes + 1, 0);
        MPI_Request requests[2];
        MPI_Status statuses[2];
        start_receive(*test.group, received.data(), bytes + 1, left, test.tags.first, requests[0]);
        start_send(*test.group, sent.data(), bytes, right, test.tags.first, requests[1]);
        check(next.Waitall(2, requests, statuses));
        CHECK(received_bytes(statuses[0]) == bytes);
        CHECK(std::count(received.begin(), received.end(), static_cast<char>(left + 1)) ==
              static_cast<std::ptrdiff_t>(bytes));
    }
}
