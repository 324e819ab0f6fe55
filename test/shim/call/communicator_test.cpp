// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The error handler of a freed communicator sees the errors of its requests, and none of other graphs; the record for
// the report has all counters.
#include "shim/call/communicator.hpp"

#include "shim/call/neighborhood_call.hpp"
#include "shim/call/registry.hpp"
#include "shim/gather/graph_records.hpp"
#include "shim/graph/lazy_set_up.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

#include <memory>
#include <set>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

int handled = 0;

void count_error(MPI_Comm*, int*, ...)
{
    ++handled;
}

} // namespace

TEST_CASE("After an error on a freed communicator the private communicator of all graphs returns errors again")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    check(MPI_Comm_create_errhandler(count_error, &handler));
    check(MPI_Comm_set_errhandler(comm.get(), handler));
    check(MPI_Errhandler_free(&handler));
    Communicator record(comm.get(), detect(comm.get()), Settings(), 0);
    record.note_freed(comm.get());
    CHECK(record.is_freed());
    if (record.group() == nullptr)
        return;
    handled = 0;
    record.raise_after_free("MPI_Wait", MPI_ERR_TRUNCATE);
    CHECK(handled == 1);
    check(MPI_Comm_get_errhandler(record.group()->communicator(), &handler));
    CHECK(handler == MPI_ERRORS_RETURN);
}

TEST_CASE("The record has each counter of an operation, and times in seconds or nanoseconds")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    Communicator record(comm.get(), detect(comm.get()), Settings(), 0);
    const Choice merged{Algorithm::merged, {}};
    SelectionEntry& entry = record.selection().find_entry(Call::MPI_Ineighbor_alltoall, merged);
    constexpr std::uint64_t time = 123456789; // ticks
    std::uint64_t number = 0;
    for (const CounterField& field : counter_fields)
        entry.counters.*field.value = ++number;
    entry.counters.staged_ns = time;
    entry.counters.ticks = time;
    entry.ticks_of_requests = 2 * time;
    OperationCounters operation;
    double wanted = 0;
    const auto is_near = [&] {
        return static_cast<double>(operation.staged_ns) == about(wanted * 1e9).epsilon(1e-3) &&
               operation.seconds == about(3 * wanted).epsilon(1e-3);
    };
    // Time passes for a process that loses its core between two readings of the clock: they are repeated.
    int tries = 0;
    do {
        const GraphRecord found = record_of(record);
        REQUIRE(found.operations.size() == 1);
        operation = found.operations.begin()->second;
        wanted = seconds(time);
    } while (!is_near() && ++tries < 20);
    for (const CounterField& field : counter_fields) {
        INFO(field.name);
        const bool of_all = field.value == &Counters::process_calls;
        if (field.value == &Counters::staged_ns)
            CHECK(static_cast<double>(operation.staged_ns) == about(wanted * 1e9).epsilon(1e-3));
        else
            CHECK(operation.*field.value == (of_all ? entry.counters.calls : entry.counters.*field.value));
    }
    CHECK(operation.seconds == about(3 * wanted).epsilon(1e-3));
}

TEST_CASE("The time of a later set-up is counted")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(
        shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {-1, 1}), random));
    static int place = 0;
    const std::vector<void*> call_site{&place}; // from which no graph was ever used
    bool was_later = false;
    for (int unused = 0; unused < 20 && !was_later; ++unused) {
        CollectiveConsensus consensus(comm.get());
        Origin origin{Call::MPI_Dist_graph_create_adjacent, MPI_COMM_NULL, {}, &call_site, std::nullopt};
        Detected detected = conclude(propose(consensus, std::move(origin), 1), consensus, Settings()).value();
        was_later = detected.set_up_later != nullptr;
        Communicator record(comm.get(), std::move(detected), Settings(), 7);
        if (!was_later)
            continue;
        record.set_up();
        CHECK(record.setup_ticks() > 7);
    }
    CHECK(was_later);
}

TEST_CASE("The places of communicators hear of those with few calls, and nothing of calls from those without")
{
    const JobCommunicator comm(ring_job());
    for (const std::int64_t calls : {0, 1}) {
        const std::uint64_t site = 4720 + static_cast<std::uint64_t>(calls);
        Detected detected = detect(comm.get());
        detected.site = site;
        auto record = std::make_unique<Communicator>(comm.get(), std::move(detected), Settings(), 0);
        for (std::int64_t call = 0; call < calls; ++call)
            record->selection().entry(Call::MPI_Neighbor_alltoall, Collective::alltoall, Completion::blocking, {4, 4});
        record.reset();
        CHECK(brief_so_far(site) == calls);
    }
}

TEST_CASE("Neighbors take no call for one of another collective or another form of completion")
{
    const JobCommunicator comm(ring_job());
    const Communicator record(comm.get(), detect(comm.get()), Settings(), 0);
    std::set<std::uint64_t> series;
    for (const Completion completion : {Completion::blocking, Completion::nonblocking})
        for (const Collective each : {Collective::alltoall, Collective::allgather, Collective::global_allgather})
            series.insert(record.last_call(each, completion, Algorithm::trivial, 4).value().series);
    CHECK(series.size() == 6);
}

TEST_CASE("A call that is left to the MPI library counts as failed if it has failed")
{
    const JobCommunicator comm(ring_job());
    attach_communicator(comm.get(), std::make_unique<Communicator>(comm.get(), detect(comm.get()), Settings(), 0));
    constexpr auto why = schedules::reason::left_to_the_library;
    mutable_runtime().active = true;
    for (const int code : {MPI_SUCCESS, MPI_ERR_COUNT})
        CHECK(leave_to_library(Call::MPI_Neighbor_alltoall, comm.get(), why, [code] { return code; }) == code);
    mutable_runtime().active = false;
    const SelectionEntry& entry =
        find_communicator(comm.get())->selection().passed_entry(Call::MPI_Neighbor_alltoall, why);
    CHECK(entry.counters.calls == 2);
    CHECK(entry.counters.failed == 1);
}

TEST_CASE("A record that gives back its objects keeps no group of processes")
{
    const JobCommunicator comm(ring_job());
    Detected detected = detect(comm.get());
    const std::weak_ptr<ProcessGroup> group = detected.group;
    const long others = group.use_count() - 1;
    REQUIRE(others >= 0);
    Communicator record(comm.get(), std::move(detected), Settings(), 0);
    record.release();
    CHECK(group.use_count() <= others);
}

TEST_CASE("At the end of MPI the communicators that the program has not freed keep no group of processes")
{
    const JobCommunicator comm(ring_job());
    attach_communicator(comm.get(), std::make_unique<Communicator>(comm.get(), detect(comm.get()), Settings(), 0));
    release_communicators();
    CHECK(find_communicator(comm.get())->group() == nullptr);
}
