// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/progress.hpp"

#include "test/catch.hpp"
#include "test/processes.hpp"

#include <atomic>
#include <thread>

using namespace hopscotch::shim;

namespace
{

std::atomic<int> looks{0};

/// Never advances but by drive_from_library(), and is complete if the test says so.
class Counting : public InFlight
{
  public:
    bool advance() override
    {
        ++advances_;
        return complete_;
    }
    void complete() { complete_ = true; }
    int advances() const { return advances_; }

  private:
    std::atomic<int> advances_{0};
    std::atomic<bool> complete_{false};
};

/// The number of times that a call of drive_from_library() has advanced the operation, in a thread of its own.
int advanced_in_thread(const Counting& operation)
{
    const int before = operation.advances();
    std::thread(drive_from_library).join();
    return operation.advances() - before;
}

int advanced_here(const Counting& operation)
{
    const int before = operation.advances();
    drive_from_library();
    return operation.advances() - before;
}

} // namespace

TEST_CASE("The library's progress advances operations only in threads that may call MPI")
{
    const auto operation = std::make_shared<Counting>();
    look_along([] { ++looks; });
    enlist(operation);
    CHECK(operation->advances() == 1);
    CHECK(advanced_here(*operation) == 0);
    CHECK(looks == 0);

    allow_driving(Drivers::callers);
    CHECK(advanced_in_thread(*operation) == 0);
    CHECK(looks == 0);
    CHECK(advanced_here(*operation) == 1);
    CHECK(looks == 1);
    std::thread([] {
        const auto other = std::make_shared<Counting>();
        enlist(other);
        CHECK(advanced_here(*other) == 1);
        other->complete();
        progress();
    }).join();

    allow_driving(Drivers::any);
    CHECK(advanced_in_thread(*operation) == 1);

    operation->complete();
    progress();
    allow_driving(Drivers::none);
    look_along(nullptr);
    CHECK_FALSE(anything_in_flight());
}

TEST_CASE("A process that waits lets the library look for messages at every so many looks")
{
    static int probes;
    probes = 0;
    const ReplacedFunctions replaced;
    next.MPI_Iprobe = [](int, int, MPI_Comm, int*, MPI_Status*) { return ++probes, MPI_SUCCESS; };
    unsigned looked = 0;
    for (int i = 0; i < 30; ++i)
        poll_now_and_then(looked, MPI_COMM_SELF, 10);
    CHECK(probes == 3);
}
