// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The simulated job with processes that come late: iterations of a program that computes, loses time, and calls.
#include "scripts/simulation/late.hpp"

#include <algorithm>
#include <cmath>

using namespace hopscotch::schedules;

namespace simulation
{

double Delay::draw(std::mt19937_64& random) const
{
    const auto uniform = [&random] { return (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0; };
    const bool comes = uniform() < probability;
    const double length = -std::log(uniform()) * mean / probability;
    return comes ? length : 0;
}

LateCalls::LateCalls(const Setting& setting, const Machine& machine, Way way, double block_bytes)
    : processes_(static_cast<std::size_t>(setting.grid().size()))
{
    const Network network = network_of(machine, way);
    const std::vector<int>& node = setting.nodes().of_rank;
    const double busiest_interface = block_bytes * network.gap_per_byte;
    for (int rank = 0; rank < setting.grid().size(); ++rank) {
        const auto here = static_cast<std::size_t>(rank);
        const Schedule schedule = setting.schedule(way, rank);
        const std::vector<Effort> work = efforts(schedule, rank, setting.nodes());
        steps_.resize(std::max(steps_.size(), work.size()),
                      {{}, std::vector<double>(processes_), std::vector<double>(processes_)});
        for (std::size_t phase = 0; phase < work.size(); ++phase) {
            Step& step = steps_[phase];
            // Half of the copies pack, half unpack.
            const double copies = work[phase].copied_blocks / 2 * block_bytes * network.copy_per_byte;
            double leaves = copies;
            for (const Round& round : schedule.phases[phase].rounds) {
                if (round.destination == no_rank)
                    continue;
                const bool away = node[static_cast<std::size_t>(round.destination)] != node[here];
                leaves += away ? network.send_overhead : network.node_overhead / 2;
                const double bytes = static_cast<double>(round.sends.size()) * busiest_interface;
                step.messages.push_back(
                    {rank, round.destination, leaves, away ? network.latency + bytes : network.node_latency});
            }
            step.before[here] = leaves;
            step.after[here] = copies + work[phase].received * network.receive_overhead +
                               work[phase].handovers * network.node_overhead / 2;
        }
    }
}

void LateCalls::call(std::vector<double>& times) const
{
    std::vector<double> ends(processes_);
    for (const Step& step : steps_) {
        for (std::size_t rank = 0; rank < processes_; ++rank)
            ends[rank] = times[rank] + step.before[rank];
        for (const Message& message : step.messages) {
            double& end = ends[static_cast<std::size_t>(message.to)];
            end = std::max(end, times[static_cast<std::size_t>(message.from)] + message.leaves + message.travels);
        }
        for (std::size_t rank = 0; rank < processes_; ++rank)
            times[rank] = ends[rank] + step.after[rank];
    }
}

double LateCalls::seconds(double compute, const Delay& delay) const
{
    constexpr int iterations = 200;
    std::mt19937_64 random(1);
    std::vector<double> times(processes_);
    for (int i = 0; i < iterations; ++i) {
        for (double& time : times)
            time += compute + delay.draw(random);
        call(times);
    }
    return *std::max_element(times.begin(), times.end()) / iterations - compute;
}

} // namespace simulation
