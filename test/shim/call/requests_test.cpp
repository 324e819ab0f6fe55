// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Waits for a request count in the trial of its call, and an error of its exchange is that of the request.
#include "shim/call/requests.hpp"

#include "shim/call/nonblocking_call.hpp"
#include "shim/call/request_array.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/selection/trial_in_flight.hpp"
#include "test/catch.hpp"
#include "test/device/device_memory.h"
#include "test/device/loaded.hpp"
#include "test/processes.hpp"
#include "test/shim/exchange/failing_exchange.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;
using namespace hopscotch::test;

namespace
{

/// A random graph that returns errors, and its record. Collective: over MPI_COMM_WORLD.
struct RandomGraph {
    RandomGraph() { check(MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN)); }

    std::mt19937 random{seed()};
    JobCommunicator comm{random_job(random)};
    std::shared_ptr<Communicator> record =
        std::make_shared<Communicator>(comm.get(), detect(comm.get()), Settings(), 0);
};

/// Complete at once.
struct EmptyExchange final : Exchange {
    void begin(const BlockLayout&, const BlockLayout&) override {}
    bool advance() override { return true; }
};

} // namespace

TEST_CASE("The time that the program is in MPI for a request is measured by the trial of its call")
{
    const TestGroup test = test_group();
    const std::vector<Choice> choices{{Algorithm::merged, {}}, {Algorithm::combining, {}}};
    const auto trial =
        std::make_shared<TrialInFlight>(choices, 2, test.group, test.tags.silent_agreement(Collective::alltoall));
    SelectionEntry entry;
    while (!trial->exhausted()) {
        entry.tried = std::make_shared<TriedCall>(trial, trial->next_call().second);
        NativeRequest request(entry, nullptr, {});
        CHECK(entry.tried == nullptr);
        request.add_ticks(1000);
    }
    for (const auto& candidate : trial->trial().candidates()) {
        CHECK(candidate.measured.size() == 2);
        for (const double seconds : candidate.measured)
            CHECK(seconds > 0.0);
    }
}

TEST_CASE("Nothing is concluded after a call that has failed, and the error stays")
{
    const bool has_memory = GENERATE(true, false);
    const RandomGraph graph;
    if (graph.record->group() == nullptr)
        return;
    SelectionEntry entry;
    entry.call = Call::MPI_Ineighbor_alltoall;
    const auto exchange = std::make_shared<FailingExchange>();
    exchange->has_memory = has_memory;
    const auto made = std::make_shared<OperationRequest>(graph.record, graph.comm.get(), entry, exchange,
                                                         Layouts{BlockLayout(), BlockLayout()}, false);
    bool concluded = false;
    made->take(nullptr, false, {nullptr, [&concluded] { return concluded = true, MPI_SUCCESS; }});
    MPI_Request request = give_request(made, 0);
    int index = 0;
    CHECK(RequestArray(1, &request).wait_any(&index, MPI_STATUS_IGNORE) ==
          (has_memory ? MPI_ERR_OTHER : MPI_ERR_NO_MEM));
    CHECK_FALSE(concluded);
    CHECK_FALSE(exchange->busy());
}

TEST_CASE("A persistent request whose buffer cannot be copied is not active, and starts later")
{
    const Device device(StandIn::cuda);
    const DeviceBuffer there(device, 100, 's');
    const RandomGraph graph;
    if (graph.record->group() == nullptr)
        return;
    const Layouts user{BlockLayout::regular(there.data(), 101, MPI_BYTE), BlockLayout()};
    SelectionEntry entry;
    entry.call = Call::MPI_Neighbor_alltoall_init;
    const auto made = std::make_shared<OperationRequest>(graph.record, graph.comm.get(), entry,
                                                         std::make_shared<FailingExchange>(), user, true);
    made->take(StagedBuffers::find(user, {0}, {}), false, {});
    MPI_Request request = give_request(made, 0);
    CHECK(start_one(&request) == MPI_ERR_OTHER);
    CHECK_FALSE(made->active());
    made->take(nullptr, false, {});
    CHECK(start_one(&request) == MPI_SUCCESS);
    int index = 0;
    CHECK(RequestArray(1, &request).wait_any(&index, MPI_STATUS_IGNORE) == MPI_ERR_OTHER);
    forget(request);
}

