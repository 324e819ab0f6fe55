// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The simulated job on a network with shared links: its traffic, and the time of a call.
#pragma once

#include "schedules/network/link_load.hpp"
#include "scripts/simulation/setting.hpp"

#include <string>
#include <vector>

namespace simulation
{

/// A network, and the node in it of each node of a job, as "NETWORK/ALLOCATION" names them: "fat-tree:2/block".
class Placement
{
  public:
    /// Throws: std::invalid_argument for other texts, and names that published_network.hpp does not know.
    Placement(const std::string& text, const Setting& setting);

    const std::string& name() const { return name_; }
    const hopscotch::schedules::Interconnect& network() const { return network_; }

    /// By the nodes' numbers in the setting.
    const hopscotch::schedules::NodePlaces& places() const { return places_; }

  private:
    std::string name_;
    hopscotch::schedules::NodePlaces places_;
    hopscotch::schedules::Interconnect network_;
};

/// The work of processes and the blocks between nodes in one call of an alltoall.
struct Traffic {
    std::vector<hopscotch::schedules::Effort> efforts;
    std::vector<hopscotch::schedules::NodeFlows> flows; // as many phases

    std::vector<hopscotch::schedules::LinkLoad> loads(const Placement& placement) const;
    double seconds(const Placement& placement, double block_bytes, const hopscotch::schedules::Network& network) const;
};

/// Requires: possible, not by dimension; individual blocks.
Traffic traffic_of(const Setting& setting, Way way);

} // namespace simulation
