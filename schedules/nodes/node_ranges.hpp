// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Maps processes to nodes, with processes counted node by node.
#pragma once

#include <vector>

namespace hopscotch::schedules
{

class NodeRanges
{
  public:
    /// `sizes`: processes of each node; those of node 0 are counted first.
    /// Throws: std::invalid_argument if there is no node, a size is below 1, or the sum exceeds int.
    explicit NodeRanges(const std::vector<int>& sizes);

    int nodes() const noexcept { return nodes_; }
    int processes() const noexcept { return processes_; }

    /// The node of a process. Cost: O(1) if all nodes have one size, else O(log nodes).
    int node(int process) const noexcept;

    /// True if a node begins with this process, or the last one ended before it.
    bool begins_at(int process) const noexcept;

    /// Processes per node, on average, rounded up.
    int mean_size() const noexcept { return (processes_ - 1) / nodes_ + 1; }

  private:
    int nodes_;
    int processes_;
    int size_;              // size of every node, 0 if they differ
    std::vector<int> ends_; // one past the last process of each node; empty if all have one size
};

} // namespace hopscotch::schedules
