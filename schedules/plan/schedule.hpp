// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The vocabulary of schedules: slots, moves, rounds, phases. A schedule is data; others execute, simulate or print it.
#pragma once

#include "schedules/grid/topology.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The place of a block: the user's send buffer, the user's receive buffer, or a transit buffer.
enum class Place : unsigned char { send, receive, transit };

/// A place and an index in it. send: index of the destination list; receive: index of the source list; transit: the
/// arrival index of the block at this process, counted through all rounds of all phases in order.
struct Slot {
    Place place = Place::send;
    int index = 0;

    bool operator==(const Slot& other) const noexcept { return place == other.place && index == other.index; }
};

/// One block copied from a slot to another inside a process.
struct Move {
    Slot from;
    Slot to;

    bool operator==(const Move& other) const noexcept { return from == other.from && to == other.to; }
};

/// One message out and one message in. Either may be missing (rank no_rank, no blocks).
/// The message out carries the blocks of `sends` in that order. The message in carries `arrivals` blocks; the q-th of
/// them becomes transit block first_arrival + q. `deliveries` copy arrived blocks (from: transit, of this round) to the
/// user's receive slots; every arrived block that is needed later stays in transit until then.
struct Round {
    int destination = -1;
    int source = -1;
    std::vector<Slot> sends;
    int first_arrival = 0;
    int arrivals = 0;
    std::vector<Move> deliveries;
};

/// Rounds that do not depend on each other.
struct Phase {
    std::vector<Round> rounds;
};

/// The messages that this process sends in phases of some kind.
template <class Phases>
int messages_of(const Phases& phases) noexcept
{
    int messages = 0;
    for (const auto& phase : phases)
        for (const auto& round : phase.rounds)
            messages += round.destination != no_rank ? 1 : 0;
    return messages;
}

/// The blocks or values in these.
template <class Phases>
int volume_of(const Phases& phases) noexcept
{
    std::size_t volume = 0;
    for (const auto& phase : phases)
        for (const auto& round : phase.rounds)
            volume += round.sends.size();
    return static_cast<int>(volume);
}

/// The part of one process in one collective operation: local copies, then the phases in order.
/// It holds no address, no datatype and no size, so one schedule serves every call of its kind.
struct Schedule {
    std::vector<Move> copies; // from: send, to: receive; blocks that stay on this process
    std::vector<Phase> phases;
    int arrivals = 0; // blocks that arrive in all rounds together

    /// Messages this process sends per call.
    int messages() const noexcept { return messages_of(phases); }

    /// Blocks this process sends per call, every hop counted: V on a torus.
    int volume() const noexcept { return volume_of(phases); }
};

/// The rounds of all phases in order. They belong to the schedule.
std::vector<const Round*> rounds_of(const Schedule& schedule);

/// For each block that arrives, by its transit index: the round that brings it.
std::vector<std::size_t> bringing_rounds(const Schedule& schedule);

/// For each round the receive slot that its message is for as a whole: one block, delivered once, not sent on; else -1.
std::vector<int> whole_message_slots(const Schedule& schedule);

} // namespace hopscotch::schedules
