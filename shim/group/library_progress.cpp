// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/library_progress.hpp"

#include "shim/group/progress.hpp"
#include "shim/mpi/imported_function.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <atomic>

namespace hopscotch::shim
{

namespace
{

/// Every blocking call of Open MPI waits in its progress loop.
bool join_progress_loop() noexcept
{
    using Callback = int (*)();
    using Register = int (*)(Callback);
    static const Callback advance = [] {
        drive_from_library();
        return 0; // events seen: none that Open MPI must know of
    };
    const auto enlist_callback = reinterpret_cast<Register>(find_symbol("opal_progress_register"));
    return enlist_callback != nullptr && enlist_callback(advance) == 0;
}

using UcxProgress = unsigned (*)(void* worker);

/// The function that the MPI library called before: UCX's, or that of a tool in front of UCX.
std::atomic<UcxProgress> progress_of_ucx{nullptr};
std::atomic<bool> ucx_calls{false};

/// We act after UCX has returned, never inside one of its callbacks.
unsigned progress_and_drive(void* worker)
{
    const unsigned events = progress_of_ucx.load(std::memory_order_relaxed)(worker);
    if (!ucx_calls.load(std::memory_order_relaxed))
        ucx_calls = true;
    drive_from_library();
    return events;
}

/// Makes progress until `done()` is true; false if that takes too long.
template <class Done>
bool look_until(Done&& done)
{
    constexpr int most_looks = 100;
    for (int look = 0, found = 0; look < most_looks && !done(); ++look)
        check(next.MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE));
    return done();
}

/// Every blocking call of MPICH over UCX polls through one function of UCX.
bool join_progress_of_ucx()
{
    const auto calls =
        ImportedFunction::find("ucp_worker_progress", "PMPI_Iprobe", reinterpret_cast<const void*>(next.MPI_Iprobe));
    // The dynamic linker may look the function up at its first call, and MPI_Init may not have made any progress.
    if (!calls.exists() || !look_until([&] { return calls.target() != nullptr; }))
        return false;
    progress_of_ucx = reinterpret_cast<UcxProgress>(calls.target());
    return calls.replace(reinterpret_cast<void*>(&progress_and_drive)) && look_until([] { return ucx_calls.load(); });
}

} // namespace

bool join_library_progress()
{
    if (abi_behind != Abi::mpich && join_progress_loop())
        return true;
    return abi_behind != Abi::openmpi && join_progress_of_ucx();
}

} // namespace hopscotch::shim