TEST_CASE("A start of a verified persistent request forgets what the one before has received, and its error")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    int buffer[2] = {};
    const std::vector<int> sources{0};
    const Layouts user{BlockLayout::single(buffer, 1, MPI_INT), BlockLayout::single(buffer + 1, 1, MPI_INT)};
    MPI_Request reference = MPI_REQUEST_NULL;
    check(MPI_Recv_init(buffer, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &reference));
    Verification verification(sources, user, std::make_shared<LibraryExchange>(reference, true));
    verification.start();
    const Block received = verification.receive()[0];
    const std::vector<char> before(received.data(), received.data() + sizeof(int));
    const auto library = next.MPI_Test;
    next.MPI_Test = [](MPI_Request*, int*, MPI_Status*) { return int{MPI_ERR_OTHER}; };
    CHECK(verification.complete());
    next.MPI_Test = library;
    CHECK(verification.error_of_reference() == MPI_ERR_OTHER);
    while (!verification.complete())
        ;
    buffer[1] = 4711;
    copy(user.receive[0], received);
    verification.start();
    CHECK(std::vector<char>(received.data(), received.data() + sizeof(int)) == before);
    CHECK(verification.error_of_reference() == MPI_SUCCESS);
    while (!verification.complete())
        ;
}

TEST_CASE("An error of the reference that names no cause is no difference from one of ours")
{
    const RandomGraph graph;
    SelectionEntry entry;
    const std::vector<int> sources;
    const Verification verification(sources, Layouts{BlockLayout(), BlockLayout()}, nullptr);
    for (const int theirs : {MPI_ERR_IN_STATUS, MPI_ERR_OTHER, MPI_ERR_UNKNOWN, MPI_ERR_INTERN})
        verification.compare(*graph.record, entry, MPI_ERR_TRUNCATE, theirs);
    CHECK(entry.counters.differences == 0);
}

TEST_CASE("An operation has failed if a function of the program throws at its end")
{
    SelectionEntry entry;
    BlockingOperation operation(nullptr, entry, std::make_shared<EmptyExchange>(),
                                Layouts{BlockLayout(), BlockLayout()}, 0);
    operation.take(nullptr, false, {nullptr, []() -> int { throw 1; }});
    CHECK_THROWS_AS(operation.run(), int);
    CHECK(operation.outcome() == MPI_ERR_OTHER);
}

TEST_CASE("An error of other requests ends those of this library that are complete")
{
    const RandomGraph graph;
    SelectionEntry entry;
    entry.call = Call::MPI_Ineighbor_alltoall;
    MPI_Request requests[2];
    check(MPI_Irecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &requests[0]));
    requests[1] = give_request(std::make_shared<OperationRequest>(graph.record, graph.comm.get(), entry,
                                                                  std::make_shared<EmptyExchange>(),
                                                                  Layouts{BlockLayout(), BlockLayout()}, false),
                               0);
    MPI_Status statuses[2];
    const auto library = next.MPI_Testsome;
    next.MPI_Testsome = [](int, MPI_Request*, int*, int*, MPI_Status*) { return int{MPI_ERR_OTHER}; };
    CHECK(RequestArray(2, requests).wait_all(statuses) == MPI_ERR_OTHER);
    next.MPI_Testsome = library;
    CHECK(statuses[0].MPI_ERROR == MPI_ERR_PENDING);
    CHECK(statuses[1].MPI_ERROR == MPI_SUCCESS);
    CHECK(requests[1] == MPI_REQUEST_NULL);
    check(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
}

TEST_CASE("A test for one of two requests finds one that is complete, and each at times; a handle is forgotten once")
{
    const RandomGraph graph;
    SelectionEntry entry;
    entry.call = Call::MPI_Neighbor_alltoall_init;
    MPI_Request requests[2];
    for (MPI_Request& request : requests)
        request = give_request(std::make_shared<OperationRequest>(graph.record, graph.comm.get(), entry,
                                                                  std::make_shared<EmptyExchange>(),
                                                                  Layouts{BlockLayout(), BlockLayout()}, true),
                               0);
    // For a library that does not drive progress they are always started: it refuses a start that we do not see.
    int ended = 1;
    check(next.MPI_Request_get_status(requests[0], &ended, MPI_STATUS_IGNORE));
    CHECK_FALSE(ended);
    int found[2] = {0, 0};
    const auto test = [&] {
        int index = 0;
        int flag = 0;
        check(RequestArray(2, requests).test_any(&index, &flag, MPI_STATUS_IGNORE));
        REQUIRE(flag);
        ++found[index];
        return index;
    };
    check(start_one(&requests[0]));
    for (int i = 0; i < 100; ++i)
        check(start_one(&requests[test()]));
    CHECK(found[1] == 0);
    check(start_one(&requests[1]));
    for (int i = 0; i < 100; ++i)
        check(start_one(&requests[test()]));
    CHECK(found[1] > 0);
    CHECK(found[1] < 50); // the first place most often, as in MPI libraries
    test();
    test();
    const std::shared_ptr<TimedOperation> first = tracked(requests[0]);
    forget(requests[0]);
    forget(requests[0]);
    track(requests[0], first);
    CHECK(tracked(requests[0]) == first);
    for (const MPI_Request request : requests)
        forget(request);
}
