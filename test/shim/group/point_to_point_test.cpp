// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes go round the processes of a group.
#include "test/catch.hpp"

#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

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
        check(
            start_receive(test.group->communicator(), received.data(), bytes + 1, left, test.tags.first, requests[0]));
        check(start_send(test.group->communicator(), sent.data(), bytes, right, test.tags.first, requests[1]));
        check(next.MPI_Waitall(2, requests, statuses));
        CHECK(received_bytes(statuses[0]) == bytes);
        CHECK(std::count(received.begin(), received.end(), static_cast<char>(left + 1)) ==
              static_cast<std::ptrdiff_t>(bytes));
    }
}

TEST_CASE("A receive that an error has left takes no message of a later set-up")
{
    const TestGroup test = test_group();
    const Ground ground{*test.group, MPI_COMM_WORLD, test.tags.set_up()};
    const int right = (world().rank + 1) % world().size;
    const int left = (world().rank + world().size - 1) % world().size;
    int left_over = 0;
    SetUpMessages(ground.group.communicator(), ground.tag).receive(&left_over, sizeof left_over, left);
    check(MPI_Barrier(MPI_COMM_WORLD));
    const int sent[] = {1, 2};
    MPI_Request sends[2];
    for (std::size_t i = 0; i < 2; ++i)
        check(start_send(test.group->communicator(), &sent[i], sizeof(int), right, ground.tag, sends[i]));
    for (const int expected : sent) {
        int received = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        check(start_receive(test.group->communicator(), &received, sizeof received, left, ground.tag, request));
        check(next.MPI_Wait(&request, MPI_STATUS_IGNORE));
        REQUIRE(received == expected); // else the last one would be waited for in vain
    }
    check(next.MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
    CHECK(left_over == 0);
}

TEST_CASE("A send that an error has left is given back to the library")
{
    static int freed;
    freed = 0;
    const ReplacedFunctions replaced;
    const TestGroup test = test_group();
    const int tag = test.tags.set_up();
    const int sent = world().rank;
    const int left = (world().rank + world().size - 1) % world().size;
    int received = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    {
        SetUpMessages messages(test.group->communicator(), tag);
        messages.send(&sent, sizeof sent, (world().rank + 1) % world().size);
        next.MPI_Request_free = [](MPI_Request* handle) {
            return ++freed, ReplacedFunctions::library.MPI_Request_free(handle);
        };
    }
    CHECK(freed == 1);
    check(start_receive(test.group->communicator(), &received, sizeof received, left, tag, request));
    check(next.MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(received == left);
}

TEST_CASE("The parts of all processes reach rank 0, of any length, in the order of ranks")
{
    const auto part_of = [](int rank) {
        return std::string(static_cast<std::size_t>(rank % 3), static_cast<char>('a' + rank));
    };
    const TestGroup test = test_group();
    std::string all = part_of(world().rank);
    gather_up(
        test.group->communicator(), [&all] { return all; }, [&all](const std::string& bytes) { all += bytes; });
    std::string expected;
    for (int rank = 0; rank < world().size; ++rank)
        expected += part_of(rank);
    CHECK((world().rank != 0 || all == expected));
}
