// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ends the job at a call that could never end, because sizes wrongly disagree and a neighbor has chosen another
// algorithm: a process in a long call announces it to its neighbors, and receives their announcements.
#pragma once

#include "schedules/selection/numbered_calls.hpp"
#include "shim/base/clock.hpp"
#include "shim/graph/detection.hpp"
#include "shim/mpi/threads.hpp"

#include <mutex>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

using schedules::NumberedCall;

/// The wait in a call of this process that has not ended yet.
struct WaitInCall {
    unsigned looks = 0;
    std::optional<Patience> patience = {}; // since it was looked at a few times
    double tells_at = 1.0;                 // seconds of patience

    /// True if it is time to receive announcements, after a hundredth of a second. To be asked after every fruitless
    /// look.
    bool hears() noexcept;
};

/// The watchdog of one communicator. Safe to use from several threads.
class MismatchWatchdog
{
  public:
    /// `detected` must live as long. Without a group nothing is announced. A process that is in no list gets no
    /// announcement. Local.
    explicit MismatchWatchdog(const Detected& detected) : detected_(detected) {}

    /// Announcements that come too late stay with the group: a look for them may yield the core.
    ~MismatchWatchdog() { release(); }
    MismatchWatchdog(const MismatchWatchdog&) = delete;
    MismatchWatchdog& operator=(const MismatchWatchdog&) = delete;

    /// Remembers a nonblocking call for a while: a neighbor may wait in it after this process has left it. Local.
    void remember(const NumberedCall& call);

    /// To be called after every fruitless look at a call of this function. The job ends if a neighbor carries it, or a
    /// call remembered, by another algorithm because of another block size. After a second, then after twice as long
    /// each time, the call is announced to the neighbors. `own()`: the call, after many looks; none: it is not to be
    /// announced. Local. Throws: MpiError.
    template <class OwnCall>
    void look(Call function, WaitInCall& wait, OwnCall&& own)
    {
        if (!wait.hears())
            return;
        if (const std::optional<NumberedCall> call = own())
            compare(function, *call, wait);
    }

    /// Gives back objects that must not outlive MPI.
    void release() noexcept;

  private:
    void compare(Call function, const NumberedCall& own, WaitInCall& wait);
    void tell(const NumberedCall& own);
    void hear();
    bool told() noexcept;

    const Detected& detected_;
    std::mutex mutex_; // protects the calls
    schedules::NumberedCalls calls_;
    Flag in_use_;                // protects the rest
    std::vector<int> neighbors_; // once something is announced
    std::vector<MPI_Request> sends_;
    NumberedCall said_; // the announcement being sent
};

} // namespace hopscotch::shim
