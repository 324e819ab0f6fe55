// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what a run has won by this library, as far as that was measured.
#include "shim/report/gain.hpp"

#include "shim/report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

namespace
{

/// What the MPI library's function took longer in the same trial; nothing where it was not tried.
std::optional<double> longer_natively(const GraphSummary& graph, const TrialRecord& chosen)
{
    for (const TrialRecord& other : graph.trials)
        if (other.algorithm == "native" && other.function == chosen.function &&
            other.block_bytes_most == chosen.block_bytes_most)
            return other.seconds - chosen.seconds;
    return std::nullopt;
}

/// Seconds saved per call of an operation, by size class; 0 where that was not measured.
std::vector<double> gains_per_call(const GraphSummary& graph, const OperationKey& operation)
{
    std::vector<double> gains;
    for (const TrialRecord& trial : graph.trials)
        if (trial.chosen && trial.function == operation.function && trial.algorithm == operation.algorithm)
            gains.push_back(longer_natively(graph, trial).value_or(0.0));
    return gains;
}

std::string saved(const Gain& won, double setup_seconds)
{
    const double most = won.most_seconds - setup_seconds;
    const double least = won.least_seconds - setup_seconds;
    if (least <= 0.0)
        return "up to " + duration_text(most);
    return "about " + (least < 0.9 * most ? duration_text(least) + " to " : "") + duration_text(most);
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
    for (const auto& [id, graph] : report.graphs)
        for (const auto& [key, operation] : graph.operations) {
            if (key.algorithm == "native")
                continue;
            const std::vector<double> gains = gains_per_call(graph, key);
            if (std::all_of(gains.begin(), gains.end(), [](double each) { return each == 0.0; }))
                continue;
            const auto [least, most] = std::minmax_element(gains.begin(), gains.end());
            sum.least_seconds += static_cast<double>(operation.calls) * *least;
            sum.most_seconds += static_cast<double>(operation.calls) * *most;
            sum.compared_calls += operation.calls;
        }
    const std::uint64_t calls = totals(report).calls;
    const double setup = report.setup_seconds.max;
    sum.compared_share = calls > 0 ? static_cast<double>(sum.compared_calls) / static_cast<double>(calls) : 0.0;
    sum.saved_seconds = (sum.least_seconds + sum.most_seconds) / 2.0 - setup;
    sum.verdict = verdict_on(sum, setup);
    return sum;
}

std::string carried_text(const Report& report)
{
    const bool unmeasured = totals(report).accelerated > 0 && gain(report).verdict == Verdict::not_compared;
    return unmeasured ? "carried by Hopscotch" : "accelerated";
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
    if (won.compared_calls == 0)
        return carried + " carried by Hopscotch, not compared with the MPI library; " + after + ".";
    const std::string measured = percent_text(static_cast<double>(won.compared_calls), static_cast<double>(sum.calls));
    if (won.most_seconds <= 0.0)
        return "nothing was saved: native calls were as fast (measured for " + measured + " of the calls); " + after +
               ".";
    if (won.most_seconds <= setup) {
        const double needed = std::ceil(setup / won.most_seconds * static_cast<double>(won.compared_calls));
        return "cost more than it saved: " + after + " for " + duration_text(won.most_seconds) + " in " +
               counted(won.compared_calls, "call") + "; pays from about " +
               counted(static_cast<std::uint64_t>(needed), "call") + " on.";
    }
    return "saved " + saved(won, setup) + " in a run of " + duration_text(report.job.elapsed_seconds) +
           ", set-up taken off; measured against native calls for " + measured + " of the calls.";
}

} // namespace hopscotch::shim
