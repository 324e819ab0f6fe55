// The private communicator of a set of processes: where all our messages travel, whatever graph they belong to.
#pragma once

#include "shim/next.hpp"
#include "shim/settings.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Tags of one graph communicator: `count` from `first` on, for its use alone.
struct TagBlock {
    int first = 0;
    static constexpr int count = 4096;
};

/// Processes in the rank order of the communicators that share it. Never the user's communicator, so a wildcard receive
/// of the program cannot take our messages (MPI 4.0, 7.3 demands as much of a topology's collectives).
class ProcessGroup
{
  public:
    /// Splits a private communicator off. Collective: over comm.
    /// Throws: MpiError when the library cannot give one (context ids are exhausted, say).
    ProcessGroup(MPI_Comm comm, std::vector<int> members, Yield yield);
    ~ProcessGroup();
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;

    MPI_Comm communicator() const noexcept { return communicator_; }
    /// The ranks in MPI_COMM_WORLD of its processes.
    const std::vector<int>& members() const noexcept { return members_; }

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }

    /// Whether waiting must give the core away: more processes of this group share cores than there are.
    bool yields() const noexcept { return yields_; }

    /// Whether that is so for any process of the group.
    bool any_yields() const noexcept { return any_yields_; }

    /// Tag of messages that set something up. Block 0 is never given to a graph.
    static constexpr int setup_tag = 0;

    /// The ranks of this group on this process's node, increasing; the position of a rank among them, or -1 for a rank
    /// elsewhere; how many nodes the group has.
    const std::vector<int>& node_ranks() const noexcept { return node_ranks_; }
    int node_index(int rank) const noexcept { return node_index_[static_cast<std::size_t>(rank)]; }
    int nodes() const noexcept { return nodes_; }

    /// For each rank of this group the lowest rank on its node.
    const std::vector<int>& node_leaders() const noexcept { return node_leaders_; }

    /// The tag block after the last one handed out here; agreed by the maximum over the processes before use.
    std::int64_t next_block() const noexcept { return next_block_; }

    /// Whether the library has tags for block number `block`.
    bool has_tags(std::int64_t block) const noexcept;

    /// Tag block number `block`. Throws: MpiError{MPI_ERR_TAG} beyond the library's largest tag.
    TagBlock take_block(std::int64_t block);

  private:
    MPI_Comm communicator_ = MPI_COMM_NULL;
    std::vector<int> members_;
    int rank_ = 0;
    int size_ = 0;
    bool yields_ = false;
    bool any_yields_ = false;
    int nodes_ = 1;
    std::vector<int> node_leaders_;
    std::vector<int> node_ranks_;
    std::vector<int> node_index_;
    int largest_tag_ = 0;
    std::int64_t next_block_ = 1;

    void gather_nodes(int leader);
    void find_nodes();
};

/// The group object these processes already share, or null; one without tags does not count. Local; processes may
/// differ in what they still hold.
std::shared_ptr<ProcessGroup> find_group(const std::vector<int>& members);

/// Makes a new group for the processes of comm, with these ranks in MPI_COMM_WORLD, and remembers it until the next one
/// is made, and as long as someone holds it. Collective: over comm.
std::shared_ptr<ProcessGroup> create_group(MPI_Comm comm, const std::vector<int>& members, Yield yield);

/// Forgets the group made last: before MPI ends.
void release_last_group() noexcept;

} // namespace hopscotch::shim
