// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps results of trials of `auto` from run to run (HOPSCOTCH_TUNING).
#pragma once

#include <string>

namespace hopscotch::shim
{

/// Rank 0 reads the file, all processes remember the part that fits their MPI library and machine. A fault of the file
/// is a warning. Collective: over MPI_COMM_WORLD. Throws: MpiError, std::bad_alloc.
void read_tuning_file(const std::string& name);

/// Adds the results of this process; another file in its place stays as it is. Local. Throws: std::bad_alloc.
void write_tuning_file(const std::string& name);

} // namespace hopscotch::shim
