// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The slots of one process's neighbor lists, found by the process at the other end.
#pragma once

#include "schedules/grid/neighborhood.hpp"

#include <map>
#include <vector>

namespace hopscotch::schedules
{

/// Slots of parallel edges to or from one process are in matching order.
class PeerSlots
{
  public:
    PeerSlots(const Edges& edges, Blocks blocks);

    /// The slots of the edges to and from a process; empty if there are none.
    const std::vector<int>& to(int rank) const { return slots(to_, rank); }
    const std::vector<int>& from(int rank) const { return slots(from_, rank); }

    /// The send slot of the block for an edge.
    int send(int destination, int order) const { return blocks_ == Blocks::common ? 0 : to(destination)[order]; }

    /// The receive slots a block is for; a common one is for all slots of its source.
    std::vector<int> receive(int source, int order) const;

  private:
    using Slots = std::map<int, std::vector<int>>;

    static Slots by_rank(const std::vector<int>& ranks, const std::vector<int>& orders);
    static const std::vector<int>& slots(const Slots& all, int rank);

    Blocks blocks_;
    Slots to_;
    Slots from_;
};

} // namespace hopscotch::schedules
