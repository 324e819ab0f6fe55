// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks on the busiest link of a network in each phase of a schedule, and the time of a call by them.
#pragma once

#include "schedules/network/published_network.hpp"
#include "schedules/nodes/effort.hpp"
#include "schedules/nodes/nodes.hpp"
#include "schedules/plan/schedule.hpp"

#include <functional>
#include <vector>

namespace hopscotch::schedules
{

/// A message that a process sends.
struct SentMessage {
    int phase = 0;
    int destination = 0;
    int blocks = 0;
};

std::vector<SentMessage> sent_messages(const Schedule& schedule);

/// The messages of process `rank` on a torus where each process sends what process `of` sends, by the same offsets.
/// Requires: the topology is periodic in all dimensions.
std::vector<SentMessage> moved_messages(std::vector<SentMessage> messages, const Topology& torus, int of, int rank);

/// The blocks from one node of a job to another in one phase.
struct NodeFlow {
    int from = 0;
    int to = 0;
    double blocks = 0;
};

using NodeFlows = std::vector<NodeFlow>;

/// The flows of each phase, by increasing nodes: the messages of all processes together, without those within a node.
std::vector<NodeFlows> node_flows(int phases, const Nodes& nodes,
                                  const std::function<std::vector<SentMessage>(int rank)>& messages_of);

/// The busiest link of a phase: the one that needs the longest time for its blocks.
struct LinkLoad {
    int link = -1;     // -1: no message goes from node to node
    double blocks = 0; // that an interface would transfer in the same time
    int switches = 0;  // on the longest way
};

/// Shape: a place per node. Requires: the places are nodes of the network. Cost: the flows times the links on their
/// way.
LinkLoad busiest_link(const NodeFlows& flows, const Interconnect& network, const NodePlaces& places);

/// The time of one call with shared links: as predicted_seconds of effort.hpp, but the transfer of a phase is that of
/// its busiest link, and each switch beyond the first adds to the latency.
/// Shape: as many loads as phases.
double loaded_seconds(std::vector<Effort> phases, const std::vector<LinkLoad>& loads, double block_bytes,
                      const Network& network);

} // namespace hopscotch::schedules
