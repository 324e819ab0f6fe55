// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for a call of a program by one with as many bytes, which two libraries can repeat alike for some time.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/algorithm.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// The arguments of a call with blocks of bytes, one behind the other: bytes, and where each block begins, also as
/// MPI_Neighbor_alltoallw takes it. Of an allgather one block is sent.
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

/// Of the sizes by neighbor. Parallel edges get the mean of their sizes, which is the same at both ends, whatever edge
/// matches which. Counts without meaning, and those of 0, are not good; nor are different degrees in alltoallw, which
/// MPICH 4.0.2 mixes up.
RepeatedCall repeated_call(Collective collective, const Edges& edges, std::vector<int> sends,
                           std::vector<int> receives);

/// The values whose rank is not no_rank. Shape: a rank for each.
std::vector<int> of_processes(const std::vector<int>& values, const std::vector<int>& ranks);

/// The calls in each of five batches. Half of the time left is used, for 20 to 5000 calls; 0: there is no time for 20.
/// `seconds_each`: of one call in both ways.
constexpr int batches = 5;
int calls_in_batch(double seconds_left, double seconds_each);

/// Of an even number the larger one in the middle. Requires: not empty.
double median(std::vector<double> values);

} // namespace hopscotch::schedules
