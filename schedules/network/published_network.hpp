// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Networks with the numbers of links of published machines, and the places of a job's nodes in them.
#pragma once

#include "schedules/network/interconnect.hpp"

#include <string>
#include <vector>

namespace hopscotch::schedules
{

/// Time that a message needs for each switch or router beyond the first.
/// Source: Intel, Omni-Path Edge Switch 100 Series, product brief: 100 to 110 ns; Cray, The Gemini Network: 105 ns.
constexpr double seconds_per_switch = 1e-7;

/// A network by its name, for so many nodes or a few more.
/// "fat-tree": a leaf has 36 ports, half of them for nodes (Jefferson Lab, https://scicomp.jlab.org/docs/node/636).
/// "fat-tree:T": T times as many ports for nodes as for links to spines; 24 and 12 with T = 2 (the same page), 28 and 7
/// with T = 4. Narval of the Digital Research Alliance of Canada has 66 nodes and links for 14, T = 4.7.
/// "dragonfly", "dragonfly:L": groups of 6 chassis of 16 Aries routers with 4 nodes each; links of 5.25 GB/s, one
/// within a chassis and three between two, and L of 4.7 GB/s between two groups; L is 16, or given, up to 64 (Cray XC50
/// Maui, https://mattbixley.github.io/eri-support-docs/Scientific_Computing/Manuals_and_User_Guides/
/// XC50_Aries_Network_Architecture: 14 and 12.5 Gbit/s on three lanes, 10 optical links of a router). Assumed: 16 of
/// the 64 links that fit between each two of 16 groups; an interface of 10 GB/s.
/// "torus": Gemini routers of two nodes, sides as equal as they can be; 9.4 GB/s along the first and the third
/// dimension, 4.7 along the second (Cray, The Gemini Network, 2010), an interface of 6 GB/s (A. J. van der Steen,
/// Overview of recent supercomputers, Cray XE6).
/// Throws: std::invalid_argument for other names, and more nodes than 16 groups have.
Interconnect published_network(const std::string& name, int nodes);

/// The node of the network of each node of a job.
using NodePlaces = std::vector<int>;

/// "block": the first nodes in order. "fragmented:SEED": a random quarter of four times as many, in increasing order,
/// as a batch system gives nodes that are free. The same wherever the arguments are.
/// Throws: std::invalid_argument for other names.
NodePlaces node_places(const std::string& allocation, int nodes);

/// Nodes that a network needs for such a job.
int nodes_needed(const NodePlaces& places);

} // namespace hopscotch::schedules
