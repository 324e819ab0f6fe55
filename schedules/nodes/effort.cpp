// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a schedule asks of processes and nodes, phase by phase, and how long that takes by the LogGP model.
#include "schedules/nodes/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace hopscotch::schedules
{

void Effort::join(const Effort& other) noexcept
{
    sent = std::max(sent, other.sent);
    received = std::max(received, other.received);
    handovers = std::max(handovers, other.handovers);
    copied_blocks = std::max(copied_blocks, other.copied_blocks);
    leaving_blocks = std::max(leaving_blocks, other.leaving_blocks);
}

namespace
{

/// Blocks of its own that a process sends in a phase, each once.
std::size_t own_blocks(const Phase& phase)
{
    std::set<int> slots;
    for (const Round& round : phase.rounds)
        for (const Slot& block : round.sends)
            if (block.place == Place::send)
                slots.insert(block.index);
    return slots.size();
}

/// Copies a process makes of blocks for a round and of those it brings, besides those of own_blocks() into a grid.
std::size_t copies(const Round& round, bool leaves, bool enters, Copying copying)
{
    const auto arrivals = static_cast<std::size_t>(round.arrivals);
    const std::size_t sends = round.sends.size();
    if (copying == Copying::packed)
        return (leaves && sends == 1 ? 0 : sends) + (enters && arrivals == 1 ? 0 : arrivals);
    const auto own = std::count_if(round.sends.begin(), round.sends.end(),
                                   [](const Slot& block) { return block.place == Place::send; });
    return (leaves ? static_cast<std::size_t>(own) : 0) + (enters ? 0 : arrivals);
}

} // namespace

std::vector<Effort> efforts(const Schedule& schedule, int rank, const Nodes& nodes, Copying copying)
{
    std::vector<Effort> result;
    const auto elsewhere = [&nodes, rank](int other) {
        return other != no_rank && nodes.of_rank[other] != nodes.of_rank[rank];
    };
    const bool grids = copying == Copying::staging;
    for (const Phase& phase : schedule.phases) {
        Effort effort;
        effort.copied_blocks = grids ? static_cast<double>(own_blocks(phase)) : 0;
        for (const Round& round : phase.rounds) {
            const bool leaves = elsewhere(round.destination);
            const bool enters = elsewhere(round.source);
            const bool tells = round.destination != no_rank && !leaves && !grids;
            const bool takes = round.source != no_rank && !enters;
            effort.sent += leaves ? 1 : 0;
            effort.received += enters ? 1 : 0;
            effort.handovers += (tells ? 1 : 0) + (takes ? 1 : 0);
            effort.leaving_blocks += leaves ? static_cast<double>(round.sends.size()) : 0;
            effort.copied_blocks += static_cast<double>(copies(round, leaves, enters, copying));
        }
        result.push_back(effort);
    }
    return result;
}

std::vector<Effort> busiest(const std::vector<std::vector<Effort>>& all, const Nodes& nodes)
{
    std::vector<Effort> result(all.empty() ? 0 : all.front().size());
    for (const std::vector<int>& ranks : nodes.ranks)
        for (std::size_t phase = 0; phase < result.size(); ++phase) {
            double leaving = 0;
            for (const int rank : ranks) {
                leaving += all[rank][phase].leaving_blocks;
                result[phase].join(all[rank][phase]);
            }
            result[phase].leaving_blocks = std::max(result[phase].leaving_blocks, leaving);
        }
    return result;
}

double predicted_seconds(const std::vector<Effort>& phases, double block_bytes, const Network& network) noexcept
{
    double seconds = 0;
    for (const Effort& effort : phases) {
        const double process = effort.sent * network.send_overhead + effort.received * network.receive_overhead +
                               effort.handovers * network.node_overhead +
                               effort.copied_blocks * block_bytes * network.copy_per_byte;
        const double transfer = (effort.sent > 0 ? network.send_overhead : 0) +
                                effort.leaving_blocks * block_bytes * network.gap_per_byte +
                                (effort.received > 0 ? network.receive_overhead : 0);
        seconds += std::max(process, transfer);
        if (effort.sent + effort.received > 0)
            seconds += network.latency;
        else if (effort.handovers > 0)
            seconds += network.node_latency;
    }
    return seconds;
}

} // namespace hopscotch::schedules
