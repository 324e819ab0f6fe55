// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in nonblocking calls, and lets the processes agree on the fastest while they go on.
#pragma once

#include "schedules/selection/trial.hpp"
#include "shim/group/dissemination.hpp"
#include "shim/group/progress.hpp"
#include "shim/selection/core_time.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// A trial of calls that complete at any time. After the calls of this process have completed, and it has been
/// enlisted, it agrees with the others by messages that nobody waits for: on the times of the slowest process, then on
/// the first call for which the outcome holds. Every process names a call that it has not reached, and does not pass it
/// before it knows the latest call named by any process; for this, others need to make progress in MPI, but no call.
/// For all threads.
class TrialInFlight final : public InFlight
{
  public:
    /// The first two as of LateTrial. `tag`: of its messages alone.
    TrialInFlight(std::vector<schedules::Choice> likely_fastest_first, std::size_t measured,
                  std::shared_ptr<const ProcessGroup> group, int tag);

    /// True if every candidate has had its calls.
    bool exhausted();

    /// The algorithm for the next call, and the number of the call in the trial. Requires: not exhausted.
    std::pair<schedules::Choice, std::size_t> next_call();

    /// A call of the trial is complete; the program was in MPI for so many seconds.
    void note(std::size_t call, double seconds);

    /// True if the program may make the call with this number before the outcome is known, or if the outcome is known.
    bool may_make(std::uint64_t call);

    /// The first call for which the outcome holds; none if it is not known.
    std::optional<std::uint64_t> holds_from();

    /// Decided once holds_from() says something.
    const schedules::Trial& trial() const noexcept { return trial_.trial(); }
    double others_share() const noexcept { return others_share_; }

    bool advance() override;

  private:
    std::mutex mutex_;
    schedules::LateTrial trial_;
    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::uint64_t made_ = 0;                // the program's last call
    std::optional<std::uint64_t> last_;     // that may be made before the outcome is known; none: any
    std::optional<Dissemination> times_;    // once all calls are noted
    std::optional<Dissemination> switches_; // once the times are agreed upon
    std::optional<std::uint64_t> holds_from_;
    TrialLoad load_;
    double others_share_ = unknown_share;
};

/// A call of a trial in the program's hands. At its end, the program has seen the completion, or does not want to.
class TriedCall
{
  public:
    TriedCall(std::shared_ptr<TrialInFlight> trial, std::size_t call) : trial_(std::move(trial)), call_(call) {}
    ~TriedCall();
    TriedCall(const TriedCall&) = delete;
    TriedCall& operator=(const TriedCall&) = delete;

    /// Adds to the time that the program was in MPI for it.
    void add_ticks(std::uint64_t elapsed) noexcept { ticks_ += elapsed; }

  private:
    std::shared_ptr<TrialInFlight> trial_;
    std::size_t call_;
    std::atomic<std::uint64_t> ticks_{0};
};

} // namespace hopscotch::shim
