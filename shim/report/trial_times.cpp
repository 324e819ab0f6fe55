// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/report/trial_times.hpp"

#include "shim/report/summary.hpp"

#include <algorithm>

namespace hopscotch::shim
{

std::optional<double> native_seconds(const GraphSummary& graph, const TrialRecord& trial)
{
    for (const TrialRecord& other : graph.trials)
        if (other.algorithm == "native" && other.function == trial.function &&
            other.block_bytes_most == trial.block_bytes_most)
            return other.seconds;
    return std::nullopt;
}

bool is_disturbed(double others_share) noexcept
{
    constexpr double most = 0.1; // less is the system at work, more is a process beside ours
    return others_share > most;
}

std::string disturbed_text(double others_share)
{
    return "others took " + percent_text(others_share, 1.0) + " of the time of a process's core";
}

namespace
{

constexpr double contradicted = 3.0; // times as long as in the trial: below that it may be chance

/// The trial that chose the algorithm of an operation; null if there was none or several, or if another algorithm was
/// chosen.
const TrialRecord* only_choice(const GraphSummary& graph, const OperationKey& key)
{
    const TrialRecord* choice = nullptr;
    for (const TrialRecord& trial : graph.trials) {
        if (trial.function != key.function || !trial.chosen)
            continue;
        if (choice != nullptr || trial.algorithm != key.algorithm)
            return nullptr;
        choice = &trial;
    }
    return choice;
}

} // namespace

std::vector<std::string> contradictions(const Report& report)
{
    std::vector<std::string> sentences;
    std::uint64_t id = first_id(report);
    for (const auto& [number, graph] : report.graphs) {
        const std::string name = "graph " + std::to_string(id++) + ", ";
        for (const auto& [key, operation] : graph.operations) {
            const TrialRecord* const choice = operation.block_sizes.size() > 1 ? nullptr : only_choice(graph, key);
            const double later = seconds_per_call(operation);
            if (choice == nullptr || is_disturbed(choice->others_share) ||
                later <= contradicted * std::max(choice->seconds, native_seconds(graph, *choice).value_or(0.0)))
                continue;
            sentences.push_back(name + key.function + ": trials chose " + key.algorithm + ", with " +
                                duration_text(choice->seconds) + " per call; over the run a call took " +
                                duration_text(later) +
                                ". The processes wait for each other, or for a core: the trial says little of this "
                                "run; hopscotch compare does.");
        }
    }
    return sentences;
}

} // namespace hopscotch::shim
