// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Has the MPI library's own progress advance our operations: in every blocking MPI call of the program.
#pragma once

namespace hopscotch::shim
{

/// Asks the MPI library to call drive_from_library() while it makes progress; true if it does. Open MPI has a function
/// for that. Of MPICH over UCX the calls of UCX's progress function are led through ours, those of the MPI library's
/// object alone: other users of UCX in this process do not notice. To be called once, after MPI_Init.
bool join_library_progress();

} // namespace hopscotch::shim
