// What a schedule costs: rounds, volume, the block size up to which combining pays, predicted time.
#pragma once

#include "schedules/stencil.hpp"

namespace hopscotch::schedules
{

/// C = sum over the dimensions of the number of distinct non-zero shifts.
int rounds(const Stencil& stencil);

/// V of alltoall = sum of the hops of all offsets. Units: blocks per process.
int alltoall_volume(const Stencil& stencil) noexcept;

/// Number of blocks that leave the process when each is sent directly: the offsets that are not zero.
int direct_volume(const Stencil& stencil) noexcept;

/// (t - C) / (V - t): combining is faster below this multiple of alpha/beta.
/// Infinity when V = t and C < t; 0 when C >= t.
/// t counts the offsets that are not zero: a block to the process itself is no message.
/// Source: Träff & Hunold, ICPP 2019, section 3.1. The ratios of its Table 1 are those of t = n^d, the zero offset
/// counted as a message (cost_test.cpp works out both).
double cutoff_ratio(const Stencil& stencil);

/// Latency per message and time per byte of a network: the linear cost model alpha + beta * bytes.
struct LinearCost {
    double alpha_seconds;
    double beta_seconds_per_byte;
};

/// A current cluster network or MPI inside a node: a microsecond and a half per message, ten gigabytes per second.
constexpr LinearCost assumed_cost{1.5e-6, 1.0e-10};

/// Block size in bytes below which combining alltoall is predicted to be faster than direct messages.
double cutoff_bytes(const Stencil& stencil, const LinearCost& cost);

/// Seconds for `messages` messages carrying `blocks` blocks in total.
double predicted_seconds(int messages, double blocks, double block_bytes, const LinearCost& cost) noexcept;

} // namespace hopscotch::schedules
