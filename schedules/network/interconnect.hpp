// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The links of a network between nodes, and the links on the way of a message.
#pragma once

#include <array>
#include <variant>
#include <vector>

namespace hopscotch::schedules
{

/// Leaf switches with nodes below, and spine switches that each have one link to each leaf. A link has the bandwidth of
/// an interface. The number of the destination gives the spine: d-mod-k, the routing of most such networks.
/// Source: Zahavi, D-Mod-K routing, 2010. Units: numbers of switches, nodes, links.
struct FatTree {
    int leaves = 1;
    int nodes_per_leaf = 1;
    int uplinks = 1; // of a leaf, one to each spine
};

/// Groups of chassis of routers: each router has a link to each other one of its chassis, to those in its place in the
/// other chassis of its group, and each group a bundle of links to each other group. It begins at the router of the
/// first chassis with the number of the other group. Routing is minimal.
/// Source: Faanes et al., Cray Cascade, SC 2012. Requires: no more groups than routers in a chassis.
struct Dragonfly {
    int groups = 1;
    int chassis = 1; // of a group
    int routers = 1; // of a chassis
    int nodes_per_router = 1;
    double within_chassis = 1; // bandwidths of links relative to an interface
    double between_chassis = 1;
    double between_groups = 1; // of a whole bundle
};

/// Routers in a torus of three dimensions. A message travels along the first, the second, the third one, the shorter
/// way round.
struct TorusNetwork {
    std::array<int, 3> dims = {1, 1, 1};
    int nodes_per_router = 1;
    std::array<double, 3> links = {1, 1, 1}; // bandwidths relative to an interface
};

using NetworkShape = std::variant<FatTree, Dragonfly, TorusNetwork>;

/// Nodes and the links between them. A link is one direction: an interface is a link out of its node and one into it.
class Interconnect
{
  public:
    /// Throws: std::invalid_argument if a number is below 1, or a dragonfly has too many groups.
    explicit Interconnect(const NetworkShape& shape);

    const NetworkShape& shape() const noexcept { return shape_; }
    int nodes() const noexcept { return nodes_; }
    int links() const noexcept { return static_cast<int>(bandwidths_.size()); }

    /// Relative to an interface.
    double bandwidth(int link) const { return bandwidths_[static_cast<std::size_t>(link)]; }

    /// The links from one node to another in order, interfaces first and last; none to itself. Requires: nodes there.
    std::vector<int> route(int from, int to) const;

  private:
    void add_links(int count, double bandwidth);

    NetworkShape shape_;
    int nodes_ = 0;
    std::vector<double> bandwidths_;
};

} // namespace hopscotch::schedules
