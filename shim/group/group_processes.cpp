// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/group_processes.hpp"

#include "shim/group/node.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace hopscotch::shim
{

namespace
{

/// The values of a process in the exchange between all processes.
struct GroupMember {
    std::uint64_t node = 0; // own_node()
    NodeMate mate;
};

/// The largest group whose processes exchange everything in one collective. Larger groups exchange their nodes in a
/// collective, and the rest in two messages on each node. With this limit a process receives 200 KB at most.
constexpr int most_at_once = 1024;

/// Collective: over the communicator.
GroupProcesses exchange_with_all(MPI_Comm comm, int size, const NodeMate& own)
{
    const GroupMember own_member{own_node(), own};
    std::vector<GroupMember> all(static_cast<std::size_t>(size));
    check(next.MPI_Allgather(&own_member, sizeof own_member, MPI_BYTE, all.data(), sizeof own_member, MPI_BYTE, comm));
    std::vector<std::uint64_t> nodes;
    GroupProcesses processes;
    for (const GroupMember& one : all) {
        nodes.push_back(one.node);
        if (one.node == own_member.node)
            processes.mates.push_back(one.mate);
    }
    processes.first = first_on_node(nodes);
    return processes;
}

/// The processes on this one's node, by rank: each sends its values to the first one, which sends those of all to each.
/// `first`: first_on_node() of the communicator. Collective: over it.
std::vector<NodeMate> exchange_on_node(MPI_Comm comm, int tag, const NodeMate& own, const std::vector<int>& first)
{
    const int leader = first[static_cast<std::size_t>(own.rank)];
    std::vector<int> ranks;
    for (int rank = leader; rank < static_cast<int>(first.size()); ++rank)
        if (first[static_cast<std::size_t>(rank)] == leader)
            ranks.push_back(rank);
    std::vector<NodeMate> mates(ranks.size(), own);
    const std::size_t bytes = mates.size() * sizeof own;
    SetUpMessages messages(comm, tag);
    if (own.rank != leader)
        messages.send(&own, sizeof own, leader);
    for (std::size_t i = 1; own.rank == leader && i < ranks.size(); ++i)
        messages.receive(&mates[i], sizeof own, ranks[i]);
    messages.finish();
    if (own.rank != leader)
        messages.receive(mates.data(), bytes, leader);
    for (std::size_t i = 1; own.rank == leader && i < ranks.size(); ++i)
        messages.send(mates.data(), bytes, ranks[i]);
    messages.finish();
    return mates;
}

} // namespace

GroupProcesses learn_processes(MPI_Comm comm, int tag, const std::vector<int>* nodes)
{
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    const NodeMate own{rank, own_usable_cores(), own_memory_proof()};
    if (nodes == nullptr && size <= most_at_once)
        return exchange_with_all(comm, size, own);
    std::vector<int> first = nodes != nullptr ? *nodes : first_on_node(comm);
    std::vector<NodeMate> mates = exchange_on_node(comm, tag, own, first);
    return {std::move(first), std::move(mates)};
}

int launched_here(std::size_t mates)
{
    auto processes = static_cast<int>(mates);
    for (const char* variable : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"})
        if (const char* launched = std::getenv(variable))
            processes = std::max(processes, std::atoi(launched));
    return processes;
}

} // namespace hopscotch::shim
