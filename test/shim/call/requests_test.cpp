// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Waits for a request count in the trial of its call.
#include "shim/call/requests.hpp"

#include "shim/selection/trial_in_flight.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"

#include <memory>

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
