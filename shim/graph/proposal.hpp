// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the proposal of one process for a new graph communicator: its neighbor lists, its wishes, and the group, memory
// and graph that it holds already.
#pragma once

#include "schedules/grid/grid_choice.hpp"
#include "schedules/selection/agreement.hpp"
#include "shim/base/settings.hpp"
#include "shim/graph/graph.hpp"
#include "shim/graph/kept_graphs.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/group/process_group.hpp"
#include "shim/memory/segment.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

using schedules::Agreement;
using schedules::Field;

/// The state of rank reordering: requested, excluded by the settings, or not allowed by the program.
enum class Reordering : std::int64_t { wanted, not_wanted, not_allowed };

/// The input of a process at the creation of a graph communicator.
struct Origin {
    Call created_by;
    MPI_Comm parent;              // MPI_COMM_NULL if there is none
    std::vector<Candidate> hints; // grids of this program: info key, recorded calls; may differ between processes
    const std::vector<void*>* call_site;  // null if call sites are not recorded; never deleted
    std::optional<Algorithms> algorithms; // requested by an info key; holds if all processes request the same
    const Graph* duplicate_of = nullptr;  // the neighborhood is known already
    bool new_lists = false;               // it is of our own making: its remote positions are not known yet
    Reordering reordering = Reordering::not_allowed;
    std::string reorder = {};                     // for the graph; empty if it follows from the processes' wishes
    std::optional<schedules::Topology> grid = {}; // of a parent that may be gone
};

/// The values of one process for a new communicator, before it knows those of the others.
struct Proposal {
    Origin origin;
    MPI_Comm comm = MPI_COMM_NULL;
    int topology_kind = MPI_DIST_GRAPH;
    std::optional<schedules::Topology> grid; // grid of the communicator or its parent, if one of them is Cartesian
    std::shared_ptr<Graph> graph;            // the lists, or all of a duplicate
    std::vector<int> members;                // their ranks in MPI_COMM_WORLD
    std::shared_ptr<ProcessGroup> group;     // null if this process holds none for them
    OwnWorldClaim own_world;                 // taken if this process holds no group for them
    std::shared_ptr<Segment> spare;          // spare segment of that group; null if this process has none
    std::shared_ptr<const KeptGraph> kept;   // that with the same lists there; null if this process keeps none
    std::uint64_t site = 0;                  // in the program that makes it; local, as note_end() knows it
    std::uint64_t settings_hash = 0;
    Agreement agreement; // values of this process; after the agreement, of all
};

/// True if all processes of the communicator are in MPI_COMM_WORLD; all of these have found this library in each other.
/// For other processes, spawned or connected, this is unknown. Local; the same on all its processes.
bool is_within_world(MPI_Comm comm);

/// Looks at a newly created graph communicator, which must be within the world. Local; each process of the communicator
/// does so. Throws: MpiError, if the communicator returns errors.
std::unique_ptr<Proposal> propose(CollectiveConsensus& consensus, Origin origin, std::uint64_t settings_hash);

/// The lists of the proposal and all that a grid for them depends on, to keep and to find graphs by. Local.
SetUpInputs inputs_of(const Proposal& proposal, const std::shared_ptr<ProcessGroup>& group);

/// A process that cannot look at the communicator calls this instead of conclude(), and so tells all of them.
/// Collective: over the communicator. Throws: MpiError. Allocates no memory.
void give_up(CollectiveConsensus& consensus);

} // namespace hopscotch::shim
