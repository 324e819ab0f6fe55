// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lines that text and page share: those of a job, of graphs and of operations.
#pragma once

#include "shim/report/summary.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Labels and texts for people; a label without a text has no line.
using Lines = std::vector<std::pair<std::string, std::string>>;
Lines job_lines(const Report& report);
Lines native_lines(const Report& report); // doubtful trials, and reasons of calls that were not accelerated
Lines lines_of(const Report& report);     // both
Lines graph_lines(const GraphSummary& graph);
Lines operation_lines(const OperationSummary& operation);

/// "graphs 1, 3: MPI_Cart_create, 27 ranks, 6 neighbors (2 graphs like this, numbers are sums)"
std::string title(const GraphGroup& group);

/// "[total] <mean> min max" over processes.
std::string spread_text(const Spread& spread);

/// "93.8 KiB (10.0 %) that blocks of one message have in common"; "" if none were saved.
std::string saved_text(const Counters& counters);

/// "40 calls of processes with a buffer in the memory of a device: 1.2 MiB copied in 3 ms"; "" if there were none.
std::string staged_text(const Counters& counters);

} // namespace hopscotch::shim
