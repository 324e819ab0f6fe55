// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The simulated job with processes that come late: iterations of a program that computes, loses time, and calls.
#pragma once

#include "scripts/simulation/setting.hpp"

#include <random>
#include <vector>

namespace simulation
{

/// Time that a process loses while it computes, in each iteration anew. Units: seconds.
struct Delay {
    double mean = 0;
    double probability = 1; // of a delay at all; its length has an exponential distribution

    /// The same sequence for the same state, with every standard library.
    double draw(std::mt19937_64& random) const;
};

/// One call of every process by a way, process by process: a message leaves after those before it, a phase ends at a
/// process with its last message, and nobody else waits. Blocks of one size.
class LateCalls
{
  public:
    /// Requires: possible.
    LateCalls(const Setting& setting, const Machine& machine, Way way, double block_bytes);

    /// Seconds of an iteration beyond its `compute` seconds, the mean of many: the call, and the delays that it passes
    /// on.
    double seconds(double compute, const Delay& delay) const;

  private:
    struct Message {
        int from;
        int to;
        double leaves;  // seconds after the phase has begun at its sender
        double travels; // until it has come
    };
    struct Step {
        std::vector<Message> messages;
        std::vector<double> before; // work of each process before it waits, from the beginning of the phase
        std::vector<double> after;  // and after its last message has come
    };

    void call(std::vector<double>& times) const;

    std::vector<Step> steps_; // by phase
    std::size_t processes_;
};

} // namespace simulation
