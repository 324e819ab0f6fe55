// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of a schedule: the largest block size for which combining pays, predicted time.
#pragma once

#include "schedules/grid/partial_grid.hpp"
#include "schedules/grid/stencil.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

/// Latency per message and time per byte of a network: the linear cost model alpha + beta * bytes.
struct LinearCost {
    double alpha_seconds;
    double beta_seconds_per_byte;
};

/// Largest block for which C messages with V blocks are predicted to be faster than one for each distinct peer; 0 if
/// they are no fewer, the largest number if they carry no more. Units: bytes. Requires: sorted.
/// Source: Träff & Hunold, ICPP 2019, section 3.1: (t - C) / (V - t) alpha / beta for t distinct peers; a block to the
/// process itself is no message. The ratios of its Table 1 count the zero offset as one (cost_test.cpp).
std::size_t combining_cutoff_bytes(const Stencil& stencil, Blocks blocks, const LinearCost& cost);

/// Largest block for which combining on a partial grid is predicted to be faster, both for all processes together and
/// for the busiest one. Units: bytes.
std::size_t combining_cutoff_bytes(const PartialGrid& grid, const LinearCost& cost);

/// A cluster in the LogGP model, between nodes and within them. Units: seconds, seconds per byte.
struct Network {
    double latency;          // of a message between nodes
    double send_overhead;    // of a process, for each message to another node
    double receive_overhead; // of a process, for each message from another node
    double gap_per_byte;     // of a node's interface, shared by its processes
    double node_latency;     // within a node
    double node_overhead;    // of a process, for each neighbor on the node with which it exchanges blocks
    double copy_per_byte;    // of a process that packs, unpacks, or copies within the node
};

/// A current cluster: a microsecond and a half per message between nodes, ten gigabytes per second and node.
constexpr Network assumed_network{0.5e-6, 0.4e-6, 0.6e-6, 1.0e-10, 0.15e-6, 0.05e-6, 1.25e-10};

/// The cost of one message between nodes by itself, from its sending to its receiving.
constexpr LinearCost cost_of_message(const Network& network) noexcept
{
    return {network.send_overhead + network.latency + network.receive_overhead, network.gap_per_byte};
}

} // namespace hopscotch::schedules
