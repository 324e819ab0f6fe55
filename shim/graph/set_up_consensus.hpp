// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of a communicator agree while they set it up, by collectives.
#pragma once

#include "shim/graph/agreement.hpp"
#include "shim/mpi/next.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// All functions are collective over the communicator, take as many values on each process, and throw MpiError.
class SetUpConsensus
{
  public:
    explicit SetUpConsensus(MPI_Comm comm) noexcept : comm_(comm) {}

    MPI_Comm communicator() const noexcept { return comm_; }

    /// What all say, as join() puts it together. Needs no memory of ours.
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
    MPI_Comm comm_;
};

} // namespace hopscotch::shim
