// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps what trials of auto learn from run to run (HOPSCOTCH_TUNING).
#pragma once

#include <string>

namespace hopscotch::shim
{

/// Rank 0 reads the file, all processes remember what fits its MPI library and machine. What is wrong with the file is
/// a warning. Collective: over MPI_COMM_WORLD. Throws: MpiError, std::bad_alloc.
void read_tuning_file(const std::string& name);

/// Adds what this process has learned; a file that is something else stays as it is. Local. Throws: std::bad_alloc.
void write_tuning_file(const std::string& name);

} // namespace hopscotch::shim
