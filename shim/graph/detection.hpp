// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the neighborhood of a graph communicator from the proposals of its processes, or the reason if there is none.
#pragma once

#include "shim/base/settings.hpp"
#include "shim/graph/graph.hpp"
#include "shim/graph/proposal.hpp"
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

/// The result of the set-up of one graph communicator. The objects that carry its calls refer to it: a later set-up
/// gives all of them another graph and memory, and before MPI ends its group and its memory go.
struct Detected {
    std::shared_ptr<const Graph> graph;      // a set-up makes another one
    std::shared_ptr<ProcessGroup> group;     // null if the graph is left to the MPI library
    std::shared_ptr<StagingBuffers> staging; // null if blocks between nodes cannot or need not be aggregated
    std::shared_ptr<Segment> segment;        // null if no two processes share a node, or memory cannot be shared
    TagBlock tags;
    std::uint64_t key = 0;    // distinct within the job, the same on all processes of the graph
    std::uint64_t origin = 0; // hash of processes and the place in the program; the same on all processes of the graph
    std::uint64_t site = 0;   // see Proposal
    const std::vector<void*>* call_site = nullptr; // see Origin
    std::unique_ptr<Proposal> set_up_later; // agreed, but not set up before a call asks for it; null if the set-up is
                                            // done
    std::size_t rented_calls = 0;           // blocking calls that the MPI library carries before that
    bool may_reorder = false;               // all processes want their ranks to be mapped to nodes
};

/// Concludes the detection of the communicator; nothing if a process has given up. Collective: over it; nobody else
/// uses it yet. All decisions are taken from values its processes have agreed on. The others count on a process that
/// has come here. Throws: MpiError if a collective of the library fails.
std::optional<Detected> conclude(std::unique_ptr<Proposal> proposal, CollectiveConsensus& consensus,
                                 const Settings& settings);

/// Sets up a communicator whose set-up conclude() has deferred: fills in the missing parts of `detected`, with a new
/// graph. Collective: over the communicator. Throws: MpiError if a collective of the library fails.
void set_up(Detected& detected, const Proposal& set_up_later, const Settings& settings);

/// Gives the communicator a graph that is left to the MPI library, and none of the memory. Local.
void leave_to_library(Detected& detected, schedules::Reason reason);

/// Says that the algorithms asked for by info key are not the same on all processes. Local.
void warn_of_different_keys();

} // namespace hopscotch::shim
