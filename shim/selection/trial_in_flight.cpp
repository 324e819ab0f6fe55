// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/trial_in_flight.hpp"

#include "shim/base/clock.hpp"

#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The number of calls that a process may make while it waits for the first call of the outcome.
constexpr std::uint64_t calls_of_grace = 32;

} // namespace

TrialInFlight::TrialInFlight(std::vector<schedules::Choice> likely_fastest_first, std::size_t measured,
                             std::shared_ptr<const ProcessGroup> group, int tag)
    : trial_(std::move(likely_fastest_first), measured), group_(std::move(group)), tag_(tag)
{
    load_.begin();
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
    trial_.note(call, seconds);
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
{
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!trial_.all_complete())
        return false;
    if (!times_) {
        std::vector<std::int64_t> values = trial_.nanoseconds();
        values.push_back(load_.value({group_->due_share(), group_->any_yields()}));
        times_.emplace(group_, tag_, std::move(values));
    }
    if (!times_->advance())
        return false;
    if (!switches_) {
        last_ = made_ + calls_of_grace;
        switches_.emplace(group_, tag_, std::vector{static_cast<std::int64_t>(*last_)});
    }
    if (!switches_->advance())
        return false;
    const std::vector<std::int64_t>& agreed = times_->values();
    others_share_ = agreed_share(agreed.back(), {group_->due_share(), group_->any_yields()});
    trial_.conclude(agreed, {group_->nodes() == 1, group_->any_yields()});
    holds_from_ = static_cast<std::uint64_t>(switches_->values().front()) + 1;
    return true;
}

TriedCall::~TriedCall()
{
    trial_->note(call_, seconds(ticks_));
}

} // namespace hopscotch::shim
