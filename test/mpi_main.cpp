// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the tests that need MPI: all processes run the same cases one after the other, and one that fails fails for all.
#include "test/case_listener.hpp"

#include "shim/base/clock.hpp"
#include "shim/group/process_group.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "test/catch_runner.hpp"
#include "test/processes.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sched.h>

using namespace hopscotch::shim;

namespace
{

/// Processes leave a case together. If a process has left the case by a failure, others may wait for it for ever: after
/// a while one of them ends all. The time of a processor counts, which other work on the machine does not use up.
class Together final : public CaseListener
{
  public:
    using CaseListener::CaseListener;

  private:
    void failed(const std::string& place, const std::string& expression, const std::string& values) override
    {
        std::fprintf(stderr, "rank %d: %s: FAILED: %s with %s\n", world().rank, place.c_str(), expression.c_str(),
                     values.c_str());
    }

    void ended(const std::string& name, bool good) override
    {
        if (!good)
            std::fprintf(stderr, "rank %d: FAILED: %s\n", world().rank, name.c_str());
        int faults = good ? 0 : 1;
        MPI_Request request = MPI_REQUEST_NULL;
        check(next.MPI_Iallreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        const std::clock_t begin = std::clock();
        for (int done = 0; done == 0; sched_yield()) {
            check(next.MPI_Test(&request, &done, MPI_STATUS_IGNORE));
            if (static_cast<double>(std::clock() - begin) < CLOCKS_PER_SEC * patience())
                continue;
            std::fprintf(stderr, "rank %d: FAILED: other processes have not come to the end of: %s\n", world().rank,
                         name.c_str());
            next.MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
};

CATCH_REGISTER_LISTENER(Together)

/// Rank 0 tells of all cases, the others of faults only.
int run(int argc, char* argv[])
{
    if (world().rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
        return 1;
    return run_cases(argc, argv);
}

} // namespace

int main(int argc, char* argv[])
{
    resolve_functions();
    check(next.MPI_Init(&argc, &argv));
    make_own_world();
    start_clock();
    const unsigned agreed = seed();
    if (world().rank == 0)
        std::printf("%d processes, seed %u\n", world().size, agreed);
    int faults = run(argc, argv);
    check(next.MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    release_groups();
    check(next.MPI_Finalize());
    return faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
