// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Replaces a call of a program by one with as many bytes, so that two libraries can repeat it for some time.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/algorithm.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// The arguments of a call with blocks of bytes, one behind the other: bytes, and the begin of each block, also in the
/// form for MPI_Neighbor_alltoallw. An allgather sends one block.
struct ByteBlocks {
    std::vector<int> sends, receives;
    std::vector<int> send_at, receive_at;
    std::vector<std::ptrdiff_t> send_from, receive_from;
    std::int64_t bytes = 0; // sent, or received if these are more
};

/// Requires: no sum is larger than INT_MAX, or only `bytes` is used.
ByteBlocks byte_blocks(std::vector<int> sends, std::vector<int> receives);

/// A call on a graph, and the same without neighbors that are MPI_PROC_NULL.
struct RepeatedCall {
    ByteBlocks all, of_processes;
    bool is_good = false; // no MPI library is known to carry it wrongly, and it is not large
};

/// The call for these sizes by neighbor. Parallel edges get the mean of their sizes, which is the same at both ends for
/// any match of edges. Not good are undefined counts and counts of 0; nor are different degrees in alltoallw, which
/// MPICH 4.0.2 mixes up.
RepeatedCall repeated_call(Collective collective, const Edges& edges, std::vector<int> sends,
                           std::vector<int> receives);

/// The values for which the rank is not no_rank. Shape: a rank for each.
std::vector<int> of_processes(const std::vector<int>& values, const std::vector<int>& ranks);

/// The calls in each of five batches. Half of the time left is used, for 20 to 5000 calls; 0: there is no time for 20.
/// `seconds_each`: of one call in both ways.
constexpr int batches = 5;
int calls_in_batch(double seconds_left, double seconds_each);

/// For an even number of values, the larger one in the middle. Requires: not empty.
double median(std::vector<double> values);

} // namespace hopscotch::schedules
