// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/report/gain.hpp"

#include "schedules/selection/reasons.hpp"
#include "schedules/selection/trial.hpp"
#include "shim/report/summary.hpp"
#include "shim/report/trial_times.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hopscotch::shim
{

namespace
{

/// Trials are a few calls: times that differ by less say nothing, as in `hopscotch compare`.
constexpr double indistinct = 1.05;

struct GainRange {
    double least = 0.0;
    double most = 0.0;
};

/// The additional time of a native call in the trial. It is reduced if calls turned out to be shorter than in the
/// trial, since then the machine made them long. It is not increased if they are longer: they may wait for late
/// processes. No call saves more than the shortest time that a native one may take.
GainRange longer_natively(double natively, double tried, double per_call)
{
    const double shorter = per_call > 0.0 ? std::min(per_call / tried, 1.0) : 1.0;
    GainRange longer{natively / indistinct - tried, std::min(natively * indistinct - tried, natively / indistinct)};
    for (double* const each : {&longer.least, &longer.most})
        if (*each > 0.0)
            *each *= shorter;
    return longer;
}

struct SavedPerCall {
    GainRange seconds;
    bool chosen = false; // the algorithm, for some size class
};

/// The largest share of others in disturbed trials that had native calls among them; 0 if there is none.
double share_of_others(const GraphSummary& graph, const std::string& function)
{
    double most = 0.0;
    for (const TrialRecord& trial : graph.trials)
        if (trial.function == function && is_disturbed(trial.others_share) && native_seconds(graph, trial))
            most = std::max(most, trial.others_share);
    return most;
}

/// True unless others disturbed all trials that left calls of the function to the MPI library. If none has chosen it in
/// the end, one did before it tried again: then all trials of the function count.
bool left_without_disturbance(const GraphSummary& graph, const std::string& function)
{
    const auto is_choice = [&](const TrialRecord& trial) {
        return trial.function == function && trial.chosen && trial.algorithm == "native";
    };
    const bool has_choice = std::any_of(graph.trials.begin(), graph.trials.end(), is_choice);
    bool disturbed = false;
    for (const TrialRecord& trial : graph.trials) {
        if (trial.function != function || (has_choice && !is_choice(trial)))
            continue;
        if (!is_disturbed(trial.others_share))
            return true;
        disturbed = true;
    }
    return !disturbed;
}

/// Seconds saved per call of an operation, over the size classes for which its algorithm was chosen. If it was never
/// chosen, over those in which it was tried in vain. Nothing if none was compared with native calls.
std::optional<SavedPerCall> saved_per_call(const GraphSummary& graph, const OperationKey& key,
                                           const OperationSummary& operation)
{
    if (key.algorithm == "native")
        return key.reason == text_of(schedules::reason::native_was_fastest) &&
                       left_without_disturbance(graph, key.function)
                   ? std::optional(SavedPerCall{{}, true})
                   : std::nullopt;
    const auto is_of_it = [&key](const TrialRecord& trial) {
        return trial.function == key.function && trial.algorithm == key.algorithm;
    };
    const bool ever_chosen = std::any_of(graph.trials.begin(), graph.trials.end(),
                                         [&](const TrialRecord& trial) { return trial.chosen && is_of_it(trial); });
    std::optional<GainRange> all;
    bool compared = false;
    for (const TrialRecord& trial : graph.trials) {
        if (!is_of_it(trial) || trial.chosen != ever_chosen || is_disturbed(trial.others_share))
            continue;
        const std::optional<double> natively = native_seconds(graph, trial);
        compared = compared || natively;
        const GainRange range =
            natively ? longer_natively(*natively, trial.seconds, seconds_per_call(operation)) : GainRange{};
        all = all ? GainRange{std::min(all->least, range.least), std::max(all->most, range.most)} : range;
    }
    return compared ? std::optional(SavedPerCall{*all, ever_chosen}) : std::nullopt;
}

double middle(const GainRange& range)
{
    return (range.least + range.most) / 2.0;
}

std::string range_text(double least, double most)
{
    return least < 0.9 * most ? duration_text(least) + " to " + duration_text(most)
                              : duration_text((least + most) / 2.0);
}

/// "calls saved 38.6 ms; set-up cost 2.00 ms, trials 5.00 ms": they make up Gain::saved_seconds.
std::string parts_text(const Gain& won, double setup_seconds)
{
    const double saved = won.calls_seconds;
    const std::string calls = saved == 0.0  ? "saved nothing"
                              : saved > 0.0 ? "saved " + duration_text(saved)
                                            : "lost " + duration_text(-saved);
    return "calls " + calls + "; set-up cost " + duration_text(setup_seconds) +
           (won.trials_seconds > 0.0 ? ", trials " + duration_text(won.trials_seconds) : "");
}

/// "in all about 8.05 ms to 52.0 ms saved"
std::string sum_text(const Gain& won, double setup_seconds)
{
    const double least = won.least_seconds - setup_seconds;
    const double most = won.most_seconds - setup_seconds;
    if (won.verdict == Verdict::faster)
        return "in all about " + range_text(least, most) + " saved";
    if (won.verdict == Verdict::slower)
        return "in all about " + range_text(-most, -least) + " lost";
    return "no difference that trials could tell, up to " + duration_text(-least) + " lost or up to " +
           duration_text(most) + " saved";
}

/// "an exchange by itself: 12.1 us against 41.0 us by the MPI library, ..."; for the operation with most bytes. Empty
/// if none was measured.
std::string alone_text(const Report& report)
{
    const AloneRecord* shown = nullptr; // nothing is compared beside others
    std::uint64_t most = 0;
    for (const auto& [id, graph] : report.graphs)
        for (const auto& [key, operation] : graph.operations)
            for (const AloneRecord& alone : graph.alone)
                if (alone.function == key.function && alone.algorithm == key.algorithm &&
                    !is_disturbed(alone.others_share) && operation.payload_bytes > most) {
                    shown = &alone;
                    most = operation.payload_bytes;
                }
    return shown == nullptr ? ""
                            : "an exchange by itself: " + duration_text(shown->seconds) + " against " +
                                  duration_text(shown->native_seconds) +
                                  " by the MPI library, overlap with computation is not in it";
}

/// The reason why times of trials say little of the run; "" if there is none.
std::string doubt_of(const Report& report)
{
    if (report.job.shares_cores)
        return "ranks share cores";
    return contradictions(report).empty() ? "" : "calls took far longer than in the trials";
}

/// "not compared: others took 45 % of the time of a process's core during the trials"
std::string others_text(const Gain& won)
{
    return won.others_share > 0.0 ? "not compared: " + disturbed_text(won.others_share) + " during the trials" : "";
}

std::string joined(const std::string& one, const std::string& other)
{
    return one + (one.empty() || other.empty() ? "" : "; ") + other;
}

std::string doubt_text(const Gain& won)
{
    return won.doubt.empty() ? "" : "; doubtful: " + won.doubt;
}

Verdict verdict_on(const Gain& won, double setup_seconds)
{
    if (won.compared_calls == 0)
        return Verdict::not_compared;
    if (won.least_seconds > setup_seconds)
        return Verdict::faster;
    return won.most_seconds < setup_seconds ? Verdict::slower : Verdict::no_difference;
}

} // namespace

const char* name(Verdict verdict) noexcept
{
    constexpr const char* names[] = {"not compared", "faster", "slower", "no difference"};
    return names[static_cast<std::size_t>(verdict)];
}

Gain gain(const Report& report)
{
    Gain sum;
    double chosen_calls = 0.0;
    double saved_in_vain = 0.0; // by algorithms that were only tried
    double least_by_choice = 0.0;
    for (const auto& [id, graph] : report.graphs)
        for (const auto& [key, operation] : graph.operations) {
            const std::optional<SavedPerCall> saved = saved_per_call(graph, key, operation);
            if (!saved) {
                sum.others_share = std::max(sum.others_share, share_of_others(graph, key.function));
                continue;
            }
            const auto number = static_cast<double>(operation.calls);
            const auto& [least, most] = saved->seconds;
            sum.least_seconds += number * least;
            sum.most_seconds += number * most;
            (saved->chosen ? sum.calls_seconds : saved_in_vain) += number * middle(saved->seconds);
            chosen_calls += saved->chosen ? number : 0.0;
            least_by_choice += saved->chosen ? number * least : 0.0;
            sum.compared_calls += operation.calls;
        }
    if (sum.compared_calls > 0)
        sum.doubt = doubt_of(report);
    (saved_in_vain > 0.0 ? sum.calls_seconds : sum.trials_seconds) += std::abs(saved_in_vain);
    const std::uint64_t calls = totals(report).calls;
    const double setup = report.setup_seconds.max;
    if (!sum.doubt.empty()) {
        sum.least_seconds = std::min(sum.least_seconds, setup);
        sum.most_seconds = std::max(sum.most_seconds, setup);
    }
    sum.compared_share = calls > 0 ? static_cast<double>(sum.compared_calls) / static_cast<double>(calls) : 0.0;
    const double paid = setup + sum.trials_seconds;
    sum.saved_seconds = sum.calls_seconds - paid;
    if (sum.doubt.empty() && least_by_choice > 0.0)
        sum.pays_from_calls = std::clamp(
            static_cast<double>(calls) - chosen_calls + std::ceil(paid / sum.calls_seconds * chosen_calls), 1.0, 1e18);
    sum.verdict = verdict_on(sum, setup);
    return sum;
}

std::string carried_text(const Report& report)
{
    const bool unmeasured = totals(report).accelerated > 0 && gain(report).verdict == Verdict::not_compared;
    return unmeasured ? "carried by Hopscotch" : "accelerated";
}

std::string gain_text(const Report& report)
{
    const Gain won = gain(report);
    return won.verdict == Verdict::not_compared ? joined(others_text(won), alone_text(report))
                                                : sum_text(won, report.setup_seconds.max) + doubt_text(won);
}

std::string bottom_line(const Report& report)
{
    const Totals sum = totals(report);
    const Gain won = gain(report);
    const double setup = report.setup_seconds.max;
    const std::string after = duration_text(setup) + " of set-up";
    if (sum.calls == 0)
        return "nothing to save: no neighborhood collective was called" + (setup > 0.0 ? "; " + after : "") + ".";
    if (sum.accelerated == 0)
        return "nothing was saved: the MPI library carried all calls; " + after + ".";
    const std::string carried = std::to_string(sum.accelerated) + " of " + counted(sum.calls, "call");
    const std::string alone = alone_text(report);
    const std::string others = others_text(won);
    if (won.compared_calls == 0) {
        const std::string known = joined(others, alone);
        return carried + " carried by Hopscotch" +
               (known.empty() ? ", time not measured against native calls; " : "; " + known + "; ") + after + ".";
    }
    std::string line = parts_text(won, setup) + ": " + sum_text(won, setup) + " in a run of " +
                       duration_text(report.job.elapsed_seconds) + "; measured against native calls for " +
                       percent_text(static_cast<double>(won.compared_calls), static_cast<double>(sum.calls)) +
                       " of the calls" + (others.empty() ? "" : ", other calls " + others) + doubt_text(won);
    if (won.verdict == Verdict::slower && won.pays_from_calls > 0.0)
        line += "; it would save time from about " + counted(static_cast<std::uint64_t>(won.pays_from_calls), "call") +
                " on";
    return line + (alone.empty() ? "" : "; " + alone) + ".";
}

} // namespace hopscotch::shim
