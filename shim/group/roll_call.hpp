// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds out if all processes of the job have this library, and leaves no trace in those that have not.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace hopscotch::shim
{

/// The values that processes exchange on this occasion.
using RollCallValues = std::array<std::int64_t, 5>;

struct RollCall {
    bool complete;         // every process of MPI_COMM_WORLD has made the call
    bool predecessor_came; // among them the rank before this one; the last one comes before rank 0
    RollCallValues maxima; // if complete: of all processes
};

/// `complete` is true if every process of MPI_COMM_WORLD makes this call; all that make it get the same answer. A
/// process waits for others `patience` seconds at most, and then says "incomplete" to all; it waits on only if all have
/// come by then. Nothing if the MPI library offers no way to ask (MPICH of version 4 or later with the device ch4
/// does): a process that does not make the call may neither receive a message of the library nor miss a number that
/// collectives count.
/// Throws: MpiError.
std::optional<RollCall> call_the_roll(double patience, const RollCallValues& values);

} // namespace hopscotch::shim
