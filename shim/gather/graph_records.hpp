// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the records of the report from the counters of communicators, also of those that are gone.
#pragma once

#include "shim/call/communicator.hpp"
#include "shim/report/statistics.hpp"

#include <vector>

namespace hopscotch::shim
{

/// The facts of a communicator and all that has been counted on it so far. Local.
GraphRecord record_of(const Communicator& communicator);

/// The records of all present and freed communicators, and one for the calls on communicators without record. Local.
std::vector<GraphRecord> all_records();

/// From here on all_records() has the communicators that the program frees. To be called before the first one is
/// attached. Local.
void keep_records_of_freed() noexcept;

} // namespace hopscotch::shim
