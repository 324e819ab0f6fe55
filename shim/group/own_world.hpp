// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Owns a communicator of all processes for the library itself, and makes others of some of them or of one alone.
#pragma once

#include "shim/mpi/next.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// A private communicator over all processes of MPI_COMM_WORLD that returns errors: for calls that would raise an error
/// on a communicator of the program, and for the group of the first graph of all processes. MPI_COMM_NULL before its
/// creation and at the end of MPI.
MPI_Comm own_world() noexcept;

/// Makes own_world(). Collective: over MPI_COMM_WORLD. Throws: MpiError.
void make_own_world();

/// Frees own_world(): before MPI ends, after all groups over it. Local.
void free_own_world() noexcept;

/// The right of one set-up to make the group of all processes over own_world(): a communicator less. MPICH 4.0.2 holds
/// eight; for the ninth it maps 900 KB, which takes 4 ms.
class OwnWorldClaim
{
  public:
    OwnWorldClaim() = default;
    ~OwnWorldClaim();
    OwnWorldClaim(const OwnWorldClaim&) = delete;
    OwnWorldClaim& operator=(const OwnWorldClaim&) = delete;

    /// Takes the right if `members` are all processes in order and nobody else holds it or has used it. Local; any
    /// thread. Throws: MpiError.
    void take(const std::vector<int>& members);
    bool is_held() const noexcept { return is_held_; }

    /// The group is made: nobody takes the right again.
    void use() noexcept { is_held_ = false; }

  private:
    bool is_held_ = false;
};

/// The largest tag of messages on any communicator. Local. Throws: MpiError.
int largest_tag();

/// The ranks in MPI_COMM_WORLD of the processes of comm; MPI_UNDEFINED for processes elsewhere. Local.
/// Throws: MpiError.
std::vector<int> world_ranks(MPI_Comm comm);

/// A new communicator of processes by their ranks in MPI_COMM_WORLD; no handler of the program is called. `id`: differs
/// between those that threads make at once. Collective: over these processes. Throws: MpiError.
MPI_Comm make_private(const std::vector<int>& members, std::int64_t id);

/// A new communicator of this process alone, which returns errors; MPI_COMM_NULL if the library has none left or fails.
/// No handler of the program is called if own_world() has been made. Local.
MPI_Comm make_alone();

/// Finds the nodes of all processes, for nodes_of_world(). Collective: over MPI_COMM_WORLD. Throws: MpiError.
void learn_nodes_of_world();

/// For each rank of MPI_COMM_WORLD the lowest rank on its node; nothing before they are learned. Local.
const std::vector<int>& nodes_of_world();

} // namespace hopscotch::shim
