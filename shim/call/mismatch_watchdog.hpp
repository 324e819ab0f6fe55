// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ends the job at a call that could never end, since sizes disagree, wrongly, and a neighbor has chosen another
// algorithm: a process whose call takes long tells its neighbors, and hears of them.
#pragma once

#include "schedules/selection/numbered_calls.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/flag.hpp"
#include "shim/graph/graph.hpp"
#include "shim/group/process_group.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

using schedules::NumberedCall;

/// A call of this process that has not ended yet.
struct WaitingCall {
    NumberedCall call;
    unsigned looks = 0;
    std::optional<Patience> patience = {}; // since it was looked at a few times
    double hears_at = 0.01;                // seconds of patience
    double tells_at = 1.0;

    /// Whether to hear what the others say: a hundred times a second. To be asked after every fruitless look.
    bool hears() noexcept;
};

/// Of one communicator. Safe to use from several threads.
class MismatchWatchdog
{
  public:
    /// `group`: null where there are no messages of ours, and nothing is asked. Who is in nobody's list is not told.
    /// Local.
    MismatchWatchdog(std::shared_ptr<const Graph> graph, std::shared_ptr<const ProcessGroup> group, int tag);

    /// What has come too late goes with the group: a look for it may give the core away.
    ~MismatchWatchdog();
    MismatchWatchdog(const MismatchWatchdog&) = delete;
    MismatchWatchdog& operator=(const MismatchWatchdog&) = delete;

    /// Remembers a nonblocking call for a while: a neighbor may wait in it after this process has left it. Local.
    void remember(const NumberedCall& call);

    /// After every fruitless look at a call of this function: the job ends where a neighbor carries it, or a call
    /// remembered, by another algorithm, since its blocks are of another size. After a second, then after twice as long
    /// each time, the neighbors are told of the call. None: they are not to be told of it. Local. Throws: MpiError.
    void look(Call function, std::optional<WaitingCall>& waiting)
    {
        if (waiting && waiting->hears())
            compare(function, *waiting);
    }

    /// Gives back what must not outlive MPI.
    void release() noexcept;

  private:
    void compare(Call function, WaitingCall& waiting);
    void tell(const NumberedCall& own);
    void hear();
    bool told() noexcept;

    std::shared_ptr<const Graph> graph_;
    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::mutex mutex_; // of the calls
    schedules::NumberedCalls calls_;
    Flag in_use_; // of the rest
    std::vector<int> neighbors_;
    std::vector<MPI_Request> sends_;
    NumberedCall said_; // what is being sent
};

} // namespace hopscotch::shim
