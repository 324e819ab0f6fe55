// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in turn for `auto`, keeps the fastest, and says when the processes of a communicator talk about it.
#include "schedules/selection/trial.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// A few calls are a short measurement: ours stays where the MPI library's own function is not clearly faster.
constexpr double faster_than_ours = 0.97;

/// The same of what is predicted to be the fastest. Where processes wait for cores, times of single calls differ by
/// half and more, while on one node the prediction, shared memory, is hardly ever wrong. So is it for calls that take
/// no longer than processes are apart when they leave the agreement before the call.
double faster_than_predicted(Surroundings surroundings, double predicted_takes)
{
    constexpr double apart_seconds = 2e-6;
    if (surroundings.one_node && (surroundings.crowded || predicted_takes < apart_seconds))
        return 0.5;
    return surroundings.crowded ? 0.9 : 0.95;
}

constexpr double per_second = 1e9;

} // namespace

Trial::Trial(std::vector<Choice> likely_fastest_first, std::size_t calls_per_candidate, std::size_t not_measured)
    : calls_per_candidate_(calls_per_candidate), not_measured_(not_measured)
{
    for (Choice& choice : likely_fastest_first) {
        Candidate candidate;
        candidate.choice = std::move(choice);
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
    Candidate& candidate = candidates_[tried_[call / calls_per_candidate_]];
    candidate.measured = std::min(candidate.measured.value_or(seconds), seconds);
}

std::vector<std::int64_t> Trial::nanoseconds() const
{
    std::vector<std::int64_t> result;
    for (const Candidate& candidate : candidates_)
        result.push_back(candidate.measured ? static_cast<std::int64_t>(*candidate.measured * per_second) + 1
                                            : std::numeric_limits<std::int64_t>::max());
    return result;
}

void Trial::conclude(const std::vector<std::int64_t>& agreed, Surroundings surroundings)
{
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
        candidates_[winner].choice.reason = native_was_fastest;
}

/// Others would cost more than they might gain. But what the report measures by is tried a second time before it is
/// called far: the first few calls touch the MPI library's buffers for the first time (MPICH 4.0.2: thrice as long).
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
    for (Candidate& candidate : candidates_)
        candidate.measured.reset();
    calls_ = 0;
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

LateTrial::LateTrial(std::vector<Choice> likely_fastest_first, std::size_t measured)
    : measured_(measured), calls_of_each_(3 * measured),
      trial_(std::move(likely_fastest_first), calls_of_each_, 2 * measured),
      seconds_(trial_.candidates().size() * calls_of_each_)
{
}

void LateTrial::note(std::size_t call, double seconds) noexcept
{
    seconds_[call] = seconds;
    ++noted_;
}

std::vector<std::int64_t> LateTrial::nanoseconds()
{
    for (std::size_t end = calls_of_each_; end <= seconds_.size(); end += calls_of_each_) {
        const auto last = seconds_.begin() + static_cast<std::ptrdiff_t>(end);
        const auto first = last - static_cast<std::ptrdiff_t>(measured_);
        const double sum = std::accumulate(first, last, 0.0) - *std::max_element(first, last);
        trial_.note(end - 1, sum / static_cast<double>(measured_ - 1));
    }
    return trial_.nanoseconds();
}

} // namespace hopscotch::schedules
