// Memory in which processes of one node that make communicators together show each other what they know.
#pragma once

#include "schedules/topology.hpp"
#include "shim/next.hpp"
#include "shim/process_group.hpp"
#include "shim/shared_file.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

class Board
{
  public:
    /// The most that a process can show at a time. Units: bytes.
    static constexpr std::size_t most_bytes = 4088;

    /// Collective: over the group. Returns null on all processes when they are not all on one node or cannot share
    /// memory.
    static std::unique_ptr<Board> create(const ProcessGroup& group, std::optional<schedules::Topology> parent_box);

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return static_cast<int>(members_->size()); }

    /// The ranks of its processes in MPI_COMM_WORLD.
    const std::shared_ptr<const std::vector<int>>& share_members() const noexcept { return members_; }

    /// Of the communicator from which they make others; none where that is not Cartesian.
    const std::optional<schedules::Topology>& parent_box() const noexcept { return parent_box_; }

    /// Shows the others at most most_bytes bytes and waits until all have shown theirs; waiting drives the messages of
    /// `comm`. Collective: over the processes of the board.
    void show(const void* own, std::size_t bytes, MPI_Comm comm) noexcept;

    /// Announces the next show(), before a native call that may fail. True when this process may already post what it
    /// will show: the last one has not been cut off. Local; each process of the board does so.
    bool announce() noexcept;
    void post(const void* own, std::size_t bytes) noexcept;

    /// Forgets shows that have been announced and did not come. `announced`: whether the next one is. Collective: over
    /// `comm`, which has the processes of the board, before each show() that may be the first after an announcement.
    void catch_up(bool announced, MPI_Comm comm) noexcept;

    /// What a process has shown last: until this process shows something again.
    const void* shown(int rank) const noexcept { return place(rank).bytes; }

  private:
    struct alignas(64) Place {
        std::atomic<std::uint32_t> turn;
        alignas(8) char bytes[most_bytes];
    };

    Board(SharedFile file, const ProcessGroup& group, std::optional<schedules::Topology> parent_box);

    /// Even and odd turns have places of their own: where one is written again, all have read what stood there.
    Place& place(int rank) const noexcept;

    SharedFile file_;
    std::shared_ptr<const std::vector<int>> members_;
    std::optional<schedules::Topology> parent_box_;
    int rank_;
    bool yields_;
    std::uint32_t turn_ = 0;       // of the last show, or the one announced
    std::uint32_t last_shown_ = 0; // by all
    bool posted_ = false;
};

/// The board of the communicators that are made from `parent`, or null while there is none. Local; the same on all
/// processes.
Board* board_of(MPI_Comm parent) noexcept;

/// The same; null as well when `comm`, made from `parent`, has other processes or another order.
Board* board_of(MPI_Comm parent, MPI_Comm comm) noexcept;

/// Whether so many communicators with the processes of `parent` have been made from it that a board begins to pay. To
/// be asked once for each, and until there is a board. Local; to be agreed on. Throws: std::bad_alloc, MpiError.
bool wants_board(MPI_Comm comm, MPI_Comm parent);

/// Makes a board for those that will be made from `parent`. Collective: over the group, the processes of a communicator
/// for which all wanted one.
void make_board(const ProcessGroup& group, MPI_Comm parent);

} // namespace hopscotch::shim
