// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ends the job at a call that could never end, because sizes wrongly disagree and a neighbor has chosen another
// algorithm: a process in a long call announces it to its neighbors, and receives their announcements.
#pragma once

#include "schedules/selection/numbered_calls.hpp"
#include "shim/base/clock.hpp"
#include "shim/graph/graph.hpp"
#include "shim/group/process_group.hpp"
#include "shim/mpi/threads.hpp"

#include <memory>
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
    /// `group`: outlives this; null if messages of the library are not possible, also from some time on: then nothing
    /// is announced. A process that is in no list gets no announcement. Local.
    MismatchWatchdog(std::shared_ptr<const Graph> graph, const std::shared_ptr<ProcessGroup>& group, int tag);

    /// Announcements that come too late stay with the group: a look for them may yield the core.
    ~MismatchWatchdog();
    MismatchWatchdog(const MismatchWatchdog&) = delete;
    MismatchWatchdog& operator=(const MismatchWatchdog&) = delete;

    /// Takes the graph of the communicator's set-up. Requires: nothing has been announced. Local.
    void take_graph(std::shared_ptr<const Graph> graph) noexcept { graph_ = std::move(graph); }

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

    std::shared_ptr<const Graph> graph_;
    const std::shared_ptr<ProcessGroup>& group_;
    int tag_;
    std::mutex mutex_; // protects the calls
    schedules::NumberedCalls calls_;
    Flag in_use_;                // protects the rest
    std::vector<int> neighbors_; // once something is announced
    std::vector<MPI_Request> sends_;
    NumberedCall said_; // the announcement being sent
};

} // namespace hopscotch::shim
