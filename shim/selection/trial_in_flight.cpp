// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in nonblocking calls, and lets the processes agree on the fastest while they go on.
#include "shim/selection/trial_in_flight.hpp"

#include "shim/base/clock.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// Calls take many exchanges in turn, and each must have begun before its time says something.
constexpr std::size_t calls_to_begin(std::size_t measured)
{
    return 2 * measured;
}

/// How many calls a process may make while it waits to hear from which on the outcome holds.
constexpr std::uint64_t calls_of_grace = 32;

} // namespace

TrialInFlight::TrialInFlight(std::vector<schedules::Choice> likely_fastest_first, std::size_t measured,
                             std::shared_ptr<const ProcessGroup> group, int tag)
    : measured_(measured),
      trial_(std::move(likely_fastest_first), calls_to_begin(measured) + measured, calls_to_begin(measured)),
      group_(std::move(group)), tag_(tag), seconds_(trial_.candidates().size() * (calls_to_begin(measured) + measured))
{
}

bool TrialInFlight::exhausted()
{
    const std::lock_guard<std::mutex> lock(mutex_);
    return trial_.exhausted();
}

std::pair<schedules::Choice, std::size_t> TrialInFlight::next_call()
{
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t call = trial_.calls();
    return {trial_.next_candidate(), call};
}

void TrialInFlight::note(std::size_t call, double seconds)
{
    const std::lock_guard<std::mutex> lock(mutex_);
    seconds_[call] = seconds;
    ++noted_;
}

/// Of each candidate what its calls take on average: where several are in flight, the first that is waited for may take
/// the time of all. Without the longest, for which something else may be to blame.
void TrialInFlight::sum_up()
{
    const std::size_t calls = calls_to_begin(measured_) + measured_;
    for (std::size_t end = calls; end <= seconds_.size(); end += calls) {
        const auto last = seconds_.begin() + static_cast<std::ptrdiff_t>(end);
        const auto first = last - static_cast<std::ptrdiff_t>(measured_);
        const double sum = std::accumulate(first, last, 0.0) - *std::max_element(first, last);
        trial_.note(end - 1, sum / static_cast<double>(measured_ - 1));
    }
}

bool TrialInFlight::may_make(std::uint64_t call)
{
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!holds_from_ && last_ && call > *last_)
        return false;
    made_ = call;
    return true;
}

std::optional<std::uint64_t> TrialInFlight::holds_from()
{
    const std::lock_guard<std::mutex> lock(mutex_);
    return holds_from_;
}

bool TrialInFlight::advance()
try {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (noted_ < trial_.calls())
        return false;
    if (!times_) {
        sum_up();
        times_.emplace(group_, tag_, trial_.nanoseconds());
    }
    if (!times_->advance())
        return false;
    if (!switches_) {
        last_ = made_ + calls_of_grace;
        switches_.emplace(group_, tag_, std::vector{static_cast<std::int64_t>(*last_)});
    }
    if (!switches_->advance())
        return false;
    trial_.conclude(times_->values(), {group_->nodes() == 1, group_->any_yields()});
    holds_from_ = static_cast<std::uint64_t>(switches_->values().front()) + 1;
    return true;
} catch (const MpiError&) {
    end_job("the MPI library does not carry the messages by which processes agree on the times of nonblocking calls",
            "processes could not agree");
    return true;
}

TriedCall::~TriedCall()
{
    trial_->note(call_, seconds(ticks_));
}

} // namespace hopscotch::shim
