// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/trial.hpp"

#include "schedules/selection/reasons.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// A few calls are a short measurement: a predicted algorithm stays unless the MPI library's own function is clearly
/// faster.
constexpr double faster_than_ours = 0.97;

/// The part of the predicted algorithm's time that another one may take to replace it. If processes wait for cores,
/// times of single calls differ by half and more. On one node the prediction, shared memory, is hardly ever wrong. Nor
/// is it for calls that are shorter than the differences between processes as they leave the agreement before the call.
double faster_than_predicted(Surroundings surroundings, double predicted_takes)
{
    constexpr double apart_seconds = 2e-6;
    if (surroundings.one_node && (surroundings.crowded || predicted_takes < apart_seconds))
        return clearly_faster;
    return surroundings.crowded ? 0.9 : 0.95;
}

constexpr double per_second = 1e9;

std::int64_t nanoseconds_of(double seconds)
{
    return static_cast<std::int64_t>(seconds * per_second) + 1;
}

double counted(std::vector<double> measured, Trial::Counts counts)
{
    std::sort(measured.begin(), measured.end());
    if (counts == Trial::Counts::fastest || measured.size() == 1)
        return measured.front();
    if (counts == Trial::Counts::median)
        return measured[measured.size() / 2];
    return std::accumulate(measured.begin(), measured.end() - 1, 0.0) / static_cast<double>(measured.size() - 1);
}

} // namespace

Trial::Trial(std::vector<Choice> likely_fastest_first, std::size_t calls_per_candidate, std::size_t not_measured)
    : calls_per_candidate_(calls_per_candidate), not_measured_(not_measured)
{
    for (Choice& choice : likely_fastest_first) {
        Candidate candidate;
        candidate.choice = std::move(choice);
        candidate.measured.reserve(calls_per_candidate);
        candidates_.push_back(std::move(candidate));
    }
    tried_.resize(candidates_.size());
    std::iota(tried_.begin(), tried_.end(), std::size_t{0});
    if (candidates_.size() == 1)
        winner_ = 0;
}

Trial::Trial(std::vector<Choice> likely_fastest_first, const std::vector<double>& seconds, std::size_t winner)
    : Trial(std::move(likely_fastest_first))
{
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        candidates_[i].seconds = seconds[i];
    keep(winner);
}

bool Trial::exhausted() const noexcept
{
    return calls_ == calls_per_candidate_ * tried_.size();
}

const Choice& Trial::next_candidate() noexcept
{
    return candidates_[tried_[calls_++ / calls_per_candidate_]].choice;
}

void Trial::note(std::size_t call, double seconds) noexcept
{
    if (call % calls_per_candidate_ < not_measured_)
        return;
    candidates_[tried_[call / calls_per_candidate_]].measured.push_back(seconds);
    last_nanoseconds_ = nanoseconds_of(seconds);
}

void Trial::leave_if_hopeless(std::int64_t slowest) noexcept
{
    constexpr std::int64_t users_wait = 100'000'000;
    constexpr std::int64_t hopeless = 10;
    last_nanoseconds_ = 0;
    if (slowest == 0)
        return;
    if (slowest > users_wait && slowest / hopeless > least_nanoseconds_)
        calls_ += (calls_per_candidate_ - calls_ % calls_per_candidate_) % calls_per_candidate_;
    least_nanoseconds_ = std::min(least_nanoseconds_, slowest);
}

std::vector<std::int64_t> Trial::nanoseconds(Counts counts) const
{
    std::vector<std::int64_t> result;
    for (const Candidate& candidate : candidates_)
        result.push_back(candidate.measured.empty() ? std::numeric_limits<std::int64_t>::max()
                                                    : nanoseconds_of(counted(candidate.measured, counts)));
    return result;
}

void Trial::conclude(const std::vector<std::int64_t>& agreed, Surroundings surroundings)
{
    where_ = surroundings;
    for (const std::size_t i : tried_)
        candidates_[i].seconds = static_cast<double>(agreed[i]) / per_second;
    const std::size_t likely = tried_.front();
    const double clearly = faster_than_predicted(surroundings, candidates_[likely].seconds);
    std::size_t best = likely;
    for (const std::size_t i : tried_) {
        const bool native = candidates_[i].choice.algorithm == Algorithm::native;
        const double wanted = best == likely ? clearly : native ? faster_than_ours : 1.0;
        if (candidates_[i].seconds < candidates_[best].seconds * wanted)
            best = i;
    }
    keep(best);
    again_ = false;
}

void Trial::keep(std::size_t winner)
{
    winner_ = winner;
    if (candidates_[winner].choice.algorithm == Algorithm::native)
        candidates_[winner].choice.reason = reason::native_was_fastest;
}

/// The candidates that are tried again: those near the fastest. Others would cost more than they might gain. But the
/// baseline of the report is tried a second time before it counts as far: the first few calls touch the MPI library's
/// buffers for the first time (MPICH 4.0.2: three times as long).
std::vector<std::size_t> Trial::near_the_fastest() const
{
    constexpr double far = 4.0;
    constexpr double far_at_first = 32.0;
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const bool cold = !tried_again_ && candidates_[i].choice.algorithm == Algorithm::native;
        if (candidates_[i].seconds <= (cold ? far_at_first : far) * candidates_[*winner_].seconds)
            near.push_back(i);
    }
    return near;
}

void Trial::rest(std::uint64_t calls) noexcept
{
    constexpr std::uint64_t longer = 8;
    due_at_ = calls + pause_;
    pause_ *= longer;
}

void Trial::begin_again()
{
    tried_ = near_the_fastest();
    tried_again_ = true;
    if (tried_.size() == 1)
        return keep_for_good();
    constexpr std::size_t many_calls = 20; // with six candidates still fewer than Agreements allow
    if (where_.crowded && !where_.one_node && calls_per_candidate_ < many_calls)
        calls_per_candidate_ *= 2;
    for (Candidate& candidate : candidates_) {
        if (!where_.crowded)
            candidate.measured.clear();
        candidate.measured.reserve(candidate.measured.size() + calls_per_candidate_);
    }
    calls_ = 0;
    last_nanoseconds_ = 0;
    least_nanoseconds_ = std::numeric_limits<std::int64_t>::max();
    again_ = true;
}

void Agreements::adjourn() noexcept
{
    constexpr std::uint64_t shortest = 64;
    pause = trial != nullptr ? shortest : std::clamp(2 * pause, shortest, longest_pause);
    trial = nullptr;
    trial_calls = 0;
    next_call = calls + pause;
}

void Agreements::go_on() noexcept
{
    ++trial_calls;
    if (trial == nullptr || trial_calls > most_trial_calls)
        adjourn();
    else
        next_call = calls + 1;
}

} // namespace hopscotch::schedules
