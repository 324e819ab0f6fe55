// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of a communicator agree by collectives of the MPI library, at points of collective calls of the
// program.
#pragma once

#include "shim/group/consensus.hpp"
#include "shim/mpi/next.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hopscotch::shim
{

/// While a communicator is made or freed, a persistent request is made, MPI begins or ends. Numbers and words need no
/// memory of ours. The functions added here are never used between calls.
class CollectiveConsensus final : public Consensus
{
  public:
    explicit CollectiveConsensus(MPI_Comm comm) noexcept : comm_(comm) {}

    /// `while_waiting`: called again and again until all have come; it may end the job.
    CollectiveConsensus(MPI_Comm comm, std::function<void()> while_waiting)
        : comm_(comm), while_waiting_(std::move(while_waiting))
    {
    }

    MPI_Comm communicator() const noexcept { return comm_; }

    /// From now on the maxima of up to `most` integers come over `faster`, a consensus of the same processes. All of
    /// them pass one, and the same `most`.
    void use(Consensus& faster, std::size_t most) noexcept
    {
        faster_ = &faster;
        most_over_faster_ = most;
    }

    void maxima(std::int64_t* values, std::size_t count) override;
    void maxima(double* values, std::size_t count);

    /// True if all processes have done something. A process that failed may have left others waiting elsewhere: it ends
    /// the job if they do not come within a minute.
    bool all_have_done(bool done);

    /// For each word, the bits that are set on all processes.
    void common_bits(std::uint64_t* words, std::size_t count);
    std::uint64_t common_bits(std::uint64_t word);

    /// For each value, the sum modulo 2^64.
    void sums(std::int64_t* values, std::size_t count);
    std::int64_t sum(std::int64_t value)
    {
        sums(&value, 1);
        return value;
    }

    /// The root's bytes, as many as all have room for.
    void broadcast(void* bytes, std::size_t count, int root);

    /// On the root the values of all processes, by rank, as many of each; nothing elsewhere.
    std::vector<int> gathered(const std::vector<int>& own, int root);

    /// The lists of all processes, by rank; they may differ in length.
    std::vector<std::vector<int>> lists(const std::vector<int>& own);

  private:
    void reduce(void* values, std::size_t count, MPI_Datatype type, MPI_Op op);

    MPI_Comm comm_;
    Consensus* faster_ = nullptr;
    std::size_t most_over_faster_ = 0;
    std::function<void()> while_waiting_;
};

} // namespace hopscotch::shim
