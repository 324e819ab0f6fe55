// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the summary from the schedule itself, so that it shows the actual messages.
#include "schedules/plan/round_summary.hpp"

#include <algorithm>
#include <stdexcept>

namespace hopscotch::schedules
{

std::vector<PhaseSummary> round_summary(const Schedule& schedule, const Topology& topology, int rank,
                                        const std::vector<int>& dimension_order)
{
    if (dimension_order.size() < schedule.phases.size())
        throw std::invalid_argument("summary: more phases than dimensions");
    const std::vector<int> here = topology.coordinates(rank);
    std::vector<PhaseSummary> phases;
    for (std::size_t i = 0; i < schedule.phases.size(); ++i) {
        PhaseSummary phase;
        phase.dimension = dimension_order[i];
        for (const Round& round : schedule.phases[i].rounds) {
            if (round.destination == no_rank)
                continue;
            const auto k = static_cast<std::size_t>(phase.dimension);
            RoundSummary message;
            message.shift =
                topology.canonical_shift(phase.dimension, topology.coordinates(round.destination)[k] - here[k]);
            for (const Slot& slot : round.sends)
                ++(slot.place == Place::send ? message.own_blocks : message.forwarded_blocks);
            phase.rounds.push_back(message);
        }
        std::sort(phase.rounds.begin(), phase.rounds.end(),
                  [](const RoundSummary& a, const RoundSummary& b) { return a.shift < b.shift; });
        phases.push_back(std::move(phase));
    }
    return phases;
}

int middle(const Topology& topology)
{
    std::vector<int> coordinates;
    for (const int extent : topology.dims())
        coordinates.push_back(extent / 2);
    return topology.rank(coordinates.data());
}

} // namespace hopscotch::schedules
