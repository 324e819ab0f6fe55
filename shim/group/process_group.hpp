// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Owns the private communicator of a set of processes. All messages of the library travel there, for every graph.
#pragma once

#include "schedules/memory/room.hpp"
#include "schedules/message/tags.hpp"
#include "schedules/nodes/nodes.hpp"
#include "schedules/plan/cost.hpp"
#include "shim/base/settings.hpp"
#include "shim/group/own_world.hpp"
#include "shim/mpi/next.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

using schedules::TagBlock;

/// Processes in the rank order of the communicators that share it. Never the user's communicator, so a wildcard receive
/// of the program cannot take our messages (MPI 4.0, 8.3 demands as much of a topology's collectives). Messages only:
/// threads would call collectives on it in different orders on different processes. Collectives go over the
/// communicators that share it, since the program uses each for one collective at a time.
class ProcessGroup
{
  public:
    /// Makes a private communicator, or takes own_world(). `members`: see members(). `id`: given by the first process,
    /// and never again. `over_own_world`: all processes hold an OwnWorldClaim. Collective: over these processes.
    /// Throws: MpiError if the library cannot give one (context ids are exhausted, say); no handler is called.
    ProcessGroup(std::vector<int> members, std::int64_t id, const Settings& settings, bool over_own_world = false);
    ~ProcessGroup();
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;

    MPI_Comm communicator() const noexcept { return communicator_; }
    /// The ranks in MPI_COMM_WORLD of its processes.
    const std::vector<int>& members() const noexcept { return members_; }

    /// The number of this group among several for the same members; positive, and the same on all of them.
    std::int64_t id() const noexcept { return id_; }

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }

    /// True if waiting must yield the core: more processes of this group share cores than there are.
    bool yields() const noexcept { return yields_; }

    /// True if that is so for any process of the group.
    bool any_yields() const noexcept { return any_yields_; }

    /// The part of its time for which a process of this node has a core, if nobody else uses the node; at most 1.
    double due_share() const noexcept { return due_share_; }

    /// A tag of which no message is ever sent: block 0 is never given to a graph.
    static constexpr int unused_tag = 0;

    /// The tag of messages that set up the group: of block 0, too.
    static constexpr int own_tag = 1;

    /// The ranks of this group on this process's node, increasing; the position of a rank among them, or -1 for a rank
    /// elsewhere; the number of nodes of the group.
    const std::vector<int>& node_ranks() const noexcept { return node_map_.ranks[node_of(rank_)]; }
    int node_index(int rank) const { return node_of(rank) == node_of(rank_) ? node_map_.position(rank) : -1; }
    int nodes() const noexcept { return node_map_.count(); }

    /// The most of its processes that any node has. The same on all processes.
    int most_on_node() const noexcept { return most_on_node_; }

    /// The node of each rank of this group.
    const schedules::Nodes& node_map() const noexcept { return node_map_; }

    /// The network for predictions. The same on all processes.
    const schedules::Network& network() const noexcept { return network_; }

    /// Blocks of at least so many bytes are copied by their receivers on the node, directly from the sender's memory;
    /// nothing if some process could not read the memory of another. The limits are the same on all processes.
    const std::optional<schedules::OneCopyLimits>& one_copy() const noexcept { return one_copy_; }

    /// The system's number of a process of this node, by node_index.
    std::int64_t process_id(int node_index) const { return process_ids_[static_cast<std::size_t>(node_index)]; }

    /// The number of the tag block of the graph for which the group is made.
    static constexpr std::int64_t first_block = 1;

    /// The number of a tag block that nobody else is given. Only the first process gives them, and tells the others.
    /// Local; for all threads.
    std::int64_t take_block() noexcept { return next_block_.fetch_add(1); }

    /// True if a block is left, counted by those that this process has given. Local.
    bool has_tags() const noexcept { return reaches(next_block_.load()); }

    /// Tag block number `block`. Throws: MpiError{MPI_ERR_TAG} beyond the library's largest tag.
    TagBlock tags(std::int64_t block) const;

  private:
    MPI_Comm communicator_ = MPI_COMM_NULL;
    bool owns_communicator_;
    std::vector<int> members_;
    std::int64_t id_;
    int rank_ = 0;
    int size_ = 0;
    bool yields_ = false;
    bool any_yields_ = false;
    double due_share_ = 1.0;
    int most_on_node_ = 1;
    schedules::Nodes node_map_;
    schedules::Network network_ = schedules::assumed_network;
    std::optional<schedules::OneCopyLimits> one_copy_;
    std::vector<std::int64_t> process_ids_;
    int largest_tag_ = 0;
    std::atomic<std::int64_t> next_block_{first_block + 1};

    bool reaches(std::int64_t block) const noexcept;
    std::size_t node_of(int rank) const noexcept
    {
        return static_cast<std::size_t>(node_map_.of_rank[static_cast<std::size_t>(rank)]);
    }
};

/// The channels between the processes of one graph during its set-up, used by no other graph: collectives on the
/// graph's communicator, and messages between the processes of its group under a tag of its own.
struct Ground {
    const ProcessGroup& group;
    MPI_Comm comm;
    int tag;
};

/// The oldest group object of these processes that has tags left; null if there is none. Threads may have added them in
/// different orders on different processes: the oldest has the smallest id. Local; processes may hold different ones,
/// and threads may find different ones.
std::shared_ptr<ProcessGroup> find_group(const std::vector<int>& members);

/// Makes a new group for the processes with these ranks in MPI_COMM_WORLD, and remembers it until the next one is made,
/// and as long as someone holds it. Collective: over them.
std::shared_ptr<ProcessGroup> create_group(const std::vector<int>& members, std::int64_t id, const Settings& settings,
                                           bool over_own_world = false);

/// The limits of the last group with several processes on a node; nothing if no blocks are copied once. Local.
std::optional<schedules::OneCopyLimits> last_one_copy() noexcept;

/// True if a process of some group so far could not read the memory of another one of its node as it should. Local.
bool some_memory_is_unread() noexcept;

/// True if there were more processes than cores on the node of some group so far. Local.
bool cores_are_shared() noexcept;

/// Receives messages that nobody waits for any more: UCX prints each of them on stdout as MPI ends. Local; to be called
/// after all processes have stopped sending.
void receive_leftovers() noexcept;

/// Gives back the group made last, and own_world(): before MPI ends.
void release_groups() noexcept;

} // namespace hopscotch::shim
