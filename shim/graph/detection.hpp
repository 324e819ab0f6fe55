// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the neighborhood of a graph communicator, by lists, agreement and process grid, or the reason why there is
// none.
#pragma once

#include "schedules/grid/grid_choice.hpp"
#include "schedules/selection/agreement.hpp"
#include "shim/base/settings.hpp"
#include "shim/graph/graph.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/group/process_group.hpp"
#include "shim/memory/segment.hpp"
#include "shim/memory/staging_buffers.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

using schedules::Agreement;
using schedules::Field;

/// Whether ranks may be given to other processes: asked for, left by the settings, or not allowed by the program.
enum class Reordering : std::int64_t { wanted, not_wanted, not_allowed };

/// What a process brings along when a graph communicator was created.
struct Origin {
    Call created_by;
    MPI_Comm parent;              // MPI_COMM_NULL when there is none
    std::vector<Candidate> hints; // grids of this program: info key, recorded calls; may differ between processes
    const std::vector<void*>* call_site;  // as in the graph
    std::optional<Algorithms> algorithms; // asked for by an info key; holds when all processes ask for the same
    const Graph* duplicate_of = nullptr;  // the neighborhood is known already
    bool new_lists = false;               // it is of our own making: its remote positions are not known yet
    Reordering reordering = Reordering::not_allowed;
    std::string reorder = {}; // for the graph; empty where it follows from what the processes want
};

/// What one process says of a new communicator, before it knows what the others say.
struct Proposal {
    Origin origin;
    MPI_Comm comm = MPI_COMM_NULL;
    int topology_kind = MPI_DIST_GRAPH;
    std::optional<schedules::Topology> grid; // of the communicator or its parent, if one of them is Cartesian
    std::shared_ptr<Graph> graph;
    std::vector<int> members;            // their ranks in MPI_COMM_WORLD
    std::shared_ptr<ProcessGroup> group; // null when this process holds none for them
    std::shared_ptr<Segment> spare;      // of that group; null when this process has none
    std::uint64_t site = 0;              // in the program that makes it; local, as note_end() knows it
    Agreement agreement;                 // of this process; once they have met, of all
};

/// What the set-up of one graph communicator yields.
struct Detected {
    std::shared_ptr<Graph> graph;
    std::shared_ptr<ProcessGroup> group;     // null when the graph is unusable
    std::shared_ptr<StagingBuffers> staging; // null when blocks between nodes cannot or need not be aggregated
    std::shared_ptr<Segment> segment;        // null when no two processes share a node, or memory cannot be shared
    TagBlock tags;
    std::uint64_t key = 0;    // distinct within the job, the same on all processes of the graph
    std::uint64_t origin = 0; // of processes and the place in the program; the same on all processes of the graph
    std::uint64_t site = 0;   // as in the proposal
    std::unique_ptr<Proposal> set_up_later; // agreed, but not set up before a call asks for it; null when it is
    bool may_reorder = false;               // all processes want their ranks to be mapped to nodes
};

/// Whether all processes of the communicator are in MPI_COMM_WORLD, where they have met this library. Of others,
/// spawned or connected, nobody can tell. Local; the same on all its processes.
bool is_within_world(MPI_Comm comm);

/// Looks at a newly created graph communicator, which must be within the world. Local; each process of the communicator
/// does so. Throws: MpiError, where the communicator returns errors.
std::unique_ptr<Proposal> propose(CollectiveConsensus& consensus, Origin origin, std::uint64_t settings_hash);

/// Finds out what the communicator is; nothing where a process has given up. Collective: over it; nobody else uses it
/// yet. All decisions are taken from values its processes have agreed on. The others count on a process that has come
/// here. Throws: MpiError when a collective of ours fails.
std::optional<Detected> conclude(std::unique_ptr<Proposal> proposal, CollectiveConsensus& consensus,
                                 const Settings& settings);

/// Sets up what conclude() has deferred: fills in what `detected`, as it came from there, does not have yet.
/// Collective: over the communicator. Throws: MpiError when a collective of ours fails.
void set_up(Detected& detected, const Proposal& set_up_later, const Settings& settings);

/// Says that the algorithms asked for by info key are not the same on all processes. Local.
void warn_of_different_keys();

/// What a process does instead of conclude() that cannot look at the communicator: all of them learn it there.
/// Collective: over the communicator. Throws: MpiError. Needs no memory of ours.
void give_up(CollectiveConsensus& consensus);

} // namespace hopscotch::shim
