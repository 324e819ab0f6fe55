// Collectives of processes that set a communicator up: by the board of these processes, or by messages.
#pragma once

#include "shim/agreement.hpp"
#include "shim/board.hpp"
#include "shim/next.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// All functions are collective over the communicator, take as many values on each process, and throw MpiError.
class Together
{
  public:
    /// `board`: of the processes of comm, in its order; null when they have none.
    Together(MPI_Comm comm, Board* board) noexcept : comm_(comm), board_(board) {}

    MPI_Comm communicator() const noexcept { return comm_; }
    bool has_board() const noexcept { return board_ != nullptr; }
    Board* board() const noexcept { return board_; }

    /// Of each field the largest. Needs no memory of ours.
    void agree(Agreement& own) const;

    /// The bits that are set on all processes.
    void common_bits(std::vector<std::uint64_t>& bits) const;

    /// On how many processes it is so.
    int count(bool so) const;

    /// The values of the root.
    void broadcast(std::vector<int>& values, int root) const;

    /// The lists of all processes, by rank; they may differ in length.
    std::vector<std::vector<int>> lists(const std::vector<int>& own) const;

  private:
    bool agree_in_lines(Agreement& own) const;
    bool fits(std::size_t bytes) const noexcept { return board_ != nullptr && bytes <= Board::most_bytes; }

    MPI_Comm comm_;
    Board* board_;
};

} // namespace hopscotch::shim
