// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures exchanges of nonblocking and persistent calls by themselves, by this library and by the MPI library.
#pragma once

namespace hopscotch::shim
{

/// Repeats calls with samples from note_request(), with private buffers, and leaves the times with the samples, for the
/// report. Takes at most the smallest `most_seconds` of all processes; measures nothing if that is less than a
/// millisecond, a call failed, or one is in flight. Collective: over MPI_COMM_WORLD, at the end of MPI. Throws:
/// MpiError, NoMemory; other processes may then wait for this one.
void measure_alone(double most_seconds);

} // namespace hopscotch::shim
