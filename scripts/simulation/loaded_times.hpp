// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The times of all ways on networks with shared links, and those of the choice of `auto`.
#pragma once

#include "schedules/selection/choice.hpp"
#include "scripts/simulation/loaded.hpp"

#include <map>
#include <string>
#include <vector>

namespace simulation
{

/// One call by a way. Of `family`, the fastest member with several phases, and of `auto` its choice: `chosen` names it.
struct LoadedTime {
    double seconds = 0;
    std::string chosen;
};

/// The pairs of nodes that the probe of the library measures: neighbors in the order of the nodes, or node i and node
/// i + n/2; all pairs at once.
enum class Pairs { near, far };

/// Of one setting; what the setting sends, and the links' loads are kept.
class LoadedTimes
{
  public:
    LoadedTimes(Setting& setting, const Machine& machine) : setting_(setting), machine_(machine) {}

    /// `way`: a name of Way, "family", "auto", or "auto_far" for a choice by a probe of far pairs.
    /// Throws: std::invalid_argument for other names.
    LoadedTime time(const std::string& way, const Placement& placement, double block_bytes);

    /// The numbers of the network as the library's probe would measure them.
    hopscotch::schedules::Network probed(const Placement& placement, Pairs pairs) const;

  private:
    const Traffic& traffic(Way way, const std::vector<hopscotch::schedules::Group>& groups = {});
    double seconds(Way way, const std::vector<hopscotch::schedules::Group>& groups, const Placement& placement,
                   double block_bytes);
    LoadedTime fastest_member(const Placement& placement, double block_bytes);
    LoadedTime chosen_by_auto(const Placement& placement, double block_bytes, Pairs pairs);

    Setting& setting_;
    Machine machine_;
    std::map<std::string, Traffic> traffic_;                                   // by way and groups
    std::map<std::string, std::vector<hopscotch::schedules::LinkLoad>> loads_; // and placement
    std::map<double, std::vector<hopscotch::schedules::Choice>> choices_;      // by gap
};

} // namespace simulation
