// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Remembers the processes that one has sent blocks to, or got blocks from, in calls among all.
#pragma once

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// One byte for each process. Those of the present graph are known by their rank, others are beside it.
class SeenPeers
{
  public:
    /// Forgets everything. Units: processes.
    void reset(int processes);

    bool is_empty() const noexcept { return marks_.empty(); }

    /// A call has a block for this process.
    void see(int rank) noexcept
    {
        unsigned char& mark = marks_[static_cast<std::size_t>(rank)];
        if ((mark & is_seen) != 0)
            return;
        ++seen_;
        unseen_ -= (mark & is_in_graph) != 0 ? 1 : 0;
        mark |= is_seen;
    }

    bool in_graph(int rank) const noexcept { return (marks_[static_cast<std::size_t>(rank)] & is_in_graph) != 0; }

    /// The processes of the graph, by rank.
    const std::vector<int>& graph() const noexcept { return graph_; }

    /// The number of processes seen since the last call of make_graph().
    int seen() const noexcept { return seen_; }

    /// True if these include all processes of the graph.
    bool has_seen_graph() const noexcept { return unseen_ == 0; }

    /// The processes seen since then are those of the new graph.
    void make_graph();

    /// The processes of the new graph are these, by rank.
    void make_graph(std::vector<int> ranks);

  private:
    static constexpr unsigned char is_seen = 1;
    static constexpr unsigned char is_in_graph = 2;

    std::vector<unsigned char> marks_; // by rank
    std::vector<int> graph_;
    int seen_ = 0;
    int unseen_ = 0; // processes of the graph
};

} // namespace hopscotch::schedules
