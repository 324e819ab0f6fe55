// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of one communicator agree on numbers between its calls: in memory that they all share, or by
// messages.
#pragma once

#include "shim/memory/segment.hpp"
#include "shim/mpi/process_group.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// All functions are collective over the communicator, take as many values on each process, and throw MpiError. Nobody
/// leaves before all have come.
class Consensus
{
  public:
    /// `tag`: of the messages. `segment`: of the communicator, null where it has none. Local.
    Consensus(std::shared_ptr<const ProcessGroup> group, int tag, std::shared_ptr<Segment> segment);

    /// Of each value the largest.
    void maxima(std::vector<std::uint64_t>& values);

    /// Whether all processes give the same value.
    bool same(std::uint64_t value);

  private:
    void agree_in_memory(std::vector<std::uint64_t>& values);
    void send_messages(std::vector<std::uint64_t>& values) const;
    void idle() noexcept;

    std::shared_ptr<const ProcessGroup> group_;
    int tag_;
    std::shared_ptr<Segment> segment_; // null where not all share one
    std::uint32_t turn_ = 0;           // of the last agreement in memory
    unsigned idle_looks_ = 0;
};

} // namespace hopscotch::shim
