// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// All processes of a job inside one process: executes any schedules on labelled blocks instead of data.
#pragma once

#include "schedules/grid/topology.hpp"
#include "schedules/plan/schedule.hpp"

#include <iosfwd>
#include <vector>

/// Names a block by where it came from: the process and its send slot.
struct Label {
    int origin = hopscotch::schedules::no_rank; // no_rank: nothing was ever written here
    int slot = 0;

    bool operator==(const Label& other) const noexcept { return origin == other.origin && slot == other.slot; }
    bool operator!=(const Label& other) const noexcept { return !(*this == other); }
};

std::ostream& operator<<(std::ostream& stream, const Label& label);

/// Executes schedule r as process r, all of them together, and returns the labels in the receive slots:
/// result[r][j] for slot j of process r. The transport keeps the order of messages between two processes and nothing
/// else, as MPI does with one tag; a process sends all messages of a phase, then waits for all that arrive in it.
/// Shape: receive_slots[r] is the length of the source list of process r.
/// Throws: std::runtime_error in one sentence when a message has not the expected number of blocks, when a block is
/// used that never arrived, when messages are left over, and when no process can go on (naming one that waits, and for
/// whom).
std::vector<std::vector<Label>> simulate(const std::vector<hopscotch::schedules::Schedule>& schedules,
                                         const std::vector<int>& receive_slots);
