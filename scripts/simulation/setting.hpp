// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The simulated job: a process grid on nodes, a neighborhood, and the work of each process under each algorithm.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/partial_grid.hpp"
#include "schedules/mapping/mapping_cost.hpp"
#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/effort.hpp"
#include "schedules/nodes/preferred_member.hpp"
#include "schedules/plan/schedule.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace simulation
{

/// A machine: its network, and the number of its processes that share a node.
struct Machine {
    hopscotch::schedules::Network network = {};
    /// A message of the MPI library between processes of a node; overhead and latency as in Network.
    double library_overhead = 0;
    double library_latency = 0;
    int processes_per_node = 0;
};

/// From "name=value,...", the numbers of a platform file as scripts/simulate passes them on. Throws:
/// std::invalid_argument for unknown names.
Machine machine(const std::string& text);

/// The parts of a text between commas.
std::vector<std::string> words(const std::string& text);

/// The algorithms compared. direct: one message per neighbor, all at once, as MPI libraries do; trivial: one
/// send-receive after the other (Listing 4 of the paper); reducing: values are combined on their way, of reductions.
enum class Way { direct, trivial, merged, combining, aggregated, aggregated_by_dimension, reducing };

const char* name(Way way);
Way way_of(const std::string& name);

/// The machine's network as a way uses it: its messages within a node are those of the MPI library, or not.
hopscotch::schedules::Network network_of(const Machine& machine, Way way);

/// True if messages within a node are those of the MPI library, not blocks handed over in memory.
bool is_of_the_library(Way way);

/// True if blocks for other nodes wait in grids of shared memory, which all processes of the node see at once.
bool has_grids(Way way);

/// The ranks on a node: consecutive ones, or those of the best mapper.
enum class Ranks { consecutive, mapped };

/// "consecutive", "mapped". Throws: std::invalid_argument for other texts.
Ranks ranks_of(const std::string& text);

/// The dimensions of the job that is no torus: an ocean model with a north fold. Two dimensions, the second one
/// periodic; the last row meets itself, the other way round. A process has the neighbors of all 8 offsets that are
/// there.
constexpr int ocean = 0;

/// d dimensions as equal as possible, as MPI_Dims_create gives them, periodic; n shifts -1, 0, ... in each.
class Setting
{
  public:
    /// `dimensions`: d, or `ocean` with three shifts. Requires: processes_per_node of them on each node but, maybe, the
    /// last.
    Setting(int processes, int processes_per_node, int dimensions, int shifts, hopscotch::schedules::Blocks blocks,
            Ranks ranks);

    /// Between nodes: in all, and of the node that most of them leave.
    hopscotch::schedules::EdgesBetweenNodes edges_between_nodes() const;

    const hopscotch::schedules::Topology& grid() const { return grid_; }
    const hopscotch::schedules::Nodes& nodes() const { return nodes_; }
    const hopscotch::schedules::Stencil& stencil() const { return stencil_; }
    hopscotch::schedules::Blocks blocks() const { return blocks_; }

    /// True if each process sends the same messages by the same offsets, but for aggregated blocks.
    bool all_alike() const { return folded_ == nullptr; }

    /// Of an ocean: the grid that explains most of its edges; else null.
    const std::shared_ptr<const hopscotch::schedules::PartialGrid>& partial_grid() const { return partial_; }

    hopscotch::schedules::Edges edges(int rank) const;

    /// The place of a node in the order of the job's nodes; mapped ranks change that of the nodes' lowest ranks.
    int place_of(int node) const;

    /// True if the way exists here: nodes must be bricks of a torus to aggregate by dimension.
    bool possible(Way way) const;

    /// Nodes a node has messages for, at most.
    int neighbor_nodes() const;

    /// The messages of a process; for the aggregated ways also the blocks that it takes from the memory of others on
    /// the node.
    hopscotch::schedules::Schedule schedule(Way way, int rank) const;

    /// The members of the stencil's family, and those that the library prefers; combining goes by one of them from now
    /// on.
    std::vector<hopscotch::schedules::Member> family() const;
    std::vector<hopscotch::schedules::PreferredMember>
    preferred(const std::vector<hopscotch::schedules::Member>& family,
              const hopscotch::schedules::Network& network) const;
    void combine_by(const std::vector<hopscotch::schedules::Group>& groups) { groups_ = groups; }

    /// From the busiest node to others, in one call.
    int messages_leaving(Way way) const;

    /// The efforts of the busiest process and node among those examined.
    std::vector<hopscotch::schedules::Effort> efforts(Way way) const;

  private:
    hopscotch::schedules::Route route(Way way, int most_blocks) const;
    hopscotch::schedules::NodeLists lists(int node) const;
    const hopscotch::schedules::NodePlan& plan(Way way, int node) const;
    hopscotch::schedules::Leaders leaders_around(Way way, int node) const;
    const std::vector<hopscotch::schedules::AggregationPart>& parts(Way way, int node) const;
    hopscotch::schedules::Schedule traffic(Way way, const hopscotch::schedules::Edges& edges) const;
    int nodes_looked_at() const;

    hopscotch::schedules::Topology grid_;
    hopscotch::schedules::Stencil offsets_;                                  // in the program's order
    hopscotch::schedules::Stencil stencil_;                                  // canonical, sorted
    std::shared_ptr<const std::vector<hopscotch::schedules::Edges>> folded_; // of each rank of an ocean; else null
    std::shared_ptr<const hopscotch::schedules::PartialGrid> partial_;
    std::vector<int> place_of_rank_; // of its node in the order of the job's nodes
    hopscotch::schedules::Nodes nodes_;
    hopscotch::schedules::Blocks blocks_;
    std::vector<hopscotch::schedules::Group> groups_; // groups of the combining schedule; empty: the paper's
    std::map<Way, int> most_blocks_;                  // for the aggregated ways, see Route
    mutable std::map<std::pair<Way, int>, hopscotch::schedules::NodePlan> plans_; // by way and node
    mutable std::map<std::pair<Way, int>, std::vector<hopscotch::schedules::AggregationPart>> parts_;
};

} // namespace simulation
