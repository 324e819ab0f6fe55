// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Waits for a request count in the trial of its call, and an error of its exchange is that of the request.
#include "shim/call/requests.hpp"

#include "shim/call/nonblocking_call.hpp"
#include "shim/call/request_array.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/selection/trial_in_flight.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"
#include "test/shim/exchange/failing_exchange.hpp"
#include "test/shim/graph/detected.hpp"

#include <memory>
#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

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
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    const auto record = std::make_shared<Communicator>(comm.get(), detect(comm.get()), Settings(), 0);
    if (record->group() == nullptr)
        return;
    check(MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN));
    SelectionEntry entry;
    entry.call = Call::Ineighbor_alltoall;
    const auto made = std::make_shared<ExchangeRequest>(record, comm.get(), entry, std::make_shared<FailingExchange>(),
                                                        Layouts{BlockLayout(), BlockLayout()}, false);
    bool concluded = false;
    made->set_around({nullptr, [&concluded] { return concluded = true, MPI_SUCCESS; }});
    MPI_Request request = give_request(made, 0);
    int index = 0;
    CHECK(RequestArray(1, &request).wait_any(&index, MPI_STATUS_IGNORE) == MPI_ERR_OTHER);
    CHECK_FALSE(concluded);
}
