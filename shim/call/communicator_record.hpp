// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells the report about a communicator.
#pragma once

#include "shim/call/communicator.hpp"
#include "shim/report/statistics.hpp"

namespace hopscotch::shim
{

/// All that has been counted so far. Local.
GraphRecord record_of(const Communicator& communicator);

/// Adds what takes milliseconds, so as late as there is a report: names of functions, edges between nodes. Local.
void complete(GraphRecord& record);

} // namespace hopscotch::shim
