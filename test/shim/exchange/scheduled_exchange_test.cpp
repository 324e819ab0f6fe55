// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks arrive by every schedule, with and without knowledge of their sizes.
#include "test/catch.hpp"

#include "schedules/plan/direct.hpp"
#include "shim/exchange/scheduled_exchange.hpp"
#include "test/shim/exchange/carried.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("Blocks of one size arrive one by one, merged and combined")
{
    for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged, Algorithm::combining})
        carry(algorithm, {Collective::alltoall, Collective::allgather}, 12);
}

TEST_CASE("Blocks of many sizes arrive one by one and merged")
{
    for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged})
        carry(algorithm, {Collective::alltoallv, Collective::allgatherv}, 12);
}

TEST_CASE("Blocks of many sizes arrive combined, large ones directly")
{
    carry(Algorithm::combining, {Collective::alltoallv, Collective::allgatherv}, 16);
}

TEST_CASE("A process that expects larger blocks than are sent gets an error")
{
    for (unsigned number = 0; number < 4; ++number) {
        std::mt19937 random(seed() + number);
        CarriedJob job(random);
        INFO("seed " << seed() + number << ": " << job.description());
        for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged, Algorithm::combining}) {
            Choice choice;
            choice.algorithm = algorithm;
            if (number % 2 == 1) // the ends of an edge disagree on a block that travels directly
                choice.cutoff_bytes = 8;
            for (const Collective collective : {Collective::alltoall, Collective::alltoallv, Collective::allgatherv})
                CHECK(job.fault_of_wrong_size(collective, choice) == "");
        }
    }
}

TEST_CASE("If the second part of a message fails so does its call, and no later one")
{
    if (world().size < 2)
        return;
    const TestGroup test = test_group();
    const int right = (world().rank + 1) % world().size;
    const int left = (world().rank + world().size - 1) % world().size;
    ExchangePlan plan;
    plan.schedule = schedules::merged({world().rank, {right}, {left}, {0}, {0}});
    ScheduledExchange exchange(std::move(plan), schedules::SizesAre::described, test.group, test.tags.first);
    static int second_tag;
    static decltype(next.MPI_Irecv) library;
    second_tag = test.tags.first + 1;
    library = next.MPI_Irecv;
    const std::vector<int> sent(1000, world().rank);
    for (const bool fails : {true, false}) {
        std::vector<int> received(1000, -1);
        const BlockLayout from = BlockLayout::regular(sent.data(), 1000, MPI_INT);
        const BlockLayout to = BlockLayout::regular(received.data(), 1000, MPI_INT);
        if (fails) // it is longer than its room
            next.MPI_Irecv = [](void* room, int bytes, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                                MPI_Request* request) {
                return library(room, tag == second_tag ? bytes - 1 : bytes, type, source, tag, comm, request);
            };
        exchange.begin(from, to);
        wait(exchange, true, [] {});
        next.MPI_Irecv = library;
        CHECK(exchange.error() == (fails ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
        if (!fails)
            CHECK(received == std::vector<int>(1000, left));
    }
}
