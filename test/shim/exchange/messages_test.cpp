// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Messages of a schedule's rounds arrive whole or return an error, call after call.
#include "test/catch.hpp"

#include "shim/exchange/messages.hpp"
#include "shim/group/progress.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// Two phases round the ring of processes, there and back.
schedules::Schedule there_and_back()
{
    const int right = (world().rank + 1) % world().size;
    const int left = (world().rank + world().size - 1) % world().size;
    schedules::Schedule schedule;
    schedule.phases.resize(2);
    for (std::size_t k = 0; k < 2; ++k) {
        schedules::Round round;
        round.destination = k == 0 ? right : left;
        round.source = k == 0 ? left : right;
        schedule.phases[k].rounds.push_back(round);
    }
    return schedule;
}

void await(Messages& messages, std::size_t phase)
{
    while (!messages.arrived(phase))
        give_way();
}

} // namespace

TEST_CASE("Each phase's message arrives with its length, and one that is too long is told")
{
#ifdef OPEN_MPI // says nothing of those to the process itself
    const bool told = world().size > 1;
#else
    const bool told = true;
#endif
    const TestGroup test = test_group();
    const schedules::Schedule schedule = there_and_back();
    Messages messages(schedule, test.group, test.tags.first);
    CHECK(messages.rounds() == 2);
    CHECK(messages.phases() == 2);
    CHECK(messages.first_round(1) == 1);
    for (std::size_t call = 0; call < 6; ++call) {
        const bool too_long = call == 4;
        std::vector<char> there(10 + call, static_cast<char>(world().rank));
        std::vector<char> back(3, static_cast<char>(call));
        std::vector<char> in(20, -1);
        std::vector<char> in_again(3, -1);
        messages.receive(0, in.data(), too_long ? 5 : in.size());
        messages.receive(1, in_again.data(), in_again.size());
        messages.send(0, there.data(), there.size());
        await(messages, 0);
        messages.send(1, back.data(), back.size());
        await(messages, 1);
        CHECK((messages.error(0) != MPI_SUCCESS) == (too_long && told));
        if (!too_long) {
            CHECK(messages.bytes(0) == there.size());
            CHECK(in[9 + call] == static_cast<char>((world().rank + world().size - 1) % world().size));
        }
        CHECK(messages.error(1) == MPI_SUCCESS);
        CHECK(in_again == back);
        int error = MPI_SUCCESS;
        while (!messages.sent(error))
            give_way();
        CHECK(error == MPI_SUCCESS);
    }
}

TEST_CASE("Sends are in flight until they are complete, or the library returns an error")
{
    std::vector<MPI_Request> sends(1, MPI_REQUEST_NULL);
    int error = MPI_SUCCESS;
    CHECK(all_sent(sends, error));
    char bytes[4] = {};
    MPI_Request receive = MPI_REQUEST_NULL;
    check(MPI_Issend(bytes, 1, MPI_CHAR, world().rank, 0, MPI_COMM_WORLD, sends.data()));
    CHECK_FALSE(all_sent(sends, error));
    const auto library = next.MPI_Testall;
    next.MPI_Testall = [](int, MPI_Request*, int*, MPI_Status*) { return int{MPI_ERR_OTHER}; };
    CHECK_FALSE(all_sent(sends, error));
    next.MPI_Testall = library;
    CHECK(error == MPI_ERR_OTHER);
    error = MPI_SUCCESS;
    check(MPI_Irecv(bytes + 1, 1, MPI_CHAR, world().rank, 0, MPI_COMM_WORLD, &receive));
    while (!all_sent(sends, error))
        give_way();
    CHECK(error == MPI_SUCCESS);
    check(MPI_Wait(&receive, MPI_STATUS_IGNORE));
}
