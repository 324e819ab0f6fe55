// The private communicator of a set of processes: where all our messages travel, whatever graph they belong to.
#pragma once

#include "shim/next.hpp"
#include "shim/settings.hpp"

#include <cstdint>
#include <memory>

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
    ProcessGroup(MPI_Comm comm, MPI_Group group, Yield yield);
    ~ProcessGroup();
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;

    MPI_Comm communicator() const noexcept { return communicator_; }
    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }

    /// Whether waiting must give the core away: more processes of this group share cores than there are.
    bool yields() const noexcept { return yields_; }

    /// The tag block after the last one handed out here; agreed by the maximum over the processes before use.
    std::int64_t next_block() const noexcept { return next_block_; }

    /// Tag block number `block`. Throws: MpiError{MPI_ERR_TAG} beyond the library's largest tag.
    TagBlock take_block(std::int64_t block);

  private:
    MPI_Comm communicator_ = MPI_COMM_NULL;
    MPI_Group group_;
    int rank_ = 0;
    int size_ = 0;
    bool yields_ = false;
    int largest_tag_ = 0;
    std::int64_t next_block_ = 0;

    friend std::shared_ptr<ProcessGroup> find_group(MPI_Group group);
};

/// The group object these processes already share, or null. Local; processes may differ in what they still hold.
std::shared_ptr<ProcessGroup> find_group(MPI_Group group);

/// Makes a new group for the processes of comm and remembers it as long as someone holds it. Collective: over comm.
std::shared_ptr<ProcessGroup> create_group(MPI_Comm comm, Yield yield);

} // namespace hopscotch::shim
