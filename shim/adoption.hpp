// What happens when the program has made a communicator with a topology, or a duplicate of one.
#pragma once

#include "shim/detection.hpp"
#include "shim/graph.hpp"
#include "shim/next.hpp"

namespace hopscotch::shim
{

/// What this process says of a communicator before MPI_Dist_graph_create_adjacent makes it, where there is a board: in
/// that call all processes meet, so that none waits for the others' words after it.
class Announcement
{
  public:
    /// Local. Right before the native call, with its arguments.
    Announcement(MPI_Comm parent, int indegree, const int sources[], int outdegree, const int destinations[],
                 MPI_Info info, bool reorder) noexcept;

    bool is_made() const noexcept { return board_ != nullptr; }

    /// The board it was made on, if the communicator is known to have its processes in its order; else null.
    Board* board_in_order() const noexcept { return reorder_ ? nullptr : board_; }

    /// What has been said; none when it will only be said after the call.
    std::unique_ptr<Proposal> take_proposal() noexcept { return std::move(proposal_); }
    std::uint64_t ticks() const noexcept { return ticks_; }

  private:
    Board* board_;
    bool reorder_;
    std::unique_ptr<Proposal> proposal_;
    std::uint64_t ticks_ = 0;
};

/// Finds out what the new communicator is and attaches a record to it. A failure of ours leaves the communicator as the
/// library made it. Collective: over comm, right after the native call that made it; MPI_COMM_NULL does nothing.
/// `info`: may name the process box under the key "hopscotch_dims". `announcement`: of this communicator, if there was
/// one.
void adopt(Call created_by, MPI_Comm comm, MPI_Comm parent, MPI_Info info,
           Announcement* announcement = nullptr) noexcept;

/// The same for a blocking duplicate of `original`. Collective: over comm.
void adopt_duplicate(Call created_by, MPI_Comm comm, MPI_Comm original) noexcept;

/// The same for a communicator of ours that carries a neighborhood known from the start: lists, algorithms, and
/// topology and stencil where it is isomorphic; parallel edges match as the lists say. Collective: over comm.
void adopt_neighborhood(Call created_by, MPI_Comm comm, const Graph& graph) noexcept;

} // namespace hopscotch::shim
