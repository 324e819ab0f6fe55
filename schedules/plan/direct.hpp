// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Schedules without forwarding, for any neighbor lists: one message per edge, or one per distinct peer process.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/partial_grid.hpp"
#include "schedules/plan/schedule.hpp"

namespace hopscotch::schedules
{

/// One message per edge, all in one phase; blocks for the process itself are copied. The yardstick.
/// Messages between the same two processes are sent in destination order and received in the matching order
/// (source_order), so that a transport that keeps the order of messages delivers every block to its slot.
/// Source: Träff & Hunold, ICPP 2019, Listing 4, with all rounds independent.
Schedule trivial(const Edges& edges);

/// One message per distinct peer, carrying the blocks of all parallel edges; one phase.
Schedule merged(const Edges& edges);

/// The copies of both schedules: blocks of the process to itself. Throws: std::invalid_argument if it lists itself more
/// often among its destinations than among its sources, or less often.
std::vector<Move> copies_to_self(const Edges& edges, Blocks blocks);

/// Schedules for allgather: send slot 0 is the one block every destination gets. trivial_allgather sends it once per
/// edge, merged_allgather once per distinct peer, delivered to all its slots.
Schedule trivial_allgather(const Edges& edges);
Schedule merged_allgather(const Edges& edges);

} // namespace hopscotch::schedules
