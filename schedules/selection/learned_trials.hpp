// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps results of trials for later communicators of the same shape.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/nodes/nodes.hpp"
#include "schedules/selection/selection_facts.hpp"
#include "schedules/selection/trial.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace hopscotch::schedules
{

/// The calls of a trial: a collective with one kind of completion, and a size class of blocks by its upper end.
struct TrialKey {
    Collective collective;
    Completion completion;
    std::size_t high;

    friend bool operator<(const TrialKey& one, const TrialKey& other) noexcept;
};

/// A trial, and the MPI function that was tried first.
struct TrialOfCall {
    std::string function;
    Trial trial;
    /// The end of the size class that it is remembered by: if processes do not know the size of all blocks, that of the
    /// largest.
    std::size_t learned_high = 0;
    /// The part of their cores' time that others took from the processes during the trial, from 0 to 1; -1: not known.
    double others_share = -1.0;
};
using Trials = std::map<TrialKey, TrialOfCall>;

/// The decided trial that calls with blocks of this size follow: their own, or that of blocking calls, if its result
/// suits them; else null.
const Trial* trial_to_follow(const Trials& trials, const Facts& facts, Completion completion, std::size_t block_bytes);

/// A number that communicators share whose calls take equally long: with one process grid, stencil and distribution
/// over nodes.
std::uint64_t shape_of(const Topology& grid, const Stencil& stencil, const Nodes& nodes, Surroundings surroundings);

/// The trial concluded last, by the shape of communicators and the trial's calls.
class LearnedTrials
{
  public:
    /// The trial that communicators of this shape have concluded last, if it had these candidates.
    std::optional<TrialOfCall> find(std::uint64_t shape, const TrialKey& key, const Trial& alike) const;

    /// Remembers it.
    void learn(std::uint64_t shape, const TrialKey& key, TrialOfCall trial);

    const std::map<std::pair<std::uint64_t, TrialKey>, TrialOfCall>& all() const noexcept { return by_shape_; }

  private:
    std::map<std::pair<std::uint64_t, TrialKey>, TrialOfCall> by_shape_;
};

} // namespace hopscotch::schedules
