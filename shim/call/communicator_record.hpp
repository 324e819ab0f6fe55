// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells the report about a communicator.
#pragma once

#include "shim/call/communicator.hpp"
#include "shim/report/statistics.hpp"

#include <cstdint>

namespace hopscotch::shim
{

/// All that has been counted so far. Local.
GraphRecord record_of(const Communicator& communicator);

/// What is kept of communicators alike which were freed.
struct ClosedRecord {
    GraphRecord record;
    std::uint64_t more_setup_ticks = 0; // of those that were only counted
};

/// Counts the communicator in what is kept of another, made in the same place, if there is no more to be said of it
/// than that it was one like that: without calls and without a process grid. Needs no memory.
bool adds_to(ClosedRecord& other, const Communicator& communicator) noexcept;

} // namespace hopscotch::shim
