// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Decides when the processes of MPI_Alltoallv compare their patterns, and when these are worth a graph.
#pragma once

#include <cstdint>

namespace hopscotch::schedules
{

/// True if no process has blocks for more than half of all processes, or from more.
constexpr bool is_sparse(std::int64_t most_peers, int processes) noexcept
{
    return 2 * most_peers <= processes;
}

/// The values of one process at an agreed call; of all, the largest of each.
struct SparsePatterns {
    std::int64_t peers = 0;         // of this call, in the direction with more
    std::int64_t seen = 0;          // the same in all calls since the graph was made
    std::int64_t outside_calls = 0; // calls since the last agreement with blocks outside of the graph
    std::int64_t unable = 0;        // nonzero: the process has met buffers in the memory of a device
    std::int64_t serial = 0;        // a number of the first process, for a new graph

    static constexpr int count = 5;
};

/// The blocking calls of one communicator. All processes count and decide alike.
class SparseCalls
{
  public:
    enum class Step { pass, go_on, make_of_seen, make_of_this };

    /// Counts a call; true if all agree in it: the second, the fourth, the eighth, then every 127th or 511th one. Odd
    /// distances meet both of two patterns in turn. An agreed call that fails is made up for by the next one.
    bool is_due() noexcept { return ++calls_ >= next_; }

    /// The step for an agreed call from the values of all. A new graph is made only if the calls have doubled since the
    /// last one, and one in eight had blocks outside.
    Step decide(const SparsePatterns& all, int processes) noexcept;

    /// The step for a persistent request, which has no blocks outside of the graph: the call itself passes or goes by
    /// the graph. All such calls of a communicator make up to 16 graphs.
    Step decide_for_request(const SparsePatterns& all, int processes) noexcept;

    /// The graph could not be made.
    void lose_graph() noexcept { has_graph_ = false; }

  private:
    static constexpr std::uint64_t longest_pause = 127; // calls that a process without receives may be ahead
    static constexpr std::uint64_t longest_dense_pause = 511;
    static constexpr int most_request_graphs = 16;

    static Step make(const SparsePatterns& all, int processes) noexcept
    {
        return is_sparse(all.seen, processes) ? Step::make_of_seen : Step::make_of_this;
    }
    Step step_for(const SparsePatterns& all, int processes) const noexcept;

    std::uint64_t calls_ = 0;
    std::uint64_t next_ = 2;
    std::uint64_t last_ = 0; // agreed call
    std::uint64_t made_ = 0; // the call in which the last graph was made
    int request_graphs_ = 0;
    bool has_graph_ = false;
};

} // namespace hopscotch::schedules
