// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Schedules of reductions over a Cartesian neighborhood: values are combined on their way, for commutative operators.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/schedule.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// A value taken into a partial result, `times` times over.
struct Operand {
    bool arrived = false; // in a message of this phase; else it is a partial result of the phase before
    int index = 0;        // counted through the arrivals of the phase, or among the partial results
    int times = 1;

    bool operator==(const Operand& other) const noexcept
    {
        return arrived == other.arrived && index == other.index && times == other.times;
    }
};

/// One message out and one message in, as in schedules::Round; values instead of blocks.
struct ReductionRound {
    int destination = no_rank;
    int source = no_rank;
    std::vector<int> sends; // partial results of the phase before
    int first_arrival = 0;  // in this phase
    int arrivals = 0;
};

/// Rounds that do not depend on each other, then folds. A partial result without operands is none: nobody needs it, or
/// no source has a value for it.
struct ReductionPhase {
    std::vector<ReductionRound> rounds;
    int arrivals = 0;
    std::vector<std::vector<Operand>> partials;
};

/// The part of one process in one reduction. The one partial result of the last phase is the result.
struct Reduction {
    std::vector<std::vector<int>> first; // partial results before the first phase: the send blocks each is folded from
    std::vector<ReductionPhase> phases;  // one per dimension

    /// True if this process has any source: else it has no result.
    bool has_result() const noexcept;

    /// Messages and values this process sends per call.
    int messages() const noexcept { return messages_of(phases); }
    int volume() const noexcept { return volume_of(phases); }

    /// The messages alone, as a schedule for predictions of the cost. It moves no user blocks.
    Schedule traffic() const;
};

/// Values that a process of a torus sends if the dimensions are traversed in the given order. Blocks::common: every
/// target gets the same value, and equal partial results are sent once: 2rd for all offsets with shifts in [-r, r],
/// with or without the zero offset. Blocks::individual: a value per target; values for one process are combined as soon
/// as they meet: the edges of the tree of Proposition 3.3, walked from its leaves to its root. Source: Träff & Hunold,
/// ICPP 2019, sections 2 and 3.3. Cost: O(t d log t).
int reduction_volume(const Stencil& stencil, const std::vector<int>& dimension_order, Blocks blocks);

/// The order with the fewest values, the first of several: all orders are compared up to 4 dimensions, beyond that
/// those by increasing and by decreasing C_k.
std::vector<int> reduction_order(const Stencil& stencil, Blocks blocks);

/// Every process gets the values of its sources (its own rank minus each offset) combined, repeated offsets as often as
/// they are repeated. Blocks::common: of each source its one block 0; Blocks::individual: of the source at offset i its
/// block i. On a mesh values that would cross a border are left out. Values of phase k travel along dimension_order[k],
/// in one message per distinct shift.
/// Requires: stencil canonical on the topology, in any order. Throws: std::invalid_argument if dimension_order is no
/// permutation of the dimensions. Collective: local; all processes must pass the same but for the rank.
Reduction combining_reduction(const Topology& topology, const Stencil& stencil, int rank,
                              const std::vector<int>& dimension_order, Blocks blocks);

} // namespace hopscotch::schedules
