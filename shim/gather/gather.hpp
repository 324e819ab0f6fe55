// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Brings the counters of all processes to rank 0.
#pragma once

#include "shim/report/statistics.hpp"

namespace hopscotch::shim
{

/// The counts of this process, and its knowledge of the job without asking others.
Report own_report();

/// The report with the counters of all processes on rank 0; elsewhere only this process's part.
/// Collective: over MPI_COMM_WORLD. Throws: MpiError.
Report gather_report();

} // namespace hopscotch::shim
