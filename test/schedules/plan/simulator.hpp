// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// All processes of a job inside one process: executes any schedules on labelled blocks instead of data.
#pragma once

#include "schedules/grid/topology.hpp"
#include "schedules/plan/schedule.hpp"

#include <iosfwd>
#include <vector>

/// Names a block by its origin: the process and its send slot.
struct Label {
    int origin = hopscotch::schedules::no_rank; // no_rank: nothing was ever written here
    int slot = 0;

    bool operator==(const Label& other) const noexcept { return origin == other.origin && slot == other.slot; }
    bool operator!=(const Label& other) const noexcept { return !(*this == other); }
};

std::ostream& operator<<(std::ostream& stream, const Label& label);

/// Executes schedule r as process r, all of them together, and returns the labels in the receive slots: result[r][j]
/// for slot j of process r. The transport keeps the order of messages between two processes and nothing else, like MPI
/// with one tag; a process sends all messages of a phase, then waits for all that arrive in it. Shape: receive_slots[r]
/// is the length of the source list of process r.
/// Throws: std::runtime_error in one sentence if a message has an unexpected number of blocks, if a block is used that
/// never arrived, if messages are left over, or if no process can go on (with the name of a waiting process and of the
/// one it waits for).
std::vector<std::vector<Label>> simulate(const std::vector<hopscotch::schedules::Schedule>& schedules,
                                         const std::vector<int>& receive_slots);
